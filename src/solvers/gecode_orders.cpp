// Branching on the order of tasks that share a resource. Scheduling by start times would ask "now, or a unit later?"
// once per unit of time; orders do not care how fine the clock is. Once every pair is in order, all tasks can start as
// early as they can.
#include "gecode_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax {
namespace {

class OrderChoice final : public Gecode::Choice {
public:
    OrderChoice(Gecode::Brancher const& brancher, OpenPair const& pair)
        : Gecode::Choice(brancher, pair.forced ? 1U : 2U), pair_(pair) {}
    [[nodiscard]] OpenPair const& pair() const { return pair_; }
    void archive(Gecode::Archive& archive) const override {
        Gecode::Choice::archive(archive);
        archive << pair_.resource << pair_.first << pair_.second << (pair_.forced ? 1 : 0);
    }

private:
    OpenPair pair_;
};

class OrderBrancher final : public Gecode::Brancher {
public:
    explicit OrderBrancher(Gecode::Home home) : Gecode::Brancher(home) {}
    OrderBrancher(Gecode::Space& home, OrderBrancher& other) : Gecode::Brancher(home, other) {}
    Gecode::Actor* copy(Gecode::Space& home) override { return new (home) OrderBrancher(home, *this); }
    std::size_t dispose(Gecode::Space& home) override {
        (void)Gecode::Brancher::dispose(home);
        return sizeof(*this);
    }

    bool status(Gecode::Space const& home) const override {
        return static_cast<GecodeSpace const&>(home).tightest_open_pair().has_value();
    }
    Gecode::Choice const* choice(Gecode::Space& home) override {
        return new OrderChoice(*this, *static_cast<GecodeSpace&>(home).tightest_open_pair());
    }
    Gecode::Choice const* choice(Gecode::Space const&, Gecode::Archive& archive) override {
        OpenPair pair;
        int forced = 0;
        archive >> pair.resource >> pair.first >> pair.second >> forced;
        pair.forced = forced != 0;
        return new OrderChoice(*this, pair);
    }
    Gecode::ExecStatus commit(Gecode::Space& home, Gecode::Choice const& choice, unsigned int alternative) override {
        OpenPair const& pair = static_cast<OrderChoice const&>(choice).pair();
        int const first = alternative == 0 ? pair.first : pair.second;
        int const second = alternative == 0 ? pair.second : pair.first;
        static_cast<GecodeSpace&>(home).put_in_order(pair.resource, first, second);
        return home.failed() ? Gecode::ES_FAILED : Gecode::ES_OK;
    }
};

} // namespace

void branch_on_orders(GecodeSpace& home) { (void)new (home) OrderBrancher(home); }

std::size_t GecodeSpace::pair_number(int resource, int a, int b) const {
    Resource const& all = layout_->resources[static_cast<std::size_t>(resource)];
    auto const low = static_cast<std::size_t>(std::min(a, b));
    auto const high = static_cast<std::size_t>(std::max(a, b));
    return all.first_pair + high * (high - 1) / 2 + low;
}

/// Returns the number of pairs. Tasks that take no time, and those whose presence is no flag, need no order.
std::size_t GecodeSpace::collect_resources(ConstraintModel const& model, Layout& layout) const {
    std::size_t pairs = 0;
    for (Constraint const& constraint : model.constraints) {
        auto const* rule = std::get_if<NoOverlap>(&constraint.rule);
        if (rule == nullptr) continue;
        Resource resource{{}, pairs};
        for (auto const& [start, duration, presence] : rule->tasks) {
            if (duration == 0 || layout.places[start] < 0) continue;
            int const flag = presence ? -1 - layout.places[*presence] : always;
            resource.tasks.push_back({layout.places[start], static_cast<int>(duration), flag});
        }
        pairs += resource.tasks.size() * (resource.tasks.size() - std::min<std::size_t>(1, resource.tasks.size())) / 2;
        layout.resources.push_back(std::move(resource));
    }
    return pairs;
}

/// Room of an order: how late the second task may start, minus how early the first can end. Least room first, biased
/// towards pairs where both orders are tight (Smith and Cheng, AAAI 1993).
std::optional<OpenPair> GecodeSpace::tightest_pair_of(int resource, double& least_room) const {
    std::optional<OpenPair> best;
    auto const& tasks = layout_->resources[static_cast<std::size_t>(resource)].tasks;
    std::vector<int> present;
    for (int t = 0; t < static_cast<int>(tasks.size()); ++t) {
        int const flag = tasks[static_cast<std::size_t>(t)].presence;
        if (flag == always || flags_[flag].one()) present.push_back(t);
    }
    for (std::size_t i = 0; i < present.size(); ++i) {
        for (std::size_t k = i + 1; k < present.size(); ++k) {
            Task const& a = tasks[static_cast<std::size_t>(present[i])];
            Task const& b = tasks[static_cast<std::size_t>(present[k])];
            auto const& x = integers_[a.start];
            auto const& y = integers_[b.start];
            if (x.max() + a.duration <= y.min() || y.max() + b.duration <= x.min()) continue;
            if (ordered_[pair_number(resource, present[i], present[k])]) continue;
            int const a_first = y.max() - (x.min() + a.duration);
            int const b_first = x.max() - (y.min() + b.duration);
            bool const forced = a_first < 0 || b_first < 0;
            int const low = std::min(a_first, b_first);
            int const high = std::max(a_first, b_first);
            double const room = forced ? -1.0 : low / std::sqrt((low + 1.0) / (high + 1.0));
            if (room >= least_room) continue;
            least_room = room;
            best = OpenPair{resource, present[i], present[k], forced};
            if (b_first > a_first) std::swap(best->first, best->second);
            if (forced) return best;
        }
    }
    return best;
}

std::optional<OpenPair> GecodeSpace::tightest_open_pair() const {
    std::optional<OpenPair> best;
    double least_room = std::numeric_limits<double>::infinity();
    for (int r = 0; r < static_cast<int>(layout_->resources.size()); ++r) {
        if (auto pair = tightest_pair_of(r, least_room)) best = pair;
        if (best && best->forced) break;
    }
    return best;
}

void GecodeSpace::put_in_order(int resource, int first, int second) {
    auto const& tasks = layout_->resources[static_cast<std::size_t>(resource)].tasks;
    Task const& a = tasks[static_cast<std::size_t>(first)];
    Task const& b = tasks[static_cast<std::size_t>(second)];
    ordered_[pair_number(resource, first, second)] = true;
    Gecode::linear(*this, Gecode::IntArgs({1, -1}), Gecode::IntVarArgs({integers_[a.start], integers_[b.start]}),
                   Gecode::IRT_LQ, -a.duration);
}

} // namespace cax
