#include "subset_output.hpp"

#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::cli {
namespace {

std::string optional_number(std::optional<double> value) { return value ? fmt::format("{:.3f}", *value) : "-"; }

Json optional_json(std::optional<double> value) { return value ? Json(*value) : Json(nullptr); }

std::string nodes_in_words(std::vector<std::size_t> const& nodes) {
    constexpr std::size_t most = 8;
    std::string text = fmt::format(
        "{}", fmt::join(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(std::min(most, nodes.size())), " "));
    return nodes.size() > most ? text + " ..." : text;
}

/// "3", or "2..7" while a smaller one may exist, or "> 4" if none was found.
std::string exact_in_words(ExactSubset const& exact) {
    if (exact.found && exact.proven) return fmt::format("{}", exact.nodes.size());
    if (exact.found) return fmt::format("{}..{}", exact.size_at_least, exact.nodes.size());
    return fmt::format("> {}", exact.size_at_least - 1);
}

std::string cell_table(std::vector<Cell> const& cells, std::vector<Subset> const& subsets) {
    constexpr std::size_t rows = 16;
    bool const exact = std::ranges::any_of(subsets, [](Subset const& each) { return each.exact.has_value(); });
    std::vector<std::string> headings{"instance", "step", "<decision", "margin", "size", "rate", "at least"};
    if (exact) headings.emplace_back("smallest");
    headings.emplace_back("<nodes");
    Table table(headings);
    for (std::size_t i = 0; i < std::min(rows, subsets.size()); ++i) {
        Subset const& subset = subsets[i];
        std::vector<std::string> row{fmt::format("{}", subset.instance),
                                     fmt::format("{}", subset.step),
                                     describe_action(*cells[i].state, subset.action),
                                     subset.forced ? "forced" : fmt::format("{:.2f}", subset.margin),
                                     subset.accepted ? fmt::format("{}", subset.size()) : "none",
                                     fmt::format("{:.2f}", subset.evidence.rate),
                                     fmt::format("{:.2f}", subset.evidence.lower_bound)};
        if (exact) row.push_back(exact_in_words(*subset.exact));
        row.push_back(nodes_in_words(subset.nodes));
        table.add(row);
    }
    std::string text = table.text();
    if (subsets.size() > rows) text += fmt::format("  ... and {} more\n", subsets.size() - rows);
    return text;
}

std::string order_table(std::vector<OrderedSubsets> const& results) {
    Table table({"<order", "accepted", "mean size", "median", "max", "all cells", "area", "passes", "of fixed"});
    for (OrderedSubsets const& result : results) {
        SubsetScore const& score = result.score;
        double const share = score.fixed_passes == 0
                                 ? 0
                                 : static_cast<double>(score.forward_passes) / static_cast<double>(score.fixed_passes);
        table.add({result.order, fmt::format("{}/{}", score.accepted, score.cells),
                   fmt::format("{:.2f}", score.mean_size), fmt::format("{:g}", score.median_size),
                   fmt::format("{}", score.max_size), fmt::format("{:.2f}", score.mean_size_of_all),
                   optional_number(score.area_under_curve), fmt::format("{}", score.forward_passes),
                   fmt::format("{:.0f} %", 100 * share)});
    }
    return table.text();
}

std::string exact_sentence(SubsetScore::Exact const& exact) {
    std::string text = fmt::format("smallest subsets: {} of {} decisions settled, in {} forward passes", exact.proven,
                                   exact.searched, exact.forward_passes);
    if (exact.both > 0) {
        text +=
            fmt::format("; where the walk succeeded too ({}): {:.2f} nodes on average, the walk {:.2f}, the same in {}",
                        exact.both, exact.mean_size, exact.mean_walk_size, exact.optimal);
    }
    if (exact.walk_missed > 0) text += fmt::format("; found where the walk failed: {}", exact.walk_missed);
    return text + fmt::format("; {} of {} confirmed by fresh samples\n", exact.confirmed, exact.found);
}

Json to_json(Preserved const& evidence) {
    return {{"rate", evidence.rate},
            {"lower_bound", evidence.lower_bound},
            {"hoeffding", evidence.hoeffding},
            {"samples", evidence.samples},
            {"preserved", evidence.preserved}};
}

Json to_json(ExactSubset const& exact) {
    return {{"size", exact.found ? Json(exact.nodes.size()) : Json(nullptr)},
            {"proven", exact.proven},
            {"size_at_least", exact.size_at_least},
            {"nodes", exact.nodes},
            {"empty_suffices", exact.empty_suffices},
            {"subsets_tested", exact.subsets_tested},
            {"forward_passes", exact.forward_passes},
            {"own", to_json(exact.own)},
            {"fresh", to_json(exact.fresh)}};
}

Json to_json(Subset const& subset, bool curve) {
    Json json = {{"instance", subset.instance},
                 {"step", subset.step},
                 {"action", subset.action},
                 {"forced", subset.forced},
                 {"accepted", subset.accepted},
                 {"size", subset.accepted ? Json(subset.size()) : Json(nullptr)},
                 {"nodes", subset.nodes},
                 {"nodes_in_all", subset.nodes_in_all},
                 {"margin", std::isfinite(subset.margin) ? Json(subset.margin) : Json(nullptr)},
                 {"forward_passes", subset.forward_passes},
                 {"fixed_passes", subset.fixed_passes},
                 {"area_under_curve", curve ? optional_json(subset.area_under_curve()) : Json(nullptr)}};
    json.update(to_json(subset.evidence));
    json["tests"] = Json::array();
    for (SizeTest const& test : subset.tests) {
        json["tests"].push_back({{"size", test.size}, {"samples", test.samples}, {"preserved", test.preserved}});
    }
    if (subset.exact) json["exact"] = to_json(*subset.exact);
    return json;
}

Json to_json(SubsetScore const& score) {
    Json json = {{"cells", score.cells},
                 {"forced", score.forced},
                 {"accepted", score.accepted},
                 {"mean_size", score.mean_size},
                 {"median_size", score.median_size},
                 {"max_size", score.max_size},
                 {"mean_size_of_all", score.mean_size_of_all},
                 {"area_under_curve", optional_json(score.area_under_curve)},
                 {"margin_accepted", optional_json(score.margin_accepted)},
                 {"margin_rejected", optional_json(score.margin_rejected)},
                 {"forward_passes", score.forward_passes},
                 {"fixed_passes", score.fixed_passes}};
    if (!score.exact) return json;
    SubsetScore::Exact const& exact = *score.exact;
    json["exact"] = {{"searched", exact.searched},
                     {"found", exact.found},
                     {"proven", exact.proven},
                     {"optimal", exact.optimal},
                     {"both", exact.both},
                     {"mean_size", exact.mean_size},
                     {"mean_walk_size", exact.mean_walk_size},
                     {"walk_missed", exact.walk_missed},
                     {"confirmed", exact.confirmed},
                     {"forward_passes", exact.forward_passes}};
    return json;
}

} // namespace

std::string subset_text(ProblemInfo const& problem, std::vector<Cell> const& cells,
                        std::vector<OrderedSubsets> const& results, SubsetOptions const& options,
                        SubsetRule const& rule, double seconds) {
    OrderedSubsets const& first = results.front();
    SubsetScore const& score = first.score;
    std::string text = fmt::format("{} {} decisions, nodes by {}; {} of {} samples have to keep the decision\n",
                                   score.cells, problem.name, first.order, rule.needed, rule.samples);
    text += cell_table(cells, first.subsets);
    text += fmt::format(
        "{} of {} decisions ({} of them forced) have a subset of at most {} nodes: mean {:.2f}, median {:g}, "
        "max {}\n",
        score.accepted, score.cells, score.forced, options.k_max, score.mean_size, score.median_size, score.max_size);
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

void add_subsets(Json& json, std::vector<OrderedSubsets> const& results) {
    auto const cells_of = [](OrderedSubsets const& result) {
        Json cells = Json::array();
        for (Subset const& subset : result.subsets) {
            cells.push_back(to_json(subset, result.score.area_under_curve.has_value()));
        }
        return cells;
    };
    json["order"] = results.front().order;
    json["score"] = to_json(results.front().score);
    json["cells"] = cells_of(results.front());
    if (results.size() == 1) return;
    json["orderings"] = Json::array();
    for (OrderedSubsets const& result : results) {
        json["orderings"].push_back(
            {{"order", result.order}, {"score", to_json(result.score)}, {"cells", cells_of(result)}});
    }
}

} // namespace cax::cli
