#pragma once
// A small change of the instance that flips the decision, with a certificate.
#include "cax/explain/choice.hpp"
#include "cax/explain/requests.hpp"
#include "cax/explain/part_list.hpp"

namespace cax {

/// One changed entry, in words that follow "if".
struct Condition {
    std::string words; ///< "customer 17's window closed at 220 instead of 232"
    double from = 0;   ///< in the instance's units
    double to = 0;
    std::optional<std::size_t> node; ///< that the entry belongs to; nothing for padding
};

struct StepCounterfactual {
    CounterfactualAnswer answer;
    // Of answer.best(); empty if there is none.
    std::optional<Choice> choice;      ///< what the policy does on the changed instance
    std::vector<Condition> conditions; ///< one for each of its changes
    std::string certificate_words;     ///< what its certificate says
    /// By no rule of thumb does the change speak for the new action, and by some against it: the policy answers it
    /// the wrong way round (a customer is preferred after its prize fell).
    bool odd = false;
};

namespace parts {

struct Counterfactual : PartDefaults {
    static constexpr std::string_view name = "counterfactual";
    static constexpr std::string_view group = "Counterfactual";
    struct Options {
        Options();
        AnswerOptions answer; ///< by default guided, refined, and certified with the prefix
        /// Certificates with a prefix and no bound of their own ask for a completion that spends no more than the plan
        /// does, give or take this part of it (a number of vehicles: no more); nothing = any completion will do.
        std::optional<double> plan_slack = 0.05;
    };
    struct Request : CounterfactualRequest {
        Request();
    };
    using Finding = StepCounterfactual;

    static void describe(OptionTable& table, Request& request);
    static Result<Options> resolve(Request& request, ProblemInfo const& info);
    /// The bound of certificates, from the plan.
    static Result<void> prepare(ExplanationContext& context);
    static Result<Finding> explain(ExplanationContext const& context, Step const& so_far);
    static void add_lines(StepWords const& words, Step const& step, Lines& lines);
    static void add_details(StepWords const& words, Step const& step, std::vector<Sentence>& details);
};

} // namespace parts
} // namespace cax
