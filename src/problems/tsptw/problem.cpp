#include "problem.hpp"

#include "../fields.hpp"
#include "../member_capabilities.hpp"
#include "../routing/detour.hpp"
#include "../routing/drawing.hpp"
#include "../routing/thumb.hpp"
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

class Prices final : public routing::DetourPrices<Instance> {
public:
    [[nodiscard]] ActionNumbers numbers(cax::State const& any, std::size_t action) const override {
        auto numbers = DetourPrices::numbers(any, action);
        if (action > 0) numbers.start = static_cast<State const&>(any).start_at(action);
        return numbers;
    }
};

double window_of(routing::State const& state, std::size_t customer, std::size_t end) {
    return double{state.instance().numbers().columns[field_time_windows][2 * customer + end]};
}

class Tsptw final : public routing::Problem {
public:
    Tsptw()
        : routing::Problem({.name = "tsptw",
                            .title = "travelling salesman problem with time windows",
                            .objective = Objective::minimise,
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
                            .one_tour = true,
                            .depot_apart = false,
                            .context = {routing::Scale::length},
                            .arrays = {"locs", "time_windows"},
                            .foreign = {"depot", "demand", "durations", "service"}}) {}

    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const override {
        return tsptw::generate(size, options, rng);
    }
    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return tsptw::text_formats(); }
    [[nodiscard]] Pricing const* pricing() const override { return &pricing_; }
    [[nodiscard]] Questions const* questions() const override { return &questions_; }
    [[nodiscard]] Completions const* completions() const override { return &completions_; }

private:
    [[nodiscard]] InstancePtr build(routing::Numbers numbers) const override {
        return std::make_shared<Instance>(std::move(numbers));
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
    [[nodiscard]] std::optional<routing::Rescaling> rescaling(routing::Instance const& instance) const override {
        return routing::into_unit_square(instance);
    }

    MemberPricing<Instance> const pricing_{};
    MemberQuestions<Instance> const questions_{};
    Prices const completions_{};
};

} // namespace

routing::Problem const& problem() {
    static Tsptw const instance;
    return instance;
}

} // namespace cax::tsptw
