#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/requests.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/pricing.hpp"
#include "cax/records/attribution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <unistd.h>

namespace cax::cli {
namespace {

using records::AttributedInstance;

struct AttributeCommand : CellsCommand<AttributionRequest> {};

std::vector<AttributedInstance> attributed(Loaded const& loaded, AttributeCommand const& command) {
    Decided decided = decide(loaded, command.decisions);
    AttributionRequest const& request = command.request;
    auto multipliers =
        must(multipliers_of(loaded.file.instances, request.multipliers, request.attribution.fidelity.duals_from,
                            command.inputs.threads, loaded.numbers));
    ProgressBar bar("attributing");
    AttributionOptions options = request.attribution;
    options.threads = command.inputs.threads;
    options.progress = bar.callback();
    auto attributions = must(attribute(*loaded.policy.policy, decided.decisions, options));
    auto next = attributions.begin();
    std::vector<AttributedInstance> all;
    for (std::size_t i = 0; i < decided.episodes.size(); ++i) {
        AttributedInstance& own = all.emplace_back();
        own.episode = std::move(decided.episodes[i]);
        own.multipliers = std::move(multipliers[i]);
        for (std::size_t c = 0; c < own.episode.decisions.size(); ++c) {
            own.steps.push_back(scored(std::move(*next++), own.multipliers));
        }
    }
    return all;
}

std::string what_in_words(AttributionOptions const& options) {
    switch (options.method) {
    case AttributionMethod::integrated:
        return fmt::format("integrated gradients from {}, {} points", name_of(options.baseline), options.points);
    case AttributionMethod::occlusion: return fmt::format("occlusion by {}", name_of(options.baseline));
    case AttributionMethod::gradient: break;
    }
    return fmt::format("gradient x feature by {}", name_of(options.fidelity.mass));
}

/// "0.16 .. 0.24", or what is known of its upper end.
std::string range_text(MultiplierRange const& range) {
    if (!std::isfinite(range.high)) return fmt::format("{:.4g} .. no end ({})", range.low, range.unbounded_along);
    std::string const attained = fmt::format("{:.4g} .. {:.4g}", range.low, range.high);
    if (range.high_exact) return attained;
    if (!std::isfinite(range.high_bound)) return attained + " at least";
    return attained + fmt::format(" at least, {:.4g} at most", range.high_bound);
}

std::string multiplier_text(ProblemInfo const& info, Multipliers const& multipliers) {
    std::string text;
    if (multipliers.lp) {
        LpReport const& lp = *multipliers.lp;
        text = lp.status == LpStatus::optimal
                   ? fmt::format("linear relaxation: bound {:.6g}, residuals {:.0e} and {:.0e}, gap {:.0e}\n",
                                 lp.objective, lp.audit.primal_residual, lp.audit.dual_residual, lp.audit.gap)
                   : fmt::format("linear relaxation: {}\n", name_of(lp.status));
        if (lp.rounds > 0) {
            text += fmt::format("  not written out: {} arcs came in, in {} rounds; all others and all rows are proved "
                                "not to matter\n",
                                lp.columns, lp.rounds);
        }
    }
    bool const ranged =
        multipliers.range && multipliers.range->with_redundant_rows.families.size() == info.families.size();
    Table table({"<family", "lambda", "?<over all optimal duals", "?lambda*", "?<over all optimal duals*"});
    for (std::size_t k = 0; k < info.families.size(); ++k) {
        FamilyMultiplier const& family = multipliers.families[k];
        ProgramRange const* const reduced = ranged ? &multipliers.range->without_redundant_rows : nullptr;
        table.add(
            info.families[k], family.value ? fmt::format("{:.4g}", *family.value) : std::string(name_of(family.status)),
            ranged ? range_text(multipliers.range->with_redundant_rows.families[k]) : "",
            ranged ? fmt::format("{:.4g}", reduced->values[k]) : "", ranged ? range_text(reduced->families[k]) : "");
    }
    text += table.text();
    if (multipliers.range_too_large) {
        text += fmt::format("no range over all optimal duals: that needs the whole program, which is for at most {} "
                            "nodes\n",
                            most_nodes_written_out);
    }
    auto const is_too_large = [](FamilyMultiplier const& each) { return each.status == FamilyStatus::too_large; };
    if (std::ranges::any_of(multipliers.families, is_too_large)) {
        text += "too_large: the linear relaxation has too many nodes for this; --backend proxy needs none\n";
    }
    if (ranged) text += "* of the relaxation without its redundant rows, whose duals have no limit\n";
    return text;
}

/// What the heat map shows of a step: per family its share, summing to 1 or all 0.
std::vector<double> shares_of(ScoredAttribution const& step) {
    std::vector<double> shares = step.decision.mass;
    if (step.scores.status == ScoreStatus::computed) {
        for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = *step.scores.values[k];
    }
    double total = 0;
    for (double const value : shares) total += value;
    for (double& value : shares) value = total > 0 ? value / total : 0;
    return shares;
}

/// Four columns of a shade; on a terminal from blue to red.
std::string shade(double share, bool colour) {
    constexpr std::array<std::string_view, 5> blocks{" ", "░", "▒", "▓", "█"};
    constexpr std::array<int, 5> colours{17, 19, 54, 125, 196};
    auto const level = static_cast<std::size_t>(std::min(4.0, std::floor(share * 4 + 0.5)));
    std::string text;
    for (int i = 0; i < 4; ++i) text += blocks[level];
    return colour ? fmt::format("\033[38;5;{}m{}\033[0m", colours[level], text) : text;
}

std::string top_in_words(ProblemInfo const& info, ScoredAttribution const& step) {
    if (step.decision.status != AttributionStatus::computed) return std::string(name_of(step.decision.status));
    if (!step.scores.top) return std::string(name_of(step.scores.status));
    std::string text(info.families[*step.scores.top]);
    if (!step.top_unique) return text;
    if (*step.top_unique != TopFamily::unique) return text + fmt::format(" ({})", name_of(*step.top_unique));
    if (*step.always_first == *step.scores.top) return text + ", whatever the dual*";
    return text + fmt::format(" ({}, whatever the dual*)", info.families[*step.always_first]);
}

/// One line per step, one column per family: each family's share of the step's scores as a shade and a number. Shares
/// are those of masses where scores do not exist.
std::string heat_map_text(ProblemInfo const& info, AttributedInstance const& found) {
    bool const colour = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
    std::vector<std::string> headings{"step", "<action"};
    for (std::string_view const family : info.families) headings.push_back(fmt::format("<{}", family));
    headings.emplace_back("<top");
    Table table(headings);
    for (std::size_t t = 0; t < found.steps.size(); ++t) {
        Decision const& decision = found.episode.decisions[t];
        std::vector<std::string> row{fmt::format("{}", decision.step + 1), describe_action(*decision.state, decision.action)};
        for (double const share : shares_of(found.steps[t])) {
            row.push_back(fmt::format("{} {:3.0f} %", shade(share, colour), 100 * share));
        }
        row.push_back(top_in_words(info, found.steps[t]));
        table.add_row(std::move(row));
    }
    return table.text();
}

/// How often which family was on top, over all instances.
std::string top_text(ProblemInfo const& info, std::vector<AttributedInstance> const& all) {
    std::vector<std::size_t> tops(info.families.size());
    std::map<std::string_view, std::size_t> others;
    std::size_t decisions = 0, ranged = 0, unique = 0;
    for (AttributedInstance const& found : all) {
        for (ScoredAttribution const& step : found.steps) {
            ++decisions;
            if (step.scores.top)
                ++tops[*step.scores.top];
            else if (step.decision.status != AttributionStatus::computed)
                ++others[name_of(step.decision.status)];
            else
                ++others[name_of(step.scores.status)];
            if (!step.top_unique) continue;
            ++ranged;
            unique += *step.top_unique == TopFamily::unique ? 1 : 0;
        }
    }
    std::string text = fmt::format("top family of {} decision{}:", decisions, decisions == 1 ? "" : "s");
    for (std::size_t k = 0; k < tops.size(); ++k) text += fmt::format(" {} {},", info.families[k], tops[k]);
    for (auto const& [name, count] : others) text += fmt::format(" {} {},", name, count);
    text.back() = '\n';
    if (tops.size() == 1) text += "the problem has one family: there is nothing to rank\n";
    if (ranged > 0) text += fmt::format("the same for every optimal dual*: {} of {}\n", unique, ranged);
    return text;
}

void print_attributions(Loaded const& loaded, AttributionRequest const& request,
                        std::vector<AttributedInstance> const& all) {
    ProblemInfo const& info = loaded.info();
    MultiplierOptions const& multipliers = request.multipliers;
    std::string const backend = multipliers.backend == Backend::lp
                                    ? fmt::format("lp ({})", name_of(multipliers.aggregate))
                                    : std::string(name_of(multipliers.backend));
    fmt::print("{}: {}, multipliers {}\n{}", loaded.heading(), what_in_words(request.attribution), backend,
               loaded.notes_text());
    AttributedInstance const& first = all.front();
    fmt::print("\ninstance {}: {}\n{}\n", loaded.numbers.front(), first.episode.instance->description(),
               multiplier_text(info, first.multipliers));
    fmt::print("{}\n", heat_map_text(info, first));
    if (all.size() > 1) fmt::print("... and {} more instances (--json has them all)\n", all.size() - 1);
    fmt::print("{}{:.2f} s\n", top_text(info, all), loaded.stopwatch.seconds());
}

void run(AttributeCommand& command) {
    auto const loaded = load(command.inputs);
    ProblemInfo const& info = loaded.info();
    must(command.request.resolve(info));
    auto const all = within(command.inputs.instances, [&] { return attributed(loaded, command); });
    print_attributions(loaded, command.request, all);
    if (!command.inputs.wants_result()) return;
    Json json = result_of("attribution", "attribute", command.inputs, loaded, table_of(command).json());
    json["problem"] = info.name;
    json["families"] = info.families;
    json["backend"] = name_of(command.request.multipliers.backend);
    json["aggregate"] = name_of(command.request.multipliers.aggregate);
    json["instances"] = Json::array();
    for (std::size_t i = 0; i < all.size(); ++i) {
        json["instances"].push_back(records::attributed_json(info, all[i]));
        json["instances"].back()["instance"] = loaded.numbers[i];
    }
    write_result(command.inputs, json);
}

} // namespace

Command attribute_command() {
    return make_command<AttributeCommand>(
        {.name = "attribute",
         .summary = "Which constraint family drove each decision",
         .paragraph =
             "Follows the policy greedily and scores every constraint family at every step: lambda (how hard its "
             "constraints press on the instance) times mass (how much the decision's log-probability reacts to its "
             "features). Shows the first instance as a heat map of steps and families: shares of a step's scores, or "
             "of its masses where there are no scores.",
         .footer = R"(Examples:
  cax attribute op.safetensors four.json
  cax attribute op.safetensors four.json --dual-range --json attribution.json
  cax attribute cvrptw.safetensors fleet.npz --backend proxy --method integrated --steps 8
  cax attribute op.safetensors four.json --instance 2 --step 1,4-6 --why-not 0)"});
}

} // namespace cax::cli
