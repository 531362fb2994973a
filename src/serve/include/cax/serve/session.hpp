#pragma once
// One person's what-ifs about one instance: a history of edits and of decisions insisted on, and the policy's plan for
// each. Requests come in as values, answers go out as JSON; nothing here knows where they come from.
//
// Every answer of an ordered request has {sequence, status}. `ok`: it also has {record, live}, a whole
// cax/explanation/1 of the plan as it is now and what can be done with it. `refused`: there is no such plan, `words`
// say why, and nothing has changed. `stale`: a later request has been seen, or came first. `failed`: a policy that is
// not ours broke.
//
// While a hand moves (drag), a plan costs one greedy rollout, and the step that is looked at all its probabilities.
// When it rests (explain), the step gets all parts of an explanation. What is computed for a changed instance is, bit
// for bit, what explain() says about that instance.
//
// A session may be asked from several threads: see Line for who waits for whom.
#include "cax/core/json_fwd.hpp"
#include "cax/explain/explanation.hpp"
#include "cax/serve/request.hpp"

#include <memory>

namespace cax::serve {

inline constexpr std::uint64_t live_search_work = 1'500;
/// explain()'s own, without the sufficient subset and regrets (which a whole plan has), and with a shorter search for the prices of alternatives: what a
/// person waits for while the hand rests.
[[nodiscard]] inline ExplainOptions live_options() {
    ExplainOptions options;
    options.parts.set<parts::Subset>(false).set<parts::Regret>(false);
    options.of<parts::Alternatives>().search_work = live_search_work;
    return options;
}

struct SessionOptions {
    ExplainOptions explain = live_options(); ///< of steps when the hand rests, and of the whole plan
    StateOptions state = {.encode = EncodeMode::once}; ///< of episodes
    std::vector<std::string> notes;          ///< for every record
    std::shared_ptr<Json const> head;        ///< of every record: schema, version, policy, ...; may be null
    bool keep_units = false;                 ///< see app::rescale_for_policy
    std::size_t history = 100;               ///< versions that undo can go back to
};

class Session {
public:
    /// `instance` is in its own units. Error if the policy cannot plan it. The policy must outlive the session.
    [[nodiscard]] static Result<std::unique_ptr<Session>> make(Policy const& policy, InstancePtr const& instance,
                                                               SessionOptions options);
    virtual ~Session() = default;
    /// The answer to `open` as to any other: the plan as it is.
    [[nodiscard]] virtual Json answer(Request const& request) = 0;
    /// Calls off whatever is being computed, and refuses everything from now on.
    virtual void close() = 0;
};

} // namespace cax::serve
