// Can a packing that begins like this be worth so much? What needs no search is answered here; the rest is three sums
// of flags, which branch and bound decides better than a general solver would.
#include "../settled.hpp"
#include "../whole_numbers.hpp"
#include "branch_bound.hpp"
#include "fields.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::knapsack {
namespace {

constexpr int sum_bits = 29;
constexpr std::size_t max_model_items = 1000;

/// What the checker overlooks, kept for the rounding of sums if strict, granted twice if loose.
double granted(double tolerance, Rounding rounding) { return tolerance * (rounding == Rounding::strict ? 0.5 : 2); }
double limit_of(Rounding rounding) { return 1 + granted(share_tolerance, rounding); }
double least_value(double bound, Rounding rounding) { return bound - granted(1e-6 * bound, rounding); }

/// Why nobody has to search.
std::optional<DecisionModel> settled(Data const& data, Begun const& begun, double bound, Rounding rounding) {
    double const least = least_value(bound, rounding), spare = limit_of(rounding) - 1;
    if (begun.room.weight + spare < 0) return refusal(weight, "the beginning is heavier than allowed");
    if (begun.room.volume + spare < 0) return refusal(volume, "the beginning is bulkier than allowed");
    if (begun.value >= least) {
        return consent(Packing{BranchAndBound(data, begun, limit_of(rounding)).best()});
    }
    double all = begun.value, light = begun.value, small = begun.value;
    for (std::size_t const item : begun.left) {
        double const worth = data.values[item];
        all += worth;
        if (double{data.weights[item]} <= begun.room.weight + spare) light += worth;
        if (double{data.volumes[item]} <= begun.room.volume + spare) small += worth;
    }
    if (all < least)
        return refusal(value, fmt::format("all items together are worth {:.6g}, less than {:.6g}", all, bound));
    std::string_view const fitting = "what is not too {} is worth {:.6g} together, less than {:.6g}";
    if (light < least) return refusal(weight, fmt::format(fmt::runtime(fitting), "heavy", light, bound));
    if (small < least) return refusal(volume, fmt::format(fmt::runtime(fitting), "bulky", small, bound));
    return std::nullopt;
}

/// At most so much of one resource.
LinearRule at_most_shares(std::vector<float> const& shares, Begun const& begun, double room,
                          std::span<std::size_t const> flags, Rounding rounding) {
    double total = 1;
    for (std::size_t const item : begun.left) total += double{shares[item]};
    WholeNumbers const whole(total, sum_bits, rounding);
    LinearRule rule{{}, 0, whole.limit(std::max(0.0, room + limit_of(rounding) - 1), 0)};
    for (std::size_t k = 0; k < flags.size(); ++k)
        rule.terms.push_back({flags[k], whole.spent(double{shares[begun.left[k]]})});
    return rule;
}

/// At least so much value.
LinearRule at_least_value(Data const& data, Begun const& begun, double missing, std::span<std::size_t const> flags,
                          Rounding rounding) {
    double total = 1 + missing;
    for (std::size_t const item : begun.left) total += double{data.values[item]};
    // Collected, not spent: rounded the other way round.
    WholeNumbers const worth(total, sum_bits, rounding == Rounding::strict ? Rounding::loose : Rounding::strict);
    LinearRule rule{{}, WholeNumbers(total, sum_bits, rounding).spent(missing)};
    for (std::size_t k = 0; k < flags.size(); ++k)
        rule.terms.push_back({flags[k], worth.spent(double{data.values[begun.left[k]]})});
    return rule;
}

DecisionModel flags_model(Data const& data, Begun const& begun, double bound, Rounding rounding) {
    DecisionModel decision;
    std::vector<std::size_t> flags;
    for (std::size_t const item : begun.left)
        flags.push_back(decision.model.add_flag(fmt::format("item {} is packed", item)));
    decision.model.add(at_most_shares(data.weights, begun, begun.room.weight, flags, rounding), weight,
                       "what is packed is no heavier than allowed");
    decision.model.add(at_most_shares(data.volumes, begun, begun.room.volume, flags, rounding), volume,
                       "what is packed is no bulkier than allowed");
    decision.model.add(at_least_value(data, begun, least_value(bound, rounding) - begun.value, flags, rounding), value,
                       "what is packed is worth what is asked for");
    decision.model.branchings = {
        {.variables = flags, .costs = std::vector<std::vector<std::int64_t>>(flags.size(), {1, 0})}};
    decision.solution = [items = begun.items, left = begun.left](std::span<std::int64_t const> x) {
        Packing packing{items};
        for (std::size_t k = 0; k < left.size(); ++k) {
            if (x[k] != 0) packing.items.push_back(left[k]);
        }
        std::ranges::sort(packing.items);
        return Solution{std::move(packing)};
    };
    return decision;
}

auto exact_method(std::shared_ptr<cax::Instance const> const& instance, Begun const& begun, double bound,
                  Rounding rounding) {
    return [instance, begun, bound, rounding](std::uint64_t work, std::function<bool()> const& stop) {
        constexpr std::uint64_t between_looks = 256;
        double const least = least_value(bound, rounding);
        BranchAndBound method(static_cast<Instance const&>(*instance).data(), begun, limit_of(rounding));
        method.only_above(std::nextafter(least, 0) - 1e-9 * least); // rounding of sums is no reason to miss one
        bool stopped = false;
        bool const ended = method.run(
            [&](std::uint64_t node) {
                stopped = node % between_looks == 0 && stop && stop();
                return node < work && !stopped;
            },
            least);
        using Outcome = ExactAnswer::Outcome;
        ExactAnswer answer{stopped ? Outcome::stopped : Outcome::budget_spent, std::nullopt, method.nodes()};
        if (ended) answer.outcome = Outcome::none;
        if (!method.found()) return answer;
        answer.outcome = Outcome::found;
        answer.solution = Packing{method.best()};
        return answer;
    };
}

} // namespace

Result<DecisionModel> Instance::decision_model(Question const& question, Rounding rounding) const {
    if (auto const ok = check_bound(*this, question); !ok) return ok.error();
    double const bound = question.bound.value_or(0);
    auto const begun = begin_with(data_, question.prefix);
    if (!begun) return begun.error();
    if (auto decision = settled(data_, *begun, bound, rounding)) return *std::move(decision);
    if (begun->left.size() > max_model_items) {
        return Error{ErrorCode::unsupported,
                     fmt::format("{} items: a decision model has at most {}", begun->left.size(), max_model_items)};
    }
    DecisionModel decision = flags_model(data_, *begun, bound, rounding);
    decision.exact = exact_method(shared_from_this(), *begun, bound, rounding);
    return decision;
}

} // namespace cax::knapsack
