// Random instances with the distribution of rl4co's FJSP generator (its numbers, not its random stream).
#include "../errors.hpp"
#include "../fields.hpp"
#include "../text.hpp"
#include "problem.hpp"

#include "cax/problems/fjsp/instance.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace cax::fjsp {

std::vector<std::pair<std::string_view, std::string_view>> generator_options() {
    return {
        {"min-ops", "fewest operations of a job (4)"},
        {"max-ops", "most operations of a job (6); the instance is padded to jobs x max-ops"},
        {"min-time", "shortest time (1)"},
        {"max-time", "longest time (20)"},
        {"max-eligible", "most machines that can do an operation (all)"},
        {"same-mean", "1: the times of an operation lie within 20 % of a common mean; 0: they are independent (1)"},
    };
}

namespace {

constexpr std::size_t longest_drawn = 1'000'000; // whole numbers and their sums stay exact in float32 for a good while

struct DrawSettings {
    std::size_t jobs = 0;
    std::size_t machines = 0;
    std::size_t min_ops = 4;
    std::size_t max_ops = 6;
    std::size_t min_time = 1;
    std::size_t max_time = 20;
    std::size_t max_eligible = 0;
    std::size_t same_mean = 1;
};

Result<DrawSettings> parse_size(std::string_view size) {
    auto const cross = size.find('x');
    if (cross == std::string_view::npos) return invalid("size {} is not of the form JxM", quoted(size));
    auto const jobs = parse_count(size.substr(0, cross), "jobs", 1, max_operations);
    if (!jobs) return jobs.error();
    auto const machines = parse_count(size.substr(cross + 1), "machines", 1, max_machines);
    if (!machines) return machines.error();
    return DrawSettings{.jobs = *jobs, .machines = *machines, .max_eligible = *machines};
}

Result<void> parse_options(Options const& options, DrawSettings& s) {
    struct Entry {
        std::string_view name;
        std::size_t* place;
        std::size_t low;
        std::size_t high;
    };
    Entry const entries[] = {
        {"min-ops", &s.min_ops, 1, max_operations},       {"max-ops", &s.max_ops, 1, max_operations},
        {"min-time", &s.min_time, 1, longest_drawn},      {"max-time", &s.max_time, 1, longest_drawn},
        {"max-eligible", &s.max_eligible, 1, s.machines}, {"same-mean", &s.same_mean, 0, 1},
    };
    for (auto const& [name, text] : options) {
        auto const* const entry = std::ranges::find(entries, std::string_view(name), &Entry::name);
        if (entry == std::end(entries)) continue; // the caller has checked the names
        auto const value = parse_count(text, name, entry->low, entry->high);
        if (!value) return value.error();
        *entry->place = *value;
    }
    return {};
}

Result<void> check_settings(DrawSettings const& s) {
    if (s.min_ops > s.max_ops) return invalid("min-ops ({}) exceeds max-ops ({})", s.min_ops, s.max_ops);
    std::size_t const operations = s.jobs * s.max_ops;
    if (operations > max_operations) {
        return invalid("{} jobs of max-ops ({}) operations exceed {} operations", s.jobs, s.max_ops, max_operations);
    }
    if (s.machines * operations > max_time_entries) {
        return invalid("machines ({}) times operations ({}) exceeds {}", s.machines, operations, max_time_entries);
    }
    if (s.min_time > s.max_time) return invalid("min-time ({}) exceeds max-time ({})", s.min_time, s.max_time);
    if (s.same_mean == 1 && s.min_time == s.max_time) { // the mean is drawn below max-time
        return invalid("min-time and max-time are both {}, which needs same-mean=0", s.min_time);
    }
    return {};
}

/// A uniform set of `count` machines, in order.
std::vector<std::size_t> draw_machines(std::size_t count, std::size_t machines, Rng& rng) {
    std::vector<std::size_t> all(machines);
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + rng.below(machines - i)]);
    all.resize(count);
    std::ranges::sort(all);
    return all;
}

/// The times that an operation can take: low, low + stride, ...
struct TimeRange {
    std::size_t low = 0;
    std::size_t stride = 1;
    std::size_t choices = 1;
};

TimeRange draw_range(DrawSettings const& s, Rng& rng) {
    if (s.same_mean == 0) return {.low = s.min_time, .choices = s.max_time - s.min_time + 1};
    std::size_t const mean = s.min_time + rng.below(s.max_time - s.min_time);
    // In float32 and half to even (the default rounding mode), as upstream does it.
    auto const scaled = [mean](float factor) {
        return static_cast<std::size_t>(std::nearbyint(static_cast<float>(mean) * factor));
    };
    std::size_t const low = std::max(s.min_time, scaled(0.8F));
    std::size_t const values = std::min(s.max_time, scaled(1.2F)) - low + 1;
    // Upstream takes a 63-bit random integer modulo the number of values, in float32. Such a float32 is a multiple of a
    // large power of two, so the offsets are multiples of the largest power of two in the number of values: for 15..20,
    // the one case of the defaults, they are 15, 17 and 19.
    std::size_t const stride = values & (~values + 1);
    return {.low = low, .stride = stride, .choices = values / stride};
}

Operation draw_operation(DrawSettings const& s, Rng& rng) {
    std::size_t const count = 1 + rng.below(s.max_eligible);
    TimeRange const range = draw_range(s, rng);
    Operation operation;
    for (std::size_t const machine : draw_machines(count, s.machines, rng)) {
        operation.push_back({machine, static_cast<float>(range.low + range.stride * rng.below(range.choices))});
    }
    return operation;
}

} // namespace

Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) {
    auto settings = parse_size(size);
    if (!settings) return settings.error();
    if (auto const known =
            check_option_names(options, {"min-ops", "max-ops", "min-time", "max-time", "max-eligible", "same-mean"});
        !known) {
        return known.error();
    }
    if (auto const parsed = parse_options(options, *settings); !parsed) return parsed.error();
    if (auto const valid = check_settings(*settings); !valid) return valid.error();

    Data data{.machines = settings->machines, .padded_operations = settings->jobs * settings->max_ops};
    data.jobs.resize(settings->jobs);
    for (Job& job : data.jobs) {
        job.resize(settings->min_ops + rng.below(settings->max_ops - settings->min_ops + 1));
        for (Operation& operation : job) operation = draw_operation(*settings, rng);
    }
    auto made = Instance::make(std::move(data));
    if (!made) return made.error();
    return InstancePtr(*std::move(made));
}

} // namespace cax::fjsp
