#include "cax/explain/perturbation.hpp"
#include "cax/problems/changes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <fmt/format.h>

namespace cax {
namespace {

/// Standard deviations in a budget (the paper's sigma = rho / 3).
constexpr double deviations_in_budget = 3;

double rounded_to_float(double value) { return static_cast<double>(static_cast<float>(value)); }

template <class T>
Result<void> check_count(std::string_view what, std::vector<T> const& list, ProblemInfo const& info) {
    if (list.empty() || list.size() == info.tensors.size()) return {};
    return Error{ErrorCode::invalid_value,
                 fmt::format("{} {} for {} tensors of {}", list.size(), what, info.tensors.size(), info.name)};
}

} // namespace

Result<void> check_perturbation(ProblemInfo const& info, PerturbationOptions const& options) {
    if (auto ok = check_count("budgets", options.budgets, info); !ok) return ok;
    if (auto ok = check_count("fixed marks", options.fixed, info); !ok) return ok;
    if (auto ok = check_count("boxes", options.boxes, info); !ok) return ok;
    for (std::size_t k = 0; k < options.budgets.size(); ++k) {
        auto const& budget = options.budgets[k];
        if (!budget || (std::isfinite(*budget) && *budget >= 0)) continue;
        return Error{ErrorCode::invalid_value,
                     fmt::format("budget of {} is {}: expected 0 or more", info.tensors[k].name, *budget)};
    }
    for (std::size_t k = 0; k < options.boxes.size(); ++k) {
        auto const& box = options.boxes[k];
        if (!box || box->low <= box->high) continue;
        return Error{ErrorCode::invalid_value,
                     fmt::format("box of {} is {}..{}: it holds nothing", info.tensors[k].name, box->low, box->high)};
    }
    return {};
}

Perturbation::Perturbation(Instance const& instance, Features from, std::vector<std::vector<std::uint8_t>> movable,
                           PerturbationOptions const& options)
    : from_(std::move(from)), movable_(std::move(movable)), boxes_(options.boxes), options_(options) {
    ProblemInfo const& info = instance.problem().info();
    assert(from_.size() == info.tensors.size());
    boxes_.resize(info.tensors.size());
    for (std::size_t k = 0; k < info.tensors.size(); ++k) {
        bool const given = !options.budgets.empty() && options.budgets[k].has_value();
        bool const fixed = !options.fixed.empty() && options.fixed[k] != 0;
        TensorUnits const units = units_of(instance, k);
        budgets_.push_back(fixed ? 0 : given ? *options.budgets[k] : info.tensors[k].budget * units.stretch);
        grains_.push_back(units.grain);
        if (!fixed) turns_.push_back(k);
    }
}

bool Perturbation::movable(std::size_t tensor, std::size_t index) const {
    return budgets_[tensor] > 0 && (movable_.empty() || movable_[tensor][index] != 0);
}

std::pair<double, double> Perturbation::limits(std::size_t tensor, std::size_t index) const {
    double low = -budgets_[tensor];
    double high = budgets_[tensor];
    if (auto const& box = boxes_[tensor]) {
        double const value = from_[tensor].values[index];
        low = std::max(low, std::min(box->low - value, 0.0));
        high = std::min(high, std::max(box->high - value, 0.0));
    }
    return {low, high};
}

bool Perturbation::allows(std::size_t tensor, std::size_t index, double by) const {
    if (by == 0) return true;
    auto const [low, high] = limits(tensor, index);
    return movable(tensor, index) && by >= low && by <= high;
}

bool Perturbation::allows_grain(std::size_t tensor, std::size_t index, double by) const {
    if (allows(tensor, index, by)) return true;
    double const grain = grains_[tensor] * (1 + 1e-6); // but for rounding
    bool const given = !options_.budgets.empty() && options_.budgets[tensor].has_value();
    if (given || !movable(tensor, index) || budgets_[tensor] >= grain || std::fabs(by) > grain) return false;
    auto const& box = boxes_[tensor];
    double const to = from_[tensor].values[index] + by;
    double const slip = 1e-6 * (1 + std::fabs(to)); // boxes are of float32
    return !box || (to >= box->low - slip && to <= box->high + slip);
}

double Perturbation::clipped(std::size_t tensor, std::size_t index, double by) const {
    double const budget = budgets_[tensor];
    double const grain = grains_[tensor];
    if (options_.integer && grain > 0) {
        by = std::clamp(std::round(by / grain), -std::floor(budget / grain), std::floor(budget / grain)) * grain;
    }
    auto const [low, high] = limits(tensor, index);
    return rounded_to_float(std::clamp(by, low, high));
}

void Perturbation::clip(Features& change) const {
    for (std::size_t k = 0; k < change.size(); ++k) {
        for (std::size_t i = 0; i < change[k].values.size(); ++i) {
            double& value = change[k].values[i];
            value = movable(k, i) ? clipped(k, i, value) : 0;
        }
    }
}

void Perturbation::draw_dense(Feature& noise, std::size_t tensor, Rng& rng) const {
    double const sigma = budgets_[tensor] / deviations_in_budget;
    // Entries that stay are drawn as well: what an entry gets does not depend on which others may move.
    for (double& value : noise.values) value = sigma * rng.normal();
}

void Perturbation::draw_sparse(Features& change, std::vector<std::size_t> const& tensors, Rng& rng) const {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (std::size_t const k : tensors) {
        for (std::size_t i = 0; i < change[k].values.size(); ++i) {
            if (movable(k, i)) places.emplace_back(k, i);
        }
    }
    if (places.empty()) return;
    std::size_t const count = 1 + rng.below(options_.sparse);
    for (std::size_t n = 0; n < count; ++n) {
        auto const [k, i] = places[rng.below(places.size())];
        double const noise = budgets_[k] / deviations_in_budget * rng.normal();
        bool const to_zero = rng.uniform() < 0.5 && options_.toggles;
        double const value = from_[k].values[i];
        // An entry that is 0 does not exist: it can only come into being.
        if (value == 0)
            change[k].values[i] = std::fabs(noise);
        else
            change[k].values[i] = to_zero ? -value : noise;
    }
}

Features Perturbation::shot(std::size_t instance, std::size_t step, std::size_t shot) const {
    Features change = zero_change(from_);
    if (!turns_.empty()) {
        Rng rng(options_.seed, static_cast<std::uint32_t>(instance), static_cast<std::uint32_t>(step),
                static_cast<std::uint32_t>(shot));
        std::vector<std::size_t> const tensors = options_.joint ? turns_ : std::vector{turns_[shot % turns_.size()]};
        if (options_.sparse > 0)
            draw_sparse(change, tensors, rng);
        else
            for (std::size_t const k : tensors) draw_dense(change[k], k, rng);
    }
    clip(change);
    return change;
}

std::size_t node_of(TensorInfo const& tensor, Shape const& shape, std::size_t index) {
    std::size_t stride = 1; // entries per step along the node axis
    for (std::size_t axis = tensor.node_axis + 1; axis < shape.size(); ++axis) stride *= shape[axis];
    return index / stride % shape[tensor.node_axis] + tensor.node_offset;
}

Features zero_change(Features const& like) {
    Features zeros(like.size());
    for (std::size_t k = 0; k < like.size(); ++k) {
        zeros[k] = {like[k].shape, std::vector<double>(like[k].values.size())};
    }
    return zeros;
}

} // namespace cax
