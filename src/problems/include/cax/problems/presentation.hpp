#pragma once
// How a problem is shown to people: words for its rules and nodes, the shapes that a drawing needs, and instances of
// other units brought into the range that policies were trained on. Every problem has this.
//
// Drawings are plain data for the report: a scene (what is given), a moment (what has been decided), a mark (where one
// action leads), a drawing (a finished solution). There are three kinds of scene. All numbers are the instance's own.
//
//   routes    scene {kind, weight_word, nodes: [{node, label, short, x, y, depot, weight, window?, facts}]}
//             moment {at, clock?, done, paths}   mark {node, from, arrival?}   drawing {paths}
//   schedule  scene {kind, machines, operations: [{node, label, short, job, position, facts}]}
//             moment {clock, done, bars, queues} mark {node, machine, start, end}   drawing {bars}
//   packing   scene {kind, weight_word, resources: [{label, limit, tensor}], nodes: [{node, label, short, worth, takes,
//   weight,
//             facts}]}
//             moment {done, packed, used}   mark {node, used}   drawing {packed, used}
//
// weight is in 0..1; a path is a list of nodes; a bar is {node, machine, start, end}; a queue is {machine, free_at,
// nodes}, the operations that could start on the machine now; `takes` and `used` have a number per resource, and a
// mark's is what is used with the item.
#include "cax/core/json_fwd.hpp"
#include "cax/problems/problem.hpp"

namespace cax {

/// How tight one rule is for one action in one state. slack = limit - used, or whatever is left; negative = broken.
struct Slack {
    std::size_t family = 0;
    std::string rule; ///< in words: "load on arrival", "arrival before the window closes"
    double used = 0;
    double limit = 0;
    double slack = 0;
    bool by_nature = false; ///< no number could be otherwise: the machine cannot do the operation
};

struct FamilyWords {
    std::string_view label;  ///< "time windows"
    std::string_view hint;   ///< what a newcomer needs: "every customer is reached before its window closes"
    std::string_view data{}; ///< what its numbers are called, if not by the label: "demands"
};

/// An instance that is shown to policies in the units that they know. Its own numbers stay.
struct InDomain {
    InstancePtr instance; ///< the very same one if nothing had to be done
    double scale = 1;     ///< policies are shown lengths and times multiplied by this
    std::string note;     ///< one sentence for the reader; empty if nothing was done
};

/// Preconditions: instances, states and solutions belong to the presentation's problem.
class Presentation {
public:
    virtual ~Presentation() = default;
    /// In the order of ProblemInfo::families.
    [[nodiscard]] virtual std::span<FamilyWords const> families() const = 0;
    /// "customer 17", "operation 2 of job 3".
    [[nodiscard]] virtual std::string node_label(Instance const& instance, std::size_t node) const = 0;
    /// The same as short as a drawing needs it: "17", "depot", "3.2".
    [[nodiscard]] virtual std::string node_short(Instance const& instance, std::size_t node) const = 0;
    [[nodiscard]] virtual std::size_t node_count(Instance const& instance) const = 0;
    /// The node that an action is about; nothing for waiting.
    [[nodiscard]] virtual std::optional<std::size_t> node_of(State const& state, std::size_t action) const = 0;

    /// "visit customer 17", "put operation 2 of job 3 on machine 4".
    [[nodiscard]] virtual std::string describe_action(State const& state, std::size_t action) const = 0;
    /// How tight each rule is if `action` is taken now.
    [[nodiscard]] virtual std::vector<Slack> slacks(State const& state, std::size_t action) const = 0;
    /// What an entry of a feature tensor is, in words that "from .. to .." can follow: "customer 17: window closes".
    [[nodiscard]] virtual std::string describe_entry(Instance const& instance, std::size_t tensor,
                                                     std::size_t index) const = 0;
    /// One changed feature, to follow "if": "customer 17's window closed at 220 instead of 232". `from` and `to` are
    /// the values in the instance's units (units_of()), written out.
    [[nodiscard]] virtual std::string change_words(Instance const& instance, std::size_t tensor, std::size_t index,
                                                   std::string_view from, std::string_view to) const = 0;

    [[nodiscard]] virtual Json scene(Instance const& instance) const = 0;
    /// `actions` are those that led to the state.
    [[nodiscard]] virtual Json moment(State const& state, std::span<std::size_t const> actions) const = 0;
    [[nodiscard]] virtual Json mark(State const& state, std::size_t action) const = 0;
    [[nodiscard]] virtual Json drawing(Instance const& instance, Solution const& solution) const = 0;

    /// Has policies shown an instance whose numbers lie outside the generator's range (a Solomon horizon of 1236 where
    /// they saw 480) as if it lay inside. States, costs, words and files keep the instance's numbers.
    [[nodiscard]] virtual Result<InDomain> into_domain(InstancePtr const& instance) const = 0;
};

[[nodiscard]] std::string describe_action(State const& state, std::size_t action);
[[nodiscard]] std::vector<Slack> slacks_of(State const& state, std::size_t action);

} // namespace cax
