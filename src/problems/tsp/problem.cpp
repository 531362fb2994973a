#include "problem.hpp"

#include "../fields.hpp"
#include "../member_capabilities.hpp"
#include "../routing/detour.hpp"
#include "../routing/drawing.hpp"
#include "../routing/thumb.hpp"
#include "fields.hpp"

#include "cax/problems/tsp/instance.hpp"

namespace cax::tsp {
namespace {

constexpr std::array<FamilyWords, 1> words{{{"distances", "every city is visited, and how far that is", "places"}}};

class Tsp final : public routing::Problem {
public:
    Tsp()
        : routing::Problem({.name = "tsp",
                            .title = "travelling salesman problem",
                            .objective = Objective::minimise,
                            .cost_word = "length",
                            .node_word = "city",
                            .default_size = "20",
                            .size_hint = "N",
                            .bound_option = "max-length",
                            .bound_help = "a tour of length at most L",
                            .bound_is_cost = true,
                            .families = {"spatial"},
                            .tensors = {},
                            .generator_options = {}},
                           tsp::fields,
                           {.families = words,
                            .nodes = {.depot = false, .one = "city", .many = "cities"},
                            .one_tour = true,
                            .depot_apart = false,
                            .arrays = {"locs"},
                            .foreign = {"depot", "demand", "prize", "time_windows", "num_agents"}}) {}

    /// rl4co's distribution: every city anywhere in the unit square.
    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const override {
        if (auto ok = check_option_names(options, {}); !ok) return ok.error();
        auto const cities = parse_count(size, "size", 2, routing::max_nodes);
        if (!cities) return cities.error();
        routing::Numbers numbers{.columns = {{}}};
        for (std::size_t i = 0; i < 2 * *cities; ++i) {
            numbers.columns[field_locs].push_back(static_cast<float>(rng.uniform()));
        }
        return make(std::move(numbers));
    }
    [[nodiscard]] std::span<TextFormat const> text_formats() const override { return tsp::text_formats(); }
    [[nodiscard]] Pricing const* pricing() const override { return &pricing_; }
    [[nodiscard]] Questions const* questions() const override { return &questions_; }
    [[nodiscard]] Completions const* completions() const override { return &completions_; }

private:
    [[nodiscard]] InstancePtr build(routing::Numbers numbers) const override {
        return std::make_shared<Instance>(std::move(numbers));
    }
    [[nodiscard]] std::vector<std::string> facts(routing::Instance const&, std::size_t) const override { return {}; }
    [[nodiscard]] std::optional<std::string> broken_envelope(Features const&) const override { return std::nullopt; }
    /// Places are all there is to go by.
    [[nodiscard]] std::vector<routing::CustomerRule> customer_rules() const override {
        return {{{"nearest", "going to the nearest city"}, routing::nearest},
                {{"detour", "going where the detour on the way back is shortest"}, routing::smallest_detour}};
    }
    [[nodiscard]] std::optional<routing::Rescaling> rescaling(routing::Instance const& instance) const override {
        return routing::into_unit_square(instance);
    }

    MemberPricing<Instance> const pricing_{};
    MemberQuestions<Instance> const questions_{};
    routing::DetourPrices<Instance> const completions_{};
};

} // namespace

routing::Problem const& problem() {
    static Tsp const instance;
    return instance;
}

} // namespace cax::tsp
