#include "homeward.hpp"

#include "prefix.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

namespace cax::op {
namespace {

constexpr double no_way = std::numeric_limits<double>::infinity();

} // namespace

Homeward::Homeward(Data const& data, std::size_t here, double length, std::vector<std::size_t> customers)
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

/// A way that begins with `first` and visits the set, if the vehicle can still do it.
void Homeward::offer(Level& level, Set set, std::size_t first, double length) const {
    if (from_here_[first] + length > length_left_) return;
    auto const [place, is_new] = level.row.try_emplace(set, level.sets.size());
    if (is_new) {
        level.sets.push_back(set);
        level.lengths.resize(level.lengths.size() + size(), no_way);
    }
    double& known = level.lengths[place->second * size() + first];
    known = std::min(known, length);
}

Homeward::Level Homeward::first_level() const {
    Level level;
    for (std::size_t i = 0; i < size(); ++i) offer(level, Set{1} << i, i, to_home_[i]);
    return level;
}

std::optional<Homeward::Level> Homeward::next_level(Level const& level, std::uint64_t room) const {
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

void Homeward::rate(Level const& level) {
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
            bool const better = best.set == 0 || prize > best.prize || (prize == best.prize && length < best.length);
            if (better) best = {prize, length, set};
        }
    }
}

bool Homeward::run(std::uint64_t work) {
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

/// The same programme on the best set alone, all of its levels kept, and then along whoever explains each length.
std::vector<std::size_t> Homeward::best_way(std::size_t i) const {
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

} // namespace cax::op
