// The best tour that begins like this, for every next customer at once: one programme over sets of customers for all
// actions. Where its work runs out, tours found so far and known ones remain, and nothing is proved.
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
        : data_(data),
          length_left_(length),
          customers_(std::move(customers)),
          between_(customers_.size(), std::vector<double>(customers_.size())),
          best_(customers_.size()) {
        assert(customers_.size() <= most_customers);
        for (std::size_t i = 0; i < size(); ++i) {
            prize_.push_back(double{data.prize[customers_[i]]});
            from_here_.push_back(distance(data, here, customers_[i]));
            to_home_.push_back(distance(data, customers_[i], 0));
            for (std::size_t j = 0; j < size(); ++j) between_[i][j] = distance(data, customers_[i], customers_[j]);
        }
    }

    /// False if more than `work` lengths would have to be kept; what is known then are ways of few customers. All
    /// subsets of n customers have 2^n n lengths: 21 million for 20.
    [[nodiscard]] bool run(std::uint64_t work) {
        Level level = first_level();
        while (!level.sets.empty()) {
            work_ += level.lengths.size();
            rate(level);
            if (work_ > work) return false;
            auto next = next_level(level, work - work_);
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
        Homeward part(data_, 0, 0, members);
        for (std::size_t k = 0, m = 0; k < size(); ++k) {
            if ((best_[i].set >> k & 1) != 0) part.from_here_[m++] = from_here_[k];
        }
        part.length_left_ = length_left_;
        std::vector<Level> levels{part.first_level()};
        while (levels.size() < members.size()) levels.push_back(*part.next_level(levels.back(), ~std::uint64_t{0}));

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
            while ((set >> second & 1) == 0 || part.between_[first][second] + length_of(set, second) != whole) ++second;
            way.push_back(members[second]);
            first = second;
        }
        return way;
    }

private:
    using Set = std::uint64_t; ///< of customers, bit i for customers[i]
    struct Best {
        double prize = 0;
        double length = 0;
        Set set = 0;
    };
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

    /// Nothing if it would hold more than `room` lengths.
    [[nodiscard]] std::optional<Level> next_level(Level const& level, std::uint64_t room) const {
        Level next;
        for (std::size_t row = 0; row < level.sets.size(); ++row) {
            Set const set = level.sets[row];
            double const* const lengths = &level.lengths[row * size()];
            for (std::size_t first = 0; first < size(); ++first) {
                if ((set >> first & 1) != 0) continue;
                double shortest = no_way;
                for (Set left = set; left != 0; left &= left - 1) {
                    auto const second = static_cast<std::size_t>(std::countr_zero(left));
                    shortest = std::min(shortest, between_[first][second] + lengths[second]);
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
                Best& best = best_[first];
                bool const better =
                    best.set == 0 || prize > best.prize || (prize == best.prize && length < best.length);
                if (better) best = {prize, length, set};
            }
        }
    }

    Data const& data_;
    double length_left_;
    std::vector<std::size_t> customers_;
    std::vector<double> prize_;
    std::vector<double> from_here_;
    std::vector<double> to_home_;
    std::vector<std::vector<double>> between_;
    std::vector<Best> best_; ///< by first customer; set 0 = none
    std::uint64_t work_ = 0;
};

Solution tour_of(std::vector<std::size_t> tour) { return Routes{{std::move(tour)}}; }

/// Does the tour begin with these customers?
bool begins_with(Solution const& solution, std::vector<std::size_t> const& beginning) {
    auto const& routes = std::get<Routes>(solution).routes;
    if (beginning.empty()) return true;
    if (routes.empty() || routes[0].size() < beginning.size()) return false;
    return std::equal(beginning.begin(), beginning.end(), routes[0].begin());
}

} // namespace

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
    std::vector<Completion> answers(request.actions.size());
    bool const programme = request.prove && reachable.size() <= Homeward::most_customers;
    Homeward ways(instance.data(), prefix->last(), left, programme ? reachable : std::vector<std::size_t>());
    bool const proved = programme && ways.run(request.proof_work);
    for (std::size_t k = 0; k < answers.size(); ++k) {
        std::size_t const action = request.actions[k];
        answers[k].work = ways.work();
        if (action == 0) { // home: that is the tour
            offer(instance, tour_of(prefix->tour), answers[k]);
            answers[k].optimal = answers[k].solution.has_value();
        } else {
            std::vector<std::size_t> beginning = prefix->tour;
            beginning.push_back(action);
            for (Solution const& known : request.known) {
                if (begins_with(known, beginning)) offer(instance, known, answers[k]);
            }
            auto const place = std::ranges::find(reachable, action);
            if (programme && place != reachable.end()) {
                auto const way = ways.best_way(static_cast<std::size_t>(place - reachable.begin()));
                std::vector<std::size_t> tour = prefix->tour;
                tour.insert(tour.end(), way.begin(), way.end());
                if (!way.empty()) offer(instance, tour_of(std::move(tour)), answers[k]);
            }
            answers[k].optimal = proved && answers[k].solution.has_value();
        }
        if (answers[k].optimal) answers[k].bound = answers[k].cost;
    }
    return answers;
}

} // namespace cax::op
