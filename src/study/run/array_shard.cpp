#include "cax/study/plan.hpp"

#include "cax/core/printable.hpp"

#include <charconv>
#include <fmt/format.h>

namespace cax::study {
namespace {

std::optional<std::size_t> count_in(std::string_view text) {
    std::size_t value = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const whole = !text.empty() && read.ec == std::errc() && read.ptr == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

Result<std::size_t> number_in(Variable const& variable, std::string const& name) {
    auto const text = variable(name);
    if (!text) {
        return Error{
            ErrorCode::invalid_value,
            fmt::format("shard: auto: {} is not set: this is no task of a Slurm job array; say --shard i/n", name)};
    }
    if (auto const value = count_in(*text)) return *value;
    return Error{ErrorCode::invalid_value, fmt::format("shard: auto: {}: '{}' is no number", name, printable(*text))};
}

} // namespace

Result<Shard> shard_in_array(std::string_view text, Variable const& variable) {
    constexpr std::string_view word = "auto";
    if (!text.starts_with(word)) return shard_of(text);
    auto const task = number_in(variable, "SLURM_ARRAY_TASK_ID");
    if (!task) return task.error();
    std::string_view const rest = text.substr(word.size());
    if (!rest.empty()) return shard_of(fmt::format("{}{}", *task, rest));
    auto const first = number_in(variable, "SLURM_ARRAY_TASK_MIN");
    if (!first) return first.error();
    auto const last = number_in(variable, "SLURM_ARRAY_TASK_MAX");
    if (!last) return last.error();
    auto const count = number_in(variable, "SLURM_ARRAY_TASK_COUNT");
    if (!count) return count.error();
    if (*first != 0 || *last + 1 != *count) {
        return Error{
            ErrorCode::invalid_value,
            fmt::format("shard: auto: the array has {} tasks from {} to {}, which does not say how many shards "
                        "there are: use --array=0-N, or say --shard auto/n",
                        *count, *first, *last)};
    }
    return shard_of(fmt::format("{}/{}", *task, *count));
}

} // namespace cax::study
