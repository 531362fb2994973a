#include "cax/explain/explanation.hpp"

#include "explanation/sentence_builder.hpp"
#include "explanation/words.hpp"
#include "parts/partial.hpp"

#include "cax/core/options.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax {
namespace {

Sentence subset_sentence(StepWords const& words, StepSubset const& part) {
    Subset const& subset = part.subset;
    if (subset.forced) {
        return SentenceBuilder(Topic::subset, Evidence::exact)
            .say("With one action allowed, nothing else matters.")
            .done();
    }
    if (subset.accepted && subset.size() > 1 && subset.size() == subset.nodes_in_all) {
        SentenceBuilder all(Topic::subset, Evidence::not_found);
        all.say("Taken in the attribution's order, no fewer than all ");
        return all.number("/subset/nodes_in_all", subset.nodes_in_all).say(" nodes were enough.").done();
    }
    SentenceBuilder s(Topic::subset, !subset.accepted  ? Evidence::not_found
                                     : part.guaranteed ? Evidence::bounded
                                                       : Evidence::sampled);
    if (subset.accepted) {
        s.say("Enough to know ").number("/subset/size", subset.size()).say(" of ");
        s.number("/subset/nodes_in_all", subset.nodes_in_all).say(" nodes: ");
        for (std::size_t i = 0; i < part.labels.size(); ++i) {
            s.say(i == 0 ? "" : i + 1 == part.labels.size() ? " and " : ", ");
            s.words(fmt::format("/subset/labels/{}", i), part.labels[i]);
        }
        s.say(". With the others hidden, the decision is the same in ");
    } else {
        s.say("Taken in the attribution's order, up to ").number("/subset/k_max", part.k_max);
        s.say(fmt::format(" {}s are not enough", words.info.node_word));
        if (subset.observed.lower_bound <= 0) // tested in stages: the few samples of the last size say nothing
            return s.say(" to keep the decision with confidence ")
                .percent("/subset/confidence", part.confidence)
                .say(".")
                .done();
        s.say(": with that many shown, the decision is the same in only ");
    }
    s.percent("/subset/rate", subset.observed.rate).say(" of ").number("/subset/samples", subset.observed.samples);
    s.say(" random variations (with confidence ").percent("/subset/confidence", part.confidence);
    s.say(" in at least ").percent("/subset/lower_bound", subset.observed.lower_bound);
    return s.say(" of all).").done();
}

/// By which nodes are ordered: the attribution's, or without gradients that of occlusion, which needs none.
Result<std::vector<double>> node_scores(ExplanationContext const& context, Step const& so_far) {
    auto const& attribution = so_far.of<parts::Attribution>();
    if (!attribution) return std::vector<double>{};
    if (attribution->decision.status != AttributionStatus::no_gradients) return attribution->decision.node_totals();
    AttributionOptions options = context.options.of<parts::Attribution>().attribution;
    options.method = AttributionMethod::occlusion;
    options.fidelity.mass = MassKind::entry;
    auto const found = attribute(*context.policy, std::span(&context.decision(so_far.step), 1), options);
    if (!found) return found.error();
    return found->front().node_totals();
}

} // namespace

Json partial_json(Subset const& part) {
    Json tests = Json::array();
    for (SizeTest const& test : part.tests) tests.push_back({test.size, test.samples, test.preserved, test.accepted});
    Preserved const& seen = part.observed;
    return {
        {"at", {part.instance, part.step, part.action}},
        {"margin", exact_json(part.margin)},
        {"forced", part.forced},
        {"accepted", part.accepted},
        {"nodes", part.nodes},
        {"observed", {seen.samples, seen.preserved, exact_json(seen.rate), exact_json(seen.lower_bound), exact_json(seen.hoeffding)}},
        {"level", exact_json(part.level)},
        {"attempts", part.attempts},
        {"tests", std::move(tests)},
        {"nodes_in_all", part.nodes_in_all},
        {"passes", {part.forward_passes, part.fixed_passes}}};
}

bool read_partial(Json const& json, Subset& part) {
    return readable([&] {
        part.instance = json.at("at").at(0).get<std::size_t>();
        part.step = json.at("at").at(1).get<std::size_t>();
        part.action = json.at("at").at(2).get<std::size_t>();
        part.margin = exact_number(json.at("margin"));
        part.forced = json.at("forced").get<bool>();
        part.accepted = json.at("accepted").get<bool>();
        part.nodes = json.at("nodes").get<std::vector<std::size_t>>();
        Json const& seen = json.at("observed");
        part.observed = {seen.at(0).get<std::size_t>(), seen.at(1).get<std::size_t>(), exact_number(seen.at(2)),
                         exact_number(seen.at(3)), exact_number(seen.at(4))};
        part.level = exact_number(json.at("level"));
        part.attempts = json.at("attempts").get<std::size_t>();
        for (Json const& test : json.at("tests")) {
            part.tests.push_back({test.at(0).get<std::size_t>(), test.at(1).get<std::size_t>(),
                                  test.at(2).get<std::size_t>(), test.at(3).get<bool>()});
        }
        part.nodes_in_all = json.at("nodes_in_all").get<std::size_t>();
        part.forward_passes = json.at("passes").at(0).get<std::size_t>();
        part.fixed_passes = json.at("passes").at(1).get<std::size_t>();
    });
}

namespace parts {

void Subset::describe(OptionTable& table, Request& request) {
    SubsetRequest& own = request;
    table.choose({"accept", "epsilon", "delta", "sigma", "k-max"}, own);
}

Result<Subset::Options> Subset::resolve(Request& request, ProblemInfo const&) {
    Options options;
    static_cast<SubsetOptions&>(options) = request.subset;
    return options;
}

Result<StepSubset> Subset::explain(ExplanationContext const& context, Step const& so_far) {
    SubsetOptions options = context.options.of<Subset>();
    options.seed = context.options.seed;
    Decision const& decision = context.decision(so_far.step);
    auto const scores = node_scores(context, so_far);
    if (!scores) return scores.error();
    auto const candidates = subset_nodes(*decision.state, options);
    auto const order = scores->empty() ? candidates : order_by_scores(candidates, *scores);
    auto const read = [](Json const& json, cax::Subset& part) { return read_partial(json, part); };
    auto const write = [](cax::Subset const& part) { return part.exact ? Json() : partial_json(part); };
    auto subset = recalled_or<cax::Subset>(context, so_far.step, name, read, write,
                                           [&] { return sufficient_subset(*context.policy, decision, order, options); });
    if (!subset) return subset.error();
    StepSubset result;
    result.subset = *std::move(subset);
    for (std::size_t const node : result.subset.nodes) {
        result.labels.push_back(context.presentation().node_short(context.instance(), node));
    }
    result.k_max = std::min(options.k_max, result.subset.nodes_in_all);
    result.epsilon = options.epsilon;
    result.confidence = 1 - options.delta;
    result.level = result.subset.level;
    result.guaranteed = result.subset.accepted && result.subset.observed.lower_bound >= 1 - options.epsilon;
    return result;
}

void Subset::add_details(StepWords const& words, Step const& step, std::vector<Sentence>& details) {
    details.push_back(subset_sentence(words, *step.of<Subset>()));
}

} // namespace parts
} // namespace cax
