#pragma once
// A routing problem: a table of fields, a few words, and what only this problem can say (the pure functions below).
// From these the kit makes everything that the seam asks of a problem with a depot and customers, but for what belongs
// to the problem alone: its generator, its text formats, its relaxations (pricing) and its solvers (questions).
#include "../member_capabilities.hpp"
#include "state.hpp"

#include "cax/core/json_fwd.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/noise.hpp"
#include "cax/problems/thumb.hpp"

namespace cax::routing {

/// How a problem's solutions, arrays and drawings look.
struct Look {
    std::span<FamilyWords const> families; ///< in the order of ProblemInfo::families
    NodeWords nodes = {};                  ///< what nodes are called, and whether node 0 is a depot
    bool one_tour = false;                 ///< a solution is one tour, not a list of routes
    bool depot_apart = true;               ///< in data sets, and as policies embed it
    std::size_t weight = 0;                ///< the field that a drawing shows as the size of a node
    std::vector<Scale> context{};          ///< of each scalar of the context; none where the list ends
    std::vector<std::string_view> arrays;  ///< a data set with these arrays ...
    std::vector<std::string_view>
        foreign{}; ///< ... and none of those is this problem's; JSON with such keys is another's
};

/// How an instance gets into the range that policies were trained on.
struct Rescaling {
    double scale = 1;  ///< of Scale::length
    double worth = 1;  ///< of Scale::worth
    bool move = false; ///< places into the corner at the origin, scaled
    std::string note;  ///< for the reader
};

/// One rule for the next customer: lower is better. The depot is left for when no customer is allowed.
struct CustomerRule {
    ThumbRule rule;
    double (*score)(State const& state, std::size_t customer);
};

class Problem : public cax::Problem,
                public Exchange,
                public Presentation,
                public Changes,
                public Noise,
                public RulesOfThumb {
public:
    [[nodiscard]] ProblemInfo const& info() const final { return info_; }
    [[nodiscard]] std::span<Field const> fields() const { return fields_; }
    [[nodiscard]] Look const& look() const { return look_; }
    [[nodiscard]] std::string name_of(std::size_t node) const { return node_name(node, look_.nodes); }
    /// Number of the first node with a row of features: the depot has none where it stands apart.
    [[nodiscard]] std::size_t first_row() const { return look_.depot_apart ? 1 : 0; }
    /// Validates everything; the error names node, field and value.
    [[nodiscard]] Result<InstancePtr> make(Numbers numbers, Origin origin = Origin::given) const;
    /// Names of options and the size are looked at here; draw() does the rest.
    [[nodiscard]] Result<InstancePtr> generate(std::string_view size, Options const& options, Rng& rng) const final;

    [[nodiscard]] Exchange const& exchange() const final { return *this; }
    [[nodiscard]] Presentation const& presentation() const final { return *this; }
    [[nodiscard]] Changes const* changes() const final { return this; }
    [[nodiscard]] Noise const* noise() const final { return this; }
    [[nodiscard]] RulesOfThumb const* thumb() const final { return this; }

    // Exchange.
    [[nodiscard]] Result<InstancePtr> from_json(Json const& json) const final;
    [[nodiscard]] Json to_json(cax::Instance const& instance) const final;
    [[nodiscard]] bool recognises(NamedTensors const& tensors) const final;
    [[nodiscard]] Result<std::vector<InstancePtr>> from_tensors(NamedTensors const& tensors) const final;
    [[nodiscard]] Result<NamedTensors> to_tensors(std::span<InstancePtr const> instances) const final;
    [[nodiscard]] Json solution_to_json(cax::Instance const& instance, Solution const& solution) const final;
    [[nodiscard]] Result<Solution> solution_from_json(cax::Instance const& instance, Json const& json) const final;
    [[nodiscard]] Result<std::vector<std::size_t>> actions(cax::Instance const& instance, Solution const& solution,
                                                           std::span<std::size_t const> like) const final;
    [[nodiscard]] NamedTensors tensors(cax::State const& state) const final;
    [[nodiscard]] std::vector<TensorCopy> copies(cax::State const& state) const final;

    // Presentation.
    [[nodiscard]] std::span<FamilyWords const> families() const final { return look_.families; }
    [[nodiscard]] std::string node_label(cax::Instance const& instance, std::size_t node) const final;
    [[nodiscard]] std::string node_short(cax::Instance const& instance, std::size_t node) const final;
    [[nodiscard]] std::size_t node_count(cax::Instance const& instance) const final;
    [[nodiscard]] std::optional<std::size_t> node_of(cax::State const& state, std::size_t action) const final;
    [[nodiscard]] std::string describe_action(cax::State const& state, std::size_t action) const final;
    [[nodiscard]] std::vector<Slack> slacks(cax::State const& state, std::size_t action) const final;
    [[nodiscard]] std::string describe_entry(cax::Instance const& instance, std::size_t tensor,
                                             std::size_t index) const final;
    [[nodiscard]] std::string change_words(cax::Instance const& instance, std::size_t tensor, std::size_t index,
                                           std::string_view from, std::string_view to) const final;
    [[nodiscard]] Json scene(cax::Instance const& instance) const final;
    [[nodiscard]] Json moment(cax::State const& state, std::span<std::size_t const> actions) const final;
    [[nodiscard]] Json mark(cax::State const& state, std::size_t action) const final;
    [[nodiscard]] Json drawing(cax::Instance const& instance, Solution const& solution) const final;
    [[nodiscard]] Result<InDomain> into_domain(InstancePtr const& instance) const final;

    // Changes.
    [[nodiscard]] Result<InstancePtr> changed(cax::Instance const& instance, Features const& change,
                                              ChangeKind kind) const final;
    [[nodiscard]] Adjustable adjustable(cax::Instance const& instance, ChangeKind kind) const final;
    [[nodiscard]] TensorUnits units(cax::Instance const& instance, std::size_t tensor) const final;
    [[nodiscard]] std::optional<std::string> envelope_violation(cax::State const& state, Features const& features,
                                                                Envelope rules) const final;
    [[nodiscard]] std::optional<std::size_t> place_tensor() const final { return 0; }

    // Noise. Error (unsupported) for problems whose states cannot be resumed (State::resumed).
    [[nodiscard]] Result<std::vector<NoiseUnit>> noise_units(cax::Instance const& instance) const final;
    [[nodiscard]] Result<StatePtr> disturbed(cax::State const& state, std::size_t family, double size,
                                             Rng& rng) const final;
    [[nodiscard]] Result<StatePtr> redrawn(cax::State const& state, std::size_t family, Rng& rng) const final;

    // Rules of thumb.
    [[nodiscard]] std::vector<ThumbRule> thumb_rules() const final;
    [[nodiscard]] std::vector<double> thumb_scores(cax::State const& state, std::size_t rule) const final;

protected:
    /// The tensors of `info` follow from the fields.
    Problem(ProblemInfo info, std::span<Field const> fields, Look look);

    /// A random instance with rl4co's distribution (its numbers, not its random stream). `size`: customers, and the
    /// depot where it does not stand apart. Only options of `info` are given.
    [[nodiscard]] virtual Result<InstancePtr> draw(std::size_t size, Options const& options, Rng& rng) const = 0;
    /// Of numbers that are valid.
    [[nodiscard]] virtual InstancePtr build(Numbers numbers) const = 0;
    /// What a drawing says about a node: "prize 0.4".
    [[nodiscard]] virtual std::vector<std::string> facts(Instance const& /*instance*/, std::size_t /*node*/) const {
        return {};
    }
    /// Rules of the envelope that no single field tells.
    [[nodiscard]] virtual std::optional<std::string> broken_envelope(Features const& /*features*/) const {
        return std::nullopt;
    }
    /// Those that need no more than places; problems with more to go by add theirs.
    [[nodiscard]] virtual std::vector<CustomerRule> customer_rules() const;
    /// Nothing if the instance is in the range that policies were trained on: the unit square, unless a problem says
    /// otherwise.
    [[nodiscard]] virtual std::optional<Rescaling> rescaling(Instance const& instance) const;

private:
    ProblemInfo info_;
    std::span<Field const> fields_;
    Look look_;
};

[[nodiscard]] Problem const& problem_of(cax::Instance const& instance);

/// A column of places anywhere in the unit square.
[[nodiscard]] std::vector<float> drawn_places(std::size_t nodes, Rng& rng);

/// What stands on members of the problem's own Instance `I`.
template <class I> class ProblemOf : public Problem {
public:
    using Problem::Problem;
    [[nodiscard]] Pricing const* pricing() const final { return &pricing_; }
    [[nodiscard]] Questions const* questions() const final { return &questions_; }
    [[nodiscard]] Completions const* completions() const final { return &completions_; }

private:
    [[nodiscard]] InstancePtr build(Numbers numbers) const final { return std::make_shared<I>(std::move(numbers)); }

    class Prices final : public MemberCompletions<I> {
        [[nodiscard]] ActionNumbers numbers(cax::State const& state, std::size_t action) const override {
            return static_cast<State const&>(state).numbers(action);
        }
    };
    MemberPricing<I> const pricing_{};
    MemberQuestions<I> const questions_{};
    Prices const completions_{};
};

} // namespace cax::routing
