// What a constraint model must look like before a solver sees it.
#include "cax/model/constraint_model.hpp"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace cax {
namespace {

Error invalid(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

bool too_large(std::int64_t number) { return number > largest_model_number || number < -largest_model_number; }

class Validator {
public:
    explicit Validator(ConstraintModel const& model) : variables_(model.variables) {}

    Result<void> operator()(LinearRule const& rule) const {
        for (auto const& [v, coefficient] : rule.terms) {
            if (auto ok = variable(v); !ok) return ok;
            if (auto ok = number(coefficient); !ok) return ok;
        }
        if (auto ok = number(rule.low); !ok) return ok;
        if (auto ok = number(rule.high); !ok) return ok;
        return rule.condition ? flag(*rule.condition) : Result<void>();
    }
    Result<void> operator()(AllowedValues const& rule) const {
        if (auto ok = numbers(rule.values); !ok) return ok;
        return variable(rule.variable);
    }
    Result<void> operator()(Indicator const& rule) const {
        if (auto ok = flag(rule.flag); !ok) return ok;
        if (auto ok = number(rule.value); !ok) return ok;
        return variable(rule.variable);
    }
    Result<void> operator()(TableElement const& rule) const {
        if (rule.table.empty()) return invalid("the table is empty");
        if (auto ok = numbers(rule.table); !ok) return ok;
        if (auto ok = variable(rule.index); !ok) return ok;
        return variable(rule.result);
    }
    Result<void> operator()(VariableElement const& rule) const {
        if (rule.variables.empty()) return invalid("the list of variables is empty");
        if (auto ok = existing(rule.variables); !ok) return ok;
        if (auto ok = variable(rule.index); !ok) return ok;
        return variable(rule.result);
    }
    Result<void> operator()(Circuit const& rule) const {
        if (rule.successor.empty()) return invalid("a tour needs a place");
        if (auto ok = same_length(rule.successor.size(), rule.predecessor.size()); !ok) return ok;
        if (auto ok = existing(rule.successor); !ok) return ok;
        return existing(rule.predecessor);
    }
    Result<void> operator()(BinPacking const& rule) const {
        if (auto ok = same_length(rule.bins.size(), rule.sizes.size()); !ok) return ok;
        if (rule.loads.empty()) return invalid("there is no bin");
        std::int64_t total = 0;
        for (std::int64_t const size : rule.sizes) {
            if (size < 0) return invalid(fmt::format("size {} is negative", size));
            if (too_large(total += size)) return invalid(fmt::format("sizes add up to {} or more", total));
        }
        if (auto ok = existing(rule.bins); !ok) return ok;
        return existing(rule.loads);
    }
    Result<void> operator()(NoOverlap const& rule) const {
        for (auto const& [start, duration, presence] : rule.tasks) {
            if (auto ok = variable(start); !ok) return ok;
            if (duration < 0 || too_large(duration)) return invalid(fmt::format("duration is {}", duration));
            if (!presence) continue;
            if (auto ok = flag(*presence); !ok) return ok;
        }
        return {};
    }

    [[nodiscard]] Result<void> branching(Branching const& hint) const {
        if (auto ok = existing(hint.variables); !ok) return ok;
        if (hint.costs.empty()) return {};
        if (auto ok = same_length(hint.variables.size(), hint.costs.size()); !ok) return ok;
        for (std::size_t i = 0; i < hint.variables.size(); ++i) {
            IntVariable const& v = variables_[hint.variables[i]];
            if (auto ok = same_length(static_cast<std::size_t>(v.high - v.low + 1), hint.costs[i].size()); !ok)
                return ok;
        }
        return {};
    }

private:
    [[nodiscard]] Result<void> variable(std::size_t index) const {
        if (index < variables_.size()) return {};
        return invalid(fmt::format("there is no variable {} (there are {})", index, variables_.size()));
    }
    [[nodiscard]] Result<void> existing(std::span<std::size_t const> indices) const {
        for (std::size_t const index : indices) {
            if (auto ok = variable(index); !ok) return ok;
        }
        return {};
    }
    [[nodiscard]] Result<void> flag(std::size_t index) const {
        if (auto ok = variable(index); !ok) return ok;
        IntVariable const& v = variables_[index];
        if (v.low >= 0 && v.high <= 1) return {};
        return invalid(fmt::format("variable {} ({}) is no flag: {}..{}", index, v.name, v.low, v.high));
    }
    [[nodiscard]] static Result<void> number(std::int64_t value) {
        if (!too_large(value)) return {};
        return invalid(fmt::format("{} is larger than {}", value, largest_model_number));
    }
    [[nodiscard]] static Result<void> numbers(std::span<std::int64_t const> values) {
        auto const large = std::ranges::find_if(values, too_large);
        return large == values.end() ? Result<void>() : number(*large);
    }
    [[nodiscard]] static Result<void> same_length(std::size_t a, std::size_t b) {
        if (a == b) return {};
        return invalid(fmt::format("lists of {} and {} entries belong together", a, b));
    }

    std::span<IntVariable const> variables_;
};

} // namespace

Result<void> validate(ConstraintModel const& model) {
    for (std::size_t i = 0; i < model.variables.size(); ++i) {
        auto const& [low, high, name] = model.variables[i];
        if (low <= high && !too_large(low) && !too_large(high)) continue;
        return invalid(fmt::format("variable {} ({}): bounds {}..{}", i, name, low, high));
    }
    Validator const validator(model);
    for (std::size_t i = 0; i < model.constraints.size(); ++i) {
        auto const& [rule, family, sentence, implied] = model.constraints[i];
        if (auto ok = std::visit(validator, rule); !ok) {
            return ok.error().within(fmt::format("constraint {} ({})", i, sentence));
        }
    }
    for (std::size_t i = 0; i < model.branchings.size(); ++i) {
        if (auto ok = validator.branching(model.branchings[i]); !ok) {
            return ok.error().within(fmt::format("branching {}", i));
        }
    }
    return {};
}

} // namespace cax
