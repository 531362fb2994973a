#include "counterfactual_output.hpp"

#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace cax::cli {
namespace {

constexpr std::array all_statuses{CounterfactualStatus::certified, CounterfactualStatus::refuted,
                                  CounterfactualStatus::undecided, CounterfactualStatus::flipped,
                                  CounterfactualStatus::no_flip};

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::ranges::sort(values);
    std::size_t const half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double ratio(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

Json statuses_json(std::vector<std::size_t> const& counts) {
    Json json = Json::object();
    for (CounterfactualStatus const status : all_statuses) {
        json[std::string(name_of(status))] = counts[static_cast<std::size_t>(status)];
    }
    return json;
}

} // namespace

std::string cell_text(Walk const& walk, CounterfactualAnswer const& found) {
    Cell const& cell = walk.cells[found.step];
    std::string text = fmt::format("instance {}, step {}: {}; ", found.instance, found.step + 1,
                                   describe_action(*cell.state, found.action));
    SettledFlip const* const best = found.best();
    if (best == nullptr)
        return text + (found.guided ? "nothing that was tried changes that\n" : "no shot changes that\n");
    auto const& changes = best->flip.changes;
    text += fmt::format("it would {} if ({})\n", best->flip.new_action_words, name_of(best->status()));
    constexpr std::size_t most_lines = 5;
    for (std::size_t i = 0; i < std::min(most_lines, changes.size()); ++i) {
        text += fmt::format("    {}\n", changes[i].words);
    }
    if (changes.size() > most_lines) {
        text += fmt::format("    ... and {} more entries (--refine looks for fewer)\n", changes.size() - most_lines);
    }
    if (best->certificate && best->certificate->verdict != Verdict::certified && !best->certificate->reason.empty()) {
        text += fmt::format("    {}: {}\n", name_of(best->status()), best->certificate->reason);
    }
    return text;
}

std::string families_text(ProblemInfo const& info, std::vector<FamilyAnswer> const& answers) {
    std::vector<FamilyAnswer const*> order;
    for (FamilyAnswer const& answer : answers) order.push_back(&answer);
    std::ranges::stable_sort(order, {}, [](FamilyAnswer const* answer) {
        return answer->flip ? answer->relative_size : std::numeric_limits<double>::infinity();
    });
    std::string text;
    for (FamilyAnswer const* answer : order) {
        std::string_view const name = info.families[answer->family];
        if (!answer->flip) {
            text += fmt::format("    {:<12} nothing flips up to {:g} of the scale\n", name, answer->reach);
            continue;
        }
        auto const& changes = answer->flip->flip.changes;
        text +=
            fmt::format("    {:<12} {:.3f} of the scale: {}{}\n", name, answer->relative_size, changes.front().words,
                        changes.size() > 1 ? fmt::format(" and {} more", changes.size() - 1) : "");
    }
    return text;
}

void CounterfactualTally::Kind::add(Flip const& flip) {
    l1.push_back(flip.l1);
    entries.push_back(static_cast<double>(flip.entries));
}

void CounterfactualTally::add(CounterfactualAnswer const& found) {
    ++cells_;
    shots_ += found.report.shots;
    passing_ += found.report.passing;
    forward_passes_ += found.report.forward_passes;
    refine_passes_ += found.refine_passes;
    ++statuses_[static_cast<std::size_t>(found.status())];
    if (found.sampled.empty()) return;
    Flip const& sampled = found.sampled.front().flip;
    ++sampled_statuses_[static_cast<std::size_t>(found.sampled.front().status())];
    sampled_.add(sampled);
    if (sampled.family) {
        families_.resize(std::max(families_.size(), *sampled.family + 1));
        ++families_[*sampled.family];
    }
    if (found.refined.empty()) return;
    refined_.add(found.refined.front().flip);
    shrinkage_.push_back(sampled.l1 / found.refined.front().flip.l1);
}

Json CounterfactualTally::counts_json() const { return statuses_json(statuses_); }

Json CounterfactualTally::summary_json() const {
    Json json{{"cells", cells_},
              {"forward_passes_per_cell", ratio(forward_passes_, cells_)},
              {"plain_loop_passes_per_cell", ratio(passing_, cells_)},
              {"refine_passes_per_cell", ratio(refine_passes_, cells_)},
              {"passing_share", ratio(passing_, shots_)},
              {"median_l1_sampled", median(sampled_.l1)},
              {"median_entries_sampled", median(sampled_.entries)}};
    if (!refined_.l1.empty()) {
        json["sampled_counts"] = statuses_json(sampled_statuses_);
        json["median_l1_refined"] = median(refined_.l1);
        json["median_entries_refined"] = median(refined_.entries);
        json["median_shrinkage"] = median(shrinkage_);
    }
    return json;
}

std::string CounterfactualTally::text(ProblemInfo const& info) const {
    Table table({"<status", "cells"});
    for (CounterfactualStatus const status : all_statuses) {
        std::size_t const count = statuses_[static_cast<std::size_t>(status)];
        if (count > 0) table.add(name_of(status), count);
    }
    std::string text = table.text();
    std::string families;
    for (std::size_t f = 0; f < families_.size(); ++f) {
        if (families_[f] > 0)
            families += fmt::format("{}{} {}", families.empty() ? "" : ", ", info.families[f], families_[f]);
    }
    if (!families.empty()) text += fmt::format("heaviest family of the flips: {}\n", families);
    text += fmt::format("forward passes per cell: {:.1f}", ratio(forward_passes_, cells_));
    if (shots_ > 0) // those of a guided search are none
        text += fmt::format(" (plain loop: {:.1f}), {:.1f} % of the shots pass the envelope", ratio(passing_, cells_),
                            100 * ratio(passing_, shots_));
    text += '\n';
    if (!sampled_.l1.empty()) {
        text += fmt::format("median flip: L1 {:.4g}, {:g} entries\n", median(sampled_.l1), median(sampled_.entries));
    }
    if (!refined_.l1.empty()) {
        text += fmt::format("refined: L1 {:.4g}, {:g} entries, {:.1f} times smaller (medians); {:.1f} forward passes "
                            "per cell\n",
                            median(refined_.l1), median(refined_.entries), median(shrinkage_),
                            ratio(refine_passes_, cells_));
    }
    return text;
}

} // namespace cax::cli
