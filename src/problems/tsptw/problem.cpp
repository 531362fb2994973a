#include "problem.hpp"

#include "../fields.hpp"
#include "../table/problem_of.hpp"
#include "fields.hpp"
#include "state.hpp"

#include "cax/problems/tsptw/instance.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax::tsptw {
namespace {

constexpr std::array<FamilyWords, 2> words{{
    {"time windows", "every customer is reached before its window closes"},
    {"distances", "every customer is visited, and how far that is", "places"},
}};

double window_of(routing::State const& state, std::size_t customer, std::size_t end) {
    return double{state.instance().numbers().columns[field_time_windows][2 * customer + end]};
}

class Tsptw final : public table::ProblemOf<Instance, routing::Problem> {
public:
    Tsptw()
        : ProblemOf({.name = "tsptw",
                     .title = "travelling salesman problem with time windows",
                     .cost_word = "length",
                     .node_word = "customer",
                     .default_size = "20",
                     .size_hint = "N",
                     .bound_option = "max-length",
                     .bound_help = "a tour of length at most L",
                     .bound_is_cost = true,
                     .may_be_unsolvable = true,
                     .families = {"time_window", "spatial"},
                     .tensors = {},
                     .generator_options = {{"hardness", "easy, medium or hard windows (default: hard, where "
                                                        "there is always a tour on time)"}}},
                    tsptw::fields,
                    {.families = words,
                     .depot_apart = false,
                     .context = {routing::Scale::length},
                     .arrays = {"locs", "time_windows"}},
                    {.one_tour = true}) {}

    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return tsptw::text_formats(); }

private:
    [[nodiscard]] Result<InstancePtr> draw(std::size_t size, Options const& options, Rng& rng) const override {
        return drawn_instance(size, options, rng);
    }
    [[nodiscard]] std::vector<std::string> facts(routing::Instance const& any, std::size_t node) const override {
        auto const [open, close] = static_cast<Instance const&>(any).data().time_windows[node];
        return {fmt::format("{} {} to {}", node == 0 ? "day" : "window", readable(open), readable(close))};
    }
    /// Nobody whose window closes before the straight way there is over can be visited in time.
    [[nodiscard]] std::optional<std::string> broken_envelope(Features const& features) const override {
        auto const& locs = features[field_locs].values;
        auto const& windows = features[field_time_windows].values;
        for (std::size_t i = 1; 2 * i < locs.size(); ++i) {
            double const way = std::hypot(locs[2 * i] - locs[0], locs[2 * i + 1] - locs[1]);
            if (windows[2 * i + 1] >= way * (1 - 1e-6)) continue;
            return fmt::format("customer {}: the window closes at {}, and the way there takes {}", i,
                               windows[2 * i + 1], way);
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<routing::CustomerRule> customer_rules() const override {
        return {{{"nearest", "going to the nearest customer"}, routing::nearest},
                {{"first-to-close", "going where the window closes first"},
                 [](routing::State const& s, std::size_t i) { return window_of(s, i, 1); }},
                {{"first-to-open", "going where the window opens first"},
                 [](routing::State const& s, std::size_t i) { return window_of(s, i, 0); }},
                {{"soonest", "going where the visit can begin soonest"}, [](routing::State const& s, std::size_t i) {
                     return double{static_cast<State const&>(s).start_at(i)};
                 }}};
    }
};

} // namespace

Problem const& problem() {
    static Tsptw const instance;
    return instance;
}

} // namespace cax::tsptw
