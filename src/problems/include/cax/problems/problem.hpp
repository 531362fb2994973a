#pragma once
// The seam between problems and everything above them. Three interfaces: a Problem makes Instances, an Instance makes
// States, a State offers actions. Nothing above this header names a particular problem; docs/howto/add-a-problem.md
// says what one writes to add a fourth.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"
#include "cax/core/rng.hpp"
#include "cax/core/tensor.hpp"
#include "cax/problems/lagrangian.hpp"
#include "cax/problems/observation.hpp"
#include "cax/problems/question.hpp"
#include "cax/problems/search.hpp"
#include "cax/problems/solution.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cax {

class LinearProgram;
struct DecisionModel;
class Problem;
class Instance;
class State;
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
};

/// What is fixed for a problem, whatever the instance.
struct ProblemInfo {
    std::string_view name;  ///< "cvrptw"
    std::string_view title; ///< "capacitated vehicle routing with time windows"
    Objective objective = Objective::minimise;
    std::string_view cost_word;    ///< "length", "prize", "makespan"
    std::string_view node_word;    ///< "customer", "operation"
    std::string_view default_size; ///< "50", "20", "10x5"
    std::string_view size_hint;    ///< how a size is written: "N", "JxM"
    std::string_view bound_option; ///< the scarce resource as an option's name: "fleet", "horizon", "min-prize"
    std::string_view bound_help;   ///< what bounding it asks: "at most K vehicles"
    bool bound_is_cost = false;    ///< what is bounded is the cost itself: a makespan is, a fleet is not
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

/// How tight one rule is for one action in one state. slack = limit - used, or whatever is left; negative = broken.
struct Slack {
    std::size_t family = 0;
    std::string rule; ///< in words: "load on arrival", "arrival before the window closes"
    double used = 0;
    double limit = 0;
    double slack = 0;
};

/// Which rules changed feature values have to keep: those of the paper, or what its published code makes of them.
enum class Envelope { paper, published };

/// What a change to an instance moves. `features`: the tensors as a policy reads them; one that is derived from others
/// takes its change as an offset. `primitive`: only what the instance really contains, and the rest is derived anew.
enum class ChangeKind { features, primitive };

/// How a person reads and writes the numbers of one feature tensor of an instance.
struct TensorUnits {
    double scale = 1;           ///< shown value = scale * feature value (a demand of 0.25 is 10 of 40)
    double grain = 0;           ///< the smallest step that a person would ask for, as a feature value
    bool whole_numbers = false; ///< the instance holds whole numbers; the published code truncates changed ones
    std::string_view unit;      ///< of the shown value
};

struct StateOptions {
    bool allow_waiting = false; ///< scheduling: offer "wait" while a job is in process (rl4co's mask_no_ops = false)
    /// Where encoder inputs change during an episode (scheduling): observations show the encoder the reset state, as
    /// rl4co's own loop does, and only the decoder the current one.
    bool encode_once = false;
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

    /// Every tensor of the state under rl4co's name, without the batch dimension. `done` has shape [1].
    [[nodiscard]] virtual NamedTensors tensors() const = 0;

    /// The feature tensors as they stand in this state.
    [[nodiscard]] virtual Features features() const = 0;
    /// What a policy sees if the feature tensors are `features` and everything else is as it is ("frozen").
    [[nodiscard]] virtual Observation observe(Features const& features) const = 0;
    [[nodiscard]] Observation observe() const { return observe(features()); }
    /// The same without what only an encoder reads (node features): cheap, for decoding with an encoding at hand.
    [[nodiscard]] virtual Observation observe_for_decoding() const { return observe(); }
    /// Maps a gradient with respect to the observation to one with respect to the feature tensors.
    [[nodiscard]] virtual Features pull_back(Observation const& gradient) const = 0;
    /// The arithmetic envelope: why these feature values cannot belong to an instance, or nothing if they can.
    [[nodiscard]] virtual std::optional<std::string> envelope_violation(Features const& features,
                                                                        Envelope rules = Envelope::paper) const = 0;
    /// 1 for every node whose features no longer matter because it has been dealt with, and whose gradients are
    /// artefacts; empty if this problem has no such nodes. Attributions leave them out.
    [[nodiscard]] virtual std::vector<std::uint8_t> spent_nodes() const { return {}; }

    /// How tight each rule is if `action` is taken now.
    [[nodiscard]] virtual std::vector<Slack> slacks(std::size_t action) const = 0;
    /// "visit customer 17", "put operation 2 of job 3 on machine 4".
    [[nodiscard]] virtual std::string describe_action(std::size_t action) const = 0;
};

/// What is given: immutable, validated once where it is built.
class Instance : public std::enable_shared_from_this<Instance> {
public:
    virtual ~Instance() = default;
    [[nodiscard]] virtual Problem const& problem() const = 0;
    [[nodiscard]] virtual std::string name() const = 0;        ///< from the file, may be empty
    [[nodiscard]] virtual std::string size() const = 0;        ///< "50", "10x5"
    [[nodiscard]] virtual std::string description() const = 0; ///< one line for a person
    [[nodiscard]] virtual Json to_json() const = 0;

    [[nodiscard]] virtual StatePtr reset(StateOptions const& options = {}) const = 0;
    /// The forced first moves of a multi-start decode; empty means rl4co draws them at random from the allowed ones.
    [[nodiscard]] virtual std::vector<std::size_t> start_actions() const = 0;

    /// The solution that a finished episode describes. Replays it. Error if an action is out of range or it is not
    /// done.
    [[nodiscard]] virtual Result<Solution> solution_of(std::span<std::size_t const> actions) const = 0;
    [[nodiscard]] virtual CheckReport check(Solution const& solution,
                                            DistanceRule rule = DistanceRule::exact) const = 0;
    /// {"routes": ...}, {"tour": ...} or {"schedule": ...}: the keys of best-known files.
    [[nodiscard]] virtual Json solution_to_json(Solution const& solution) const = 0;
    [[nodiscard]] virtual Result<Solution> solution_from_json(Json const& json) const = 0;

    /// This instance with the features of its reset state moved by `change` (same shapes, rounded to float32); what
    /// derives from them follows. Entries that are not adjustable are not looked at. Error if there is no such
    /// instance.
    [[nodiscard]] virtual Result<InstancePtr> changed(Features const& change,
                                                      ChangeKind kind = ChangeKind::features) const = 0;
    /// 1 for every feature entry that changed() can move, 0 for what does not exist (a depot's prize, a machine that
    /// cannot do the operation) or follows from others. One list per tensor.
    [[nodiscard]] virtual std::vector<std::vector<std::uint8_t>>
    adjustable(ChangeKind kind = ChangeKind::features) const = 0;
    [[nodiscard]] virtual TensorUnits units(std::size_t tensor) const = 0;
    /// What an entry is, in words that "from .. to .." can follow: "customer 17: window closes".
    [[nodiscard]] virtual std::string describe_entry(std::size_t tensor, std::size_t index) const = 0;

    /// The problem's own classical search. Anytime, seeded; what it returns has been checked. Error if nobody has
    /// written one for this problem.
    [[nodiscard]] virtual Result<SearchResult> search(SearchOptions const& options) const;
    /// The cost of every solution is a whole multiple of this number; 0 where no such number is known. What lies
    /// between two costs is then known to be empty, and a search can be proven to have ended.
    [[nodiscard]] virtual double cost_grain() const { return 0; }

    /// The question as a constraint model. Error if nobody has written one for this problem, or the question makes no
    /// sense for this instance (a negative bound, a prefix that is not allowed).
    [[nodiscard]] virtual Result<DecisionModel> decision_model(Question const& question, Rounding rounding) const;
    /// Does the solution answer the question? From the definition, in double precision, by no solver and sharing no
    /// code with decision_model(): this is what makes a witness a certificate.
    [[nodiscard]] virtual CheckReport check_answer(Solution const& solution, Question const& question) const;

    /// The linear relaxation of the reset state, every row tagged with its family (an index into
    /// ProblemInfo::families). Error if the instance is too large for one.
    [[nodiscard]] virtual Result<LinearProgram> relaxation() const = 0;
    /// The Lagrangian relaxation that the paper's subgradient control climbs on. It copies what it needs.
    [[nodiscard]] virtual std::unique_ptr<LagrangianRelaxation> lagrangian() const = 0;
};

/// Options of a reader or generator, by name; unknown names are an error.
using Options = std::map<std::string, std::string, std::less<>>;

/// A text format in which others write this problem's instances.
struct TextFormat {
    std::string_view name;      ///< "solomon"
    std::string_view extension; ///< ".txt"
    bool (*recognises)(std::string_view text);
    Result<InstancePtr> (*read)(std::string_view text, Options const& options);
    Result<std::string> (*write)(Instance const& instance);
};

/// A factory of instances. One object per problem, in the registry.
class Problem {
public:
    virtual ~Problem() = default;
    [[nodiscard]] virtual ProblemInfo const& info() const = 0;

    [[nodiscard]] virtual Result<InstancePtr> from_json(Json const& json) const = 0;
    /// Do these arrays (an rl4co data set) describe this problem?
    [[nodiscard]] virtual bool recognises(NamedTensors const& tensors) const = 0;
    [[nodiscard]] virtual Result<std::vector<InstancePtr>> from_tensors(NamedTensors const& tensors) const = 0;
    /// rl4co's data set of instances of one size; error if the sizes differ.
    [[nodiscard]] virtual Result<NamedTensors> to_tensors(std::span<InstancePtr const> instances) const = 0;
    [[nodiscard]] virtual std::span<TextFormat const> text_formats() const = 0;

    /// A random instance with rl4co's distribution. `size` as in ProblemInfo::size_hint.
    [[nodiscard]] virtual Result<InstancePtr> generate(std::string_view size, Options const& options,
                                                       Rng& rng) const = 0;
};

} // namespace cax
