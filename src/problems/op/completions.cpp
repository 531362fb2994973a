// The best tour that begins like this, for every next customer at once: one programme over sets of customers for all
// actions. Where its work runs out, tours found so far and known ones remain, and nothing is proved. The best tour of
// all is the best of them at the depot.
#include "../routing/distances.hpp"
#include "../settled.hpp"
#include "tour.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <unordered_map>

namespace cax::op {
namespace {

constexpr double no_way = std::numeric_limits<double>::infinity();
constexpr std::uint64_t any_work = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t sets_between_looks = 1024;

/// The ways home from where the tour stands, by dynamic programming over sets of customers, backwards: for every set
/// and each of its members the shortest way that begins there, visits the set and ends at the depot. It does not matter
/// where the vehicle comes from, so one programme serves all next customers.
///
/// A way that begins at a customer is of use only if the vehicle, driving straight there, can still do it: by the
/// triangle inequality no detour makes more possible. Sets without such a way are never looked at, which leaves a small
/// part of the 2^n; they are built up by the number of their members.
class Homeward {
public:
    static constexpr std::size_t most_customers = 64;

    /// From node `here` with `length` left, through some of these customers.
    Homeward(Data const& data, std::size_t here, double length, std::vector<std::size_t> customers)
        : data_(data), here_(here), length_left_(length), customers_(std::move(customers)), best_(customers_.size()) {
        assert(customers_.size() <= most_customers);
        std::vector<Point> points;
        for (std::size_t const customer : customers_) {
            prize_.push_back(double{data.prize[customer]});
            from_here_.push_back(routing::arc_length(data.locs[here], data.locs[customer]));
            to_home_.push_back(routing::arc_length(data.locs[customer], data.locs[0]));
            points.push_back(data.locs[customer]);
        }
        between_ = routing::exact_distances(points);
    }

    /// False if more than `work` lengths would have to be kept, or stop() became true; what is known then are ways of
    /// few customers. All subsets of n customers have 2^n n lengths: 21 million for 20.
    [[nodiscard]] bool run(std::uint64_t work, std::function<bool()> const& stop = {}) {
        Level level = first_level();
        while (!level.sets.empty()) {
            work_ += level.lengths.size();
            rate(level);
            if (work_ > work) return false;
            auto next = next_level(level, work - work_, stop);
            if (!next) return false;
            level = *std::move(next);
        }
        return true;
    }

    [[nodiscard]] std::uint64_t work() const { return work_; } ///< lengths kept so far

    /// The customers of the best way home that begins with customers[i], this one first: the greatest prize, the
    /// shortest among equals. Empty if there is no such way. The same programme on the best set alone, all of its
    /// levels kept, and then along whoever explains each length.
    [[nodiscard]] std::vector<std::size_t> best_way(std::size_t i) const {
        if (best_[i].set == 0) return {};
        std::vector<std::size_t> members;
        std::size_t first = 0;
        for (std::size_t k = 0; k < size(); ++k) {
            if ((best_[i].set >> k & 1) == 0) continue;
            if (k == i) first = members.size();
            members.push_back(customers_[k]);
        }
        Homeward const part(data_, here_, length_left_, members);
        std::vector<Level> levels{part.first_level()};
        while (levels.size() < members.size()) levels.push_back(*part.next_level(levels.back(), any_work, {}));

        auto const length_of = [&](Set set, std::size_t member) {
            Level const& level = levels[static_cast<std::size_t>(std::popcount(set)) - 1];
            auto const row = level.row.find(set);
            return row == level.row.end() ? no_way : level.lengths[row->second * members.size() + member];
        };
        std::vector<std::size_t> way{members[first]};
        Set set = members.size() == most_customers ? ~Set{0} : (Set{1} << members.size()) - 1;
        while (std::popcount(set) > 1) {
            double const whole = length_of(set, first);
            set ^= Set{1} << first;
            std::size_t second = 0;
            while ((set >> second & 1) == 0 || part.between_(first, second) + length_of(set, second) != whole) ++second;
            way.push_back(members[second]);
            first = second;
        }
        return way;
    }
    /// The best of all ways. Empty if there is none.
    [[nodiscard]] std::vector<std::size_t> best_way() const {
        auto const with_beginning = [&](std::size_t i) {
            return Best{best_[i].prize, from_here_[i] + best_[i].length, best_[i].set};
        };
        std::size_t chosen = 0;
        for (std::size_t i = 1; i < size(); ++i) {
            if (better(with_beginning(i), with_beginning(chosen))) chosen = i;
        }
        return size() == 0 ? std::vector<std::size_t>() : best_way(chosen);
    }

private:
    using Set = std::uint64_t; ///< of customers, bit i for customers[i]
    struct Best {
        double prize = 0;
        double length = 0;
        Set set = 0; ///< 0: none
    };
    [[nodiscard]] static bool better(Best const& a, Best const& b) {
        if (a.set == 0 || b.set == 0) return b.set == 0 && a.set != 0;
        return a.prize > b.prize || (a.prize == b.prize && a.length < b.length);
    }
    /// Sets with the same number of members.
    struct Level {
        std::unordered_map<Set, std::size_t> row; ///< by set
        std::vector<Set> sets;
        std::vector<double> lengths; ///< size() per row, by the member that the way begins with
    };
    [[nodiscard]] std::size_t size() const { return customers_.size(); }

    /// A way that begins with `first` and visits the set, if the vehicle can still do it.
    void offer(Level& level, Set set, std::size_t first, double length) const {
        if (from_here_[first] + length > length_left_) return;
        auto const [place, is_new] = level.row.try_emplace(set, level.sets.size());
        if (is_new) {
            level.sets.push_back(set);
            level.lengths.resize(level.lengths.size() + size(), no_way);
        }
        double& known = level.lengths[place->second * size() + first];
        known = std::min(known, length);
    }

    [[nodiscard]] Level first_level() const {
        Level level;
        for (std::size_t i = 0; i < size(); ++i) offer(level, Set{1} << i, i, to_home_[i]);
        return level;
    }

    /// Nothing if it would hold more than `room` lengths, or stop() became true.
    [[nodiscard]] std::optional<Level> next_level(Level const& level, std::uint64_t room,
                                                  std::function<bool()> const& stop) const {
        Level next;
        next.row.reserve(level.sets.size());
        for (std::size_t row = 0; row < level.sets.size(); ++row) {
            if (stop && row % sets_between_looks == 0 && stop()) return std::nullopt;
            Set const set = level.sets[row];
            double const* const lengths = &level.lengths[row * size()];
            for (std::size_t first = 0; first < size(); ++first) {
                if ((set >> first & 1) != 0) continue;
                double shortest = no_way;
                for (Set left = set; left != 0; left &= left - 1) {
                    auto const second = static_cast<std::size_t>(std::countr_zero(left));
                    shortest = std::min(shortest, between_(first, second) + lengths[second]);
                }
                if (shortest < no_way) offer(next, set | Set{1} << first, first, shortest);
            }
            if (next.lengths.size() > room) return std::nullopt;
        }
        return next;
    }

    void rate(Level const& level) {
        for (std::size_t row = 0; row < level.sets.size(); ++row) {
            Set const set = level.sets[row];
            double prize = 0;
            for (Set left = set; left != 0; left &= left - 1) {
                prize += prize_[static_cast<std::size_t>(std::countr_zero(left))];
            }
            for (Set left = set; left != 0; left &= left - 1) {
                auto const first = static_cast<std::size_t>(std::countr_zero(left));
                double const length = level.lengths[row * size() + first];
                if (length == no_way) continue;
                Best const way{prize, length, set};
                if (better(way, best_[first])) best_[first] = way;
            }
        }
    }

    Data const& data_;
    std::size_t here_;
    double length_left_;
    std::vector<std::size_t> customers_;
    std::vector<double> prize_;
    std::vector<double> from_here_;
    std::vector<double> to_home_;
    Matrix<double> between_;
    std::vector<Best> best_; ///< by first customer
    std::uint64_t work_ = 0;
};

} // namespace

std::optional<std::vector<std::size_t>> best_tour(Data const& data, std::vector<std::size_t> const& customers,
                                                  std::function<bool()> const& stop) {
    assert(customers.size() <= max_exact_customers);
    Homeward ways(data, 0, data.max_length, customers);
    if (!ways.run(any_work, stop)) return std::nullopt;
    auto tour = ways.best_way();
    std::ranges::reverse(tour); // lengths were added up from home: that is where the tour begins
    return tour;
}

Result<std::vector<Completion>> Instance::completions(CompletionRequest const& request) const {
    Instance const& instance = *this;
    auto const prefix = prefix_of(instance, request.prefix);
    if (!prefix) return prefix.error();
    double const left = double{instance.data().max_length} - prefix->length;
    std::vector<std::size_t> reachable;
    for (std::size_t const customer : prefix->left) {
        double const way = distance(instance.data(), prefix->last(), customer) + distance(instance.data(), customer, 0);
        if (!prefix->closed && way <= left) reachable.push_back(customer);
    }
    bool const programme = request.prove && reachable.size() <= Homeward::most_customers;
    Homeward ways(instance.data(), prefix->last(), left, programme ? reachable : std::vector<std::size_t>());
    bool const proved = programme && ways.run(request.proof_work);
    return complete_each(request, [&](std::size_t action) -> Result<Completion> {
        Completion answer;
        answer.work = ways.work();
        std::vector<std::size_t> tour = prefix->tour;
        if (action == 0) { // home: that is the tour
            offer(instance, Routes{{std::move(tour)}}, answer);
        } else {
            tour.push_back(action);
            for (Solution const& known : request.known) {
                if (routing::missing_of(tour, std::get<Routes>(known)).empty()) offer(instance, known, answer);
            }
            auto const place = std::ranges::find(reachable, action);
            if (programme && place != reachable.end()) {
                auto const way = ways.best_way(static_cast<std::size_t>(place - reachable.begin()));
                tour.insert(tour.end(), way.begin() + (way.empty() ? 0 : 1), way.end());
                if (!way.empty()) offer(instance, Routes{{std::move(tour)}}, answer);
            }
        }
        answer.optimal = (action == 0 || proved) && answer.solution.has_value();
        if (answer.optimal) answer.bound = answer.cost;
        return answer;
    });
}

} // namespace cax::op
