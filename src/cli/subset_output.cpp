#include "subset_output.hpp"

#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/records/subset.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::cli {
namespace {

std::string optional_number(std::optional<double> value) { return value ? fmt::format("{:.3f}", *value) : "-"; }

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
                                     fmt::format("{}", subset.step + 1),
                                     describe_action(*cells[i].state, subset.action),
                                     subset.forced ? "forced" : fmt::format("{:.2f}", subset.margin),
                                     subset.accepted ? fmt::format("{}", subset.size()) : "none",
                                     fmt::format("{:.2f}", subset.observed.rate),
                                     fmt::format("{:.2f}", subset.observed.lower_bound)};
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
                        exact.both, exact.mean_size, exact.mean_scan_size, exact.optimal);
    }
    if (exact.scan_missed > 0) text += fmt::format("; found where the walk failed: {}", exact.scan_missed);
    return text + fmt::format("; {} of {} confirmed by fresh samples\n", exact.confirmed, exact.found);
}

} // namespace

std::string subset_text(ProblemInfo const& problem, std::vector<Cell> const& cells,
                        std::vector<OrderedSubsets> const& results, SubsetOptions const& options,
                        SubsetRule const& rule, double seconds) {
    OrderedSubsets const& first = results.front();
    SubsetScore const& score = first.score;
    std::string text = fmt::format("{} {} decisions, nodes by {}; ", score.cells, problem.name, first.order);
    text += in_stages(options)
                ? fmt::format("a few samples first, then as many as it takes to be sure, at most {}\n", rule.samples)
                : fmt::format("{} of {} samples have to keep the decision\n", rule.needed, rule.samples);
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

void add_subsets(Json& json, std::vector<Cell> const& cells, std::vector<OrderedSubsets> const& results) {
    auto const cells_of = [&cells](OrderedSubsets const& result) {
        Json list = Json::array();
        bool const curve = result.score.area_under_curve.has_value();
        for (std::size_t c = 0; c < cells.size(); ++c) {
            list.push_back(records::subset_cell_json(cells[c], result.subsets[c], curve));
        }
        return list;
    };
    json["order"] = results.front().order;
    json["score"] = records::score_json(results.front().score);
    json["cells"] = cells_of(results.front());
    if (results.size() == 1) return;
    json["orderings"] = Json::array();
    for (OrderedSubsets const& result : results) {
        json["orderings"].push_back(
            {{"order", result.order}, {"score", records::score_json(result.score)}, {"cells", cells_of(result)}});
    }
}

} // namespace cax::cli
