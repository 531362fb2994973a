#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/requests.hpp"
#include "cax/explain/subset_score.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/records/subset.hpp"

#include <algorithm>

namespace cax::cli {
namespace {

constexpr std::size_t rows_shown = 16;

struct SubsetCommand : CellsCommand<SubsetRequest> {};

struct OrderedSubsets {
    std::string order;
    std::vector<Subset> subsets; ///< one per decision
    SubsetScore score;
};

OrderedSubsets subsets_along(Loaded const& loaded, std::vector<Decision> const& decisions, Ordering const& ordering,
                             SubsetRequest const& request) {
    Policy const& policy = *loaded.policy.policy;
    std::vector<std::vector<std::size_t>> orders;
    {
        ProgressBar bar("ordering nodes by " + ordering.name);
        orders = must(node_orders(
            policy, loaded.file.instances, decisions, ordering, request.subset,
            {.fidelity = request.published ? AttributionFidelity::published() : AttributionFidelity::paper(),
             .points = request.points,
             .numbers = loaded.numbers,
             .threads = request.subset.threads,
             .progress = bar.callback()}));
    }
    ProgressBar bar("walking by " + ordering.name);
    SubsetOptions with_progress = request.subset;
    with_progress.progress = bar.callback();
    auto subsets = must(sufficient_subsets(policy, decisions, orders, with_progress));
    SubsetScore const score = score_subsets(subsets, request.subset);
    return OrderedSubsets{ordering.name, std::move(subsets), score};
}

std::string optional_number(std::optional<double> value) { return value ? fmt::format("{:.3f}", *value) : "-"; }

std::string nodes_in_words(std::vector<std::size_t> const& nodes) {
    constexpr std::size_t most = 8;
    return fmt::format("{}{}", fmt::join(std::span(nodes).first(std::min(most, nodes.size())), " "),
                       nodes.size() > most ? " ..." : "");
}

/// "3", or "2..7" while a smaller one may exist, or "> 4" if none was found.
std::string exact_in_words(ExactSubset const& exact) {
    if (exact.found && exact.proven) return fmt::format("{}", exact.nodes.size());
    if (exact.found) return fmt::format("{}..{}", exact.size_at_least, exact.nodes.size());
    return fmt::format("> {}", exact.size_at_least - 1);
}

std::string cell_table(std::vector<Decision> const& decisions, std::vector<Subset> const& subsets) {
    Table table({"instance", "step", "<decision", "margin", "size", "rate", "at least", "?smallest", "<nodes"});
    for (std::size_t i = 0; i < subsets.size(); ++i) {
        Subset const& subset = subsets[i];
        table.add(subset.instance, subset.step + 1, describe_action(*decisions[i].state, subset.action),
                  subset.forced ? "forced" : fmt::format("{:.2f}", subset.margin),
                  subset.accepted ? fmt::format("{}", subset.size()) : "none",
                  fmt::format("{:.2f}", subset.observed.rate), fmt::format("{:.2f}", subset.observed.lower_bound),
                  subset.exact ? exact_in_words(*subset.exact) : "", nodes_in_words(subset.nodes));
    }
    return table.text(rows_shown);
}

std::string order_table(std::vector<OrderedSubsets> const& results) {
    Table table({"<order", "accepted", "mean size", "median", "max", "all cells", "area", "passes", "of fixed"});
    for (OrderedSubsets const& result : results) {
        SubsetScore const& score = result.score;
        auto const passes = static_cast<double>(score.forward_passes);
        double const share = score.fixed_passes == 0 ? 0 : passes / static_cast<double>(score.fixed_passes);
        table.add(result.order, fmt::format("{}/{}", score.accepted, score.decisions),
                  fmt::format("{:.2f}", score.mean_size), fmt::format("{:g}", score.median_size), score.max_size,
                  fmt::format("{:.2f}", score.mean_size_of_all), optional_number(score.area_under_curve),
                  score.forward_passes, fmt::format("{:.0f} %", 100 * share));
    }
    return table.text();
}

std::string exact_sentence(SubsetScore::Exact const& exact) {
    std::string text = fmt::format("smallest subsets: {} of {} decisions settled, in {} forward passes", exact.proven,
                                   exact.searched, exact.forward_passes);
    if (exact.both > 0) {
        text +=
            fmt::format("; where the walk succeeded too ({}): {:.2f} nodes on average, the walk {:.2f}, the same in {}",
                        exact.both, exact.mean_size, exact.mean_scan_size, exact.optimal);
    }
    if (exact.scan_missed > 0) text += fmt::format("; found where the walk failed: {}", exact.scan_missed);
    return text + fmt::format("; {} of {} confirmed by fresh samples\n", exact.confirmed, exact.found);
}

/// Decisions of the first order, then all orders side by side.
std::string subset_text(ProblemInfo const& problem, std::vector<Decision> const& decisions,
                        std::vector<OrderedSubsets> const& results, SubsetOptions const& options,
                        SubsetRule const& rule, double seconds) {
    OrderedSubsets const& first = results.front();
    SubsetScore const& score = first.score;
    std::string text = fmt::format("{} {} decisions, nodes by {}; ", score.decisions, problem.name, first.order);
    text += in_stages(options)
                ? fmt::format("a few samples first, then as many as it takes to be sure, at most {}\n", rule.samples)
                : fmt::format("{} of {} samples have to keep the decision\n", rule.needed, rule.samples);
    text += cell_table(decisions, first.subsets);
    text += fmt::format(
        "{} of {} decisions ({} of them forced) have a subset of at most {} nodes: mean {:.2f}, median {:g}, "
        "max {}\n",
        score.accepted, score.decisions, score.forced, options.k_max, score.mean_size, score.median_size, score.max_size);
    text += fmt::format("median margin: {} with a subset, {} without (decisions with a choice)\n",
                        optional_number(score.margin_accepted), optional_number(score.margin_rejected));
    if (options.accept == Acceptance::empirical) {
        text +=
            fmt::format("accepted by the observed rate: 'at least' holds with confidence 1 - {:.3g}, a rate of {:g} "
                        "does not; --accept certified asks for that\n",
                        rule.level, 1 - options.epsilon);
    }
    if (score.exact) text += exact_sentence(*score.exact);
    text += order_table(results);
    return text + fmt::format("{:.2f} s\n", seconds);
}

/// Adds `decisions` and `score` of the first order, and `orderings` with those of every order.
void add_subsets(Json& json, std::vector<Decision> const& decisions, std::vector<OrderedSubsets> const& results) {
    auto const decisions_of = [&decisions](OrderedSubsets const& result) {
        Json list = Json::array();
        bool const curve = result.score.area_under_curve.has_value();
        for (std::size_t c = 0; c < decisions.size(); ++c) {
            list.push_back(records::subset_decision_json(decisions[c], result.subsets[c], curve));
        }
        return list;
    };
    json["order"] = results.front().order;
    json["score"] = records::score_json(results.front().score);
    json["cells"] = decisions_of(results.front());
    if (results.size() == 1) return;
    json["orderings"] = Json::array();
    for (OrderedSubsets const& result : results) {
        json["orderings"].push_back(
            {{"order", result.order}, {"score", records::score_json(result.score)}, {"cells", decisions_of(result)}});
    }
}

void run(SubsetCommand& command) {
    SubsetRequest& request = command.request;
    request.subset.seed = command.inputs.seed;
    request.subset.threads = command.inputs.threads;
    auto const loaded = load(command.inputs);
    auto const orderings = must(request.resolve(loaded.info()));
    auto const rule = must(subset_rule(request.subset));
    std::vector<Decision> decisions;
    std::vector<OrderedSubsets> results;
    within(command.inputs.instances, [&] {
        decisions = decide(loaded, command.decisions).decisions;
        for (Ordering const& ordering : orderings) results.push_back(subsets_along(loaded, decisions, ordering, request));
    });
    fmt::print("{}", subset_text(loaded.info(), decisions, results, request.subset, rule, loaded.stopwatch.seconds()));
    if (!command.inputs.wants_result()) return;
    Json settings = table_of(command).json();
    settings["samples"] = rule.samples; // which epsilon and delta ask for, unless somebody else did
    settings["needed"] = rule.needed;
    settings["level"] = rule.level;
    Json json = result_of("subset", "subset", command.inputs, loaded, std::move(settings));
    json["problem"] = loaded.info().name;
    add_subsets(json, decisions, results);
    write_result(command.inputs, json);
}

} // namespace

Command subset_command() {
    return make_command<SubsetCommand>(
        {.name = "subset",
         .summary = "The few nodes that alone keep a decision, with a stated confidence",
         .paragraph =
             "For each decision, keeps the features of the first k nodes of an order and hides all others, k = 1, 2, "
             "..., until the decision survives Gaussian noise often enough. Every result has an exact lower bound on "
             "the probability that it survives. Several orders (--order lp,proxy,random) are compared side by side. "
             "--exact looks for the smallest subset of all on the same samples and says what is proven when its "
             "budget ends; the smallest one's guarantee comes from fresh samples. Node 0 is the depot where there is "
             "one.",
         .footer = R"(Examples:
  cax subset op.safetensors four.json --steps 4
  cax subset op.safetensors four.json --accept certified --json subsets.json
  cax subset op.safetensors four.json --limit 1 --steps 3 --exact
  cax subset op.safetensors four.json --order lp,proxy,integrated,occlusion,random --curve)"});
}

} // namespace cax::cli
