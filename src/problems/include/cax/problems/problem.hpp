#pragma once
// The seam between problems and everything above them. Three interfaces: a Problem makes Instances, an Instance makes
// States, a State offers actions. What only some methods need of a problem hangs on Problem by topic (exchange,
// presentation, changes, pricing, questions, noise, completions, thumb). Nothing above this header names a particular
// problem; docs/howto/add-a-problem.md tells how one was added.
#include "cax/core/names.hpp"
#include "cax/core/result.hpp"
#include "cax/core/rng.hpp"
#include "cax/core/tensor.hpp"
#include "cax/problems/observation.hpp"
#include "cax/problems/solution.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

class Problem;
class Instance;
class State;
class Exchange;
class Presentation;
class Changes;
class Pricing;
class Questions;
class Noise;
class Completions;
class RulesOfThumb;
using InstancePtr = std::shared_ptr<Instance const>;
using StatePtr = std::unique_ptr<State>;

enum class Objective { minimise, maximise };

/// One feature tensor of the problem, under rl4co's name.
struct TensorInfo {
    std::string_view name;
    std::size_t family = 0;      ///< index into ProblemInfo::families
    double budget = 0;           ///< counterfactual budget rho: how far an entry may move, in the tensor's own units
    std::size_t node_axis = 0;   ///< which axis of the shape runs over nodes
    std::size_t node_offset = 0; ///< node = index along that axis + offset (demand has no depot entry: 1)
    std::string_view unit;       ///< what a person would call the unit: "time", "fraction of capacity", ...
    bool derived = false;        ///< follows from the other tensors: nobody can change it alone
    /// A node whose entries constrain nothing (a depot's window that is but the unit of all others): attributions leave
    /// them out.
    std::optional<std::size_t> unit_node{};
};

/// What is fixed for a problem, whatever the instance.
struct ProblemInfo {
    std::string_view name;  ///< "cvrptw"
    std::string_view title; ///< "capacitated vehicle routing with time windows"
    Objective objective = Objective::minimise;
    std::string_view cost_word;     ///< "length", "prize", "makespan"
    std::string_view node_word;     ///< "customer", "operation"
    std::string_view default_size;  ///< "50", "20", "10x5"
    std::string_view size_hint;     ///< how a size is written: "N", "JxM"
    std::string_view bound_option;  ///< the scarce resource as an option's name: "fleet", "horizon", "min-prize"
    std::string_view bound_help;    ///< what bounding it asks: "at most K vehicles"
    bool bound_is_cost = false;     ///< what is bounded is the cost itself: a makespan is, a fleet is not
    std::string_view cost_option{}; ///< where it is not, and the cost can be bounded as well: that option's name
    std::string_view cost_help{};   ///< what it asks: "a length of at most L"
    /// An instance need not have a solution: whether there is one is a question, and the environment lets episodes
    /// break rules, which the checker then tells.
    bool may_be_unsolvable = false;
    std::vector<std::string_view> families; ///< constraint families, in the paper's order
    std::vector<TensorInfo> tensors;        ///< feature tensors, in the paper's order
    std::vector<std::pair<std::string_view, std::string_view>> generator_options; ///< name, what it does
};

/// One feature tensor's values (or, with the same shape, their gradient).
struct Feature {
    Shape shape;
    std::vector<double> values;
};
/// All feature tensors of a state, in the order of ProblemInfo::tensors.
using Features = std::vector<Feature>;

/// What a policy's encoder is shown where its inputs change during an episode (scheduling).
enum class EncodeMode {
    once,      ///< the reset state, as in rl4co's own loop; only the decoder sees the current one
    each_step, ///< the state as it is
};
[[nodiscard]] NameTable<EncodeMode> names_of(EncodeMode);

struct StateOptions {
    bool allow_waiting = false; ///< scheduling: offer "wait" while a job is in process (rl4co's mask_no_ops = false)
    EncodeMode encode = EncodeMode::each_step;
};

/// What has been decided so far and what may be decided next. Transitions are float32 and agree with rl4co's bit for
/// bit. Copy it with clone() to try something.
class State {
public:
    virtual ~State() = default;
    [[nodiscard]] virtual StatePtr clone() const = 0;
    [[nodiscard]] virtual Instance const& instance() const = 0;

    [[nodiscard]] virtual std::span<std::uint8_t const> action_mask() const = 0;
    [[nodiscard]] virtual bool done() const = 0;
    /// Takes an action. Only the range is a precondition: as in rl4co, forced first moves are taken without a look at
    /// the mask. A finished state stays finished (action 0).
    virtual void step(std::size_t action) = 0;
    /// Cost of the finished episode in double precision (length, prize, makespan). Precondition: done().
    [[nodiscard]] virtual double cost() const = 0;

    /// The feature tensors as they stand in this state.
    [[nodiscard]] virtual Features features() const = 0;
    /// What a policy sees if the feature tensors are `features` and everything else is as it is ("frozen").
    [[nodiscard]] virtual Observation observe(Features const& features) const = 0;
    [[nodiscard]] Observation observe() const { return observe(features()); }
    /// The same without what only an encoder reads (node features): cheap, for decoding with an encoding at hand.
    [[nodiscard]] virtual Observation observe_for_decoding() const { return observe(); }
    /// Maps a gradient with respect to the observation to one with respect to the feature tensors.
    [[nodiscard]] virtual Features pull_back(Observation const& gradient) const = 0;
    /// The same for a number that a policy sees and that is no feature, because nothing may move it; empty if there is
    /// none of this name.
    [[nodiscard]] virtual std::vector<double> pull_back_constant(std::string_view, Observation const&) const {
        return {};
    }
    /// 1 for every node whose features no longer matter because it has been dealt with, and whose gradients are
    /// artefacts; empty if this problem has no such nodes. Attributions leave them out.
    [[nodiscard]] virtual std::vector<std::uint8_t> spent_nodes() const { return {}; }
};

/// What is given: immutable, validated once where it is built.
class Instance : public std::enable_shared_from_this<Instance> {
public:
    virtual ~Instance() = default;
    [[nodiscard]] virtual Problem const& problem() const = 0;
    [[nodiscard]] virtual std::string name() const = 0;        ///< from the file, may be empty
    [[nodiscard]] virtual std::string size() const = 0;        ///< "50", "10x5"
    [[nodiscard]] virtual std::string description() const = 0; ///< one line for a person

    [[nodiscard]] virtual StatePtr reset(StateOptions const& options = {}) const = 0;
    /// The forced first moves of a multi-start decode; empty means rl4co draws them at random from the allowed ones.
    [[nodiscard]] virtual std::vector<std::size_t> start_actions() const = 0;

    /// The solution that a finished episode describes. Replays it. Error if an action is out of range or it is not
    /// done.
    [[nodiscard]] virtual Result<Solution> solution_of(std::span<std::size_t const> actions) const = 0;
    [[nodiscard]] virtual CheckReport check(Solution const& solution,
                                            DistanceRule rule = DistanceRule::exact) const = 0;
};

/// Options of a reader or generator, by name; unknown names are an error.
using Options = std::map<std::string, std::string, std::less<>>;

/// What is fixed for a problem, and a factory of instances. One object per problem, in the registry. Beyond that it
/// offers capabilities by topic, each in a header of its own. Two are there for every problem, because nothing could be
/// read or shown without them; the others may be missing, and what needs them then says so (ErrorCode::unsupported)
/// while everything else works.
class Problem {
public:
    virtual ~Problem() = default;
    [[nodiscard]] virtual ProblemInfo const& info() const = 0;
    /// A random instance with rl4co's distribution. `size` as in ProblemInfo::size_hint.
    [[nodiscard]] virtual Result<InstancePtr> generate(std::string_view size, Options const& options,
                                                       Rng& rng) const = 0;

    [[nodiscard]] virtual Exchange const& exchange() const = 0;              ///< files and arrays: exchange.hpp
    [[nodiscard]] virtual Presentation const& presentation() const = 0;      ///< words and drawings: presentation.hpp
    [[nodiscard]] virtual Changes const* changes() const { return nullptr; } ///< changed instances: changes.hpp
    [[nodiscard]] virtual Pricing const* pricing() const { return nullptr; } ///< relaxations: pricing.hpp
    [[nodiscard]] virtual Questions const* questions() const { return nullptr; }     ///< solvers: questions.hpp
    [[nodiscard]] virtual Noise const* noise() const { return nullptr; }             ///< wrong data: noise.hpp
    [[nodiscard]] virtual Completions const* completions() const { return nullptr; } ///< prices: completions.hpp
    [[nodiscard]] virtual RulesOfThumb const* thumb() const { return nullptr; }      ///< simple rules: thumb.hpp
};

/// "there is no linear relaxation for tsp", as an error.
[[nodiscard]] Error missing_capability(Problem const& problem, std::string_view what);

} // namespace cax
