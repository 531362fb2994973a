#pragma once
// A problem on the table: one row per field, a few words, and what only this problem can say (the functions
// below). From these the kit makes files, arrays, changed instances, wrong data, and words for every entry. What a
// solution is, how it is drawn, and the solvers are the business of whoever stands on it: the routing kit, knapsack.
#include "state.hpp"

#include "cax/core/json_fwd.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/noise.hpp"

namespace cax::table {

/// How a problem's nodes and arrays look.
struct Look {
    std::span<FamilyWords const> families{}; ///< in the order of ProblemInfo::families
    NodeWords nodes = {};                    ///< what nodes are called, and whether node 0 is a depot
    bool depot_apart = true;                 ///< in data sets, and as policies embed it
    std::vector<Scale> context{};            ///< of each scalar of the context; none where the list ends
    std::vector<std::string_view> arrays{};  ///< a data set with these arrays, and no foreign one, is this problem's
    /// Arrays that mean a problem which cax does not know. Those of the problems that it knows need not be listed.
    std::vector<std::string_view> foreign{};
};

class Problem : public cax::Problem, public Exchange, public Presentation, public Changes, public Noise {
public:
    [[nodiscard]] ProblemInfo const& info() const final { return info_; }
    [[nodiscard]] std::span<Field const> fields() const { return fields_; }
    [[nodiscard]] Look const& look() const { return look_; }
    [[nodiscard]] std::string name_of(std::size_t node) const { return node_name(node, look_.nodes); }
    /// Number of the first node with a row of features: the depot has none where it stands apart.
    [[nodiscard]] std::size_t first_row() const { return look_.depot_apart ? 1 : 0; }
    /// Does this key of a file, or name of an array, belong to another problem? To one of the registry that has such a
    /// field where this one has none: what is read here would lose it.
    [[nodiscard]] bool is_foreign(std::string_view key) const;
    /// Validates everything; the error names node, field and value.
    [[nodiscard]] Result<InstancePtr> make(Numbers numbers, Origin origin = Origin::given) const;

    [[nodiscard]] Exchange const& exchange() const final { return *this; }
    [[nodiscard]] Presentation const& presentation() const final { return *this; }
    [[nodiscard]] Changes const* changes() const override { return this; }
    [[nodiscard]] Noise const* noise() const override { return this; }

    // Exchange.
    [[nodiscard]] Result<InstancePtr> from_json(Json const& json) const final;
    [[nodiscard]] Json to_json(cax::Instance const& instance) const final;
    [[nodiscard]] bool recognises(NamedTensors const& tensors) const final;
    [[nodiscard]] Result<std::vector<InstancePtr>> from_tensors(NamedTensors const& tensors) const final;
    [[nodiscard]] Result<NamedTensors> to_tensors(std::span<InstancePtr const> instances) const final;
    [[nodiscard]] NamedTensors tensors(cax::State const& state) const final {
        return static_cast<State const&>(state).tensors();
    }

    // Presentation.
    [[nodiscard]] std::span<FamilyWords const> families() const final { return look_.families; }
    [[nodiscard]] std::string node_label(cax::Instance const&, std::size_t node) const final { return name_of(node); }
    [[nodiscard]] std::string node_short(cax::Instance const& instance, std::size_t node) const final;
    [[nodiscard]] std::size_t node_count(cax::Instance const& any) const final {
        return static_cast<Instance const&>(any).nodes();
    }
    [[nodiscard]] std::optional<std::size_t> node_of(cax::State const&, std::size_t action) const final {
        return action;
    }
    [[nodiscard]] std::vector<Slack> slacks(cax::State const& state, std::size_t action) const final {
        return static_cast<State const&>(state).slacks(action);
    }
    [[nodiscard]] std::string describe_entry(cax::Instance const& instance, std::size_t tensor,
                                             std::size_t index) const final;
    [[nodiscard]] std::string change_words(cax::Instance const& instance, std::size_t tensor, std::size_t index,
                                           std::string_view from, std::string_view to) const final;

    // Changes.
    [[nodiscard]] Result<InstancePtr> changed(cax::Instance const& instance, Features const& change,
                                              ChangeKind kind) const final;
    [[nodiscard]] Adjustable adjustable(cax::Instance const& instance, ChangeKind kind) const final;
    [[nodiscard]] TensorUnits units(cax::Instance const& instance, std::size_t tensor) const final;
    [[nodiscard]] std::optional<std::string> envelope_violation(cax::State const& state, Features const& features,
                                                                Envelope rules) const final;

    // Noise.
    [[nodiscard]] Result<std::vector<NoiseUnit>> noise_units(cax::Instance const& instance) const final;
    [[nodiscard]] Result<StatePtr> disturbed(cax::State const& state, std::size_t family, double size,
                                             Rng& rng) const final;
    [[nodiscard]] Result<StatePtr> redrawn(cax::State const& state, std::size_t family, Rng& rng) const final;

protected:
    /// The tensors of `info` follow from the fields.
    Problem(ProblemInfo info, std::span<Field const> fields, Look look);

    /// Of numbers that are valid.
    [[nodiscard]] virtual InstancePtr build(Numbers numbers) const = 0;
    /// Rules of the envelope that no single field tells.
    [[nodiscard]] virtual std::optional<std::string> broken_envelope(Features const& /*features*/) const {
        return std::nullopt;
    }

private:
    ProblemInfo info_;
    std::span<Field const> fields_;
    Look look_;
};

/// The problem that an instance belongs to.
[[nodiscard]] Problem const& table_of(cax::Instance const& instance);

} // namespace cax::table
