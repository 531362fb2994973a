#include "cax/explain/answer_tally.hpp"

#include "median.hpp"

namespace cax {
namespace {

double ratio(std::size_t part, std::size_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void add_sizes(AnswerTally::Sizes& sizes, Flip const& flip) {
    sizes.l1.push_back(flip.l1);
    sizes.entries.push_back(static_cast<double>(flip.entries));
}

} // namespace

double AnswerTally::Sizes::median_l1() const { return median(l1); }
double AnswerTally::Sizes::median_entries() const { return median(entries); }

void AnswerTally::add(CounterfactualAnswer const& answer) {
    ++decisions;
    shots += answer.report.shots;
    passing += answer.report.passing;
    forward_passes += answer.report.forward_passes;
    refine_passes += answer.refine_passes;
    ++statuses[answer.status()];
    if (answer.sampled.empty()) return;
    Flip const& found = answer.sampled.front().flip;
    ++sampled_statuses[answer.sampled.front().status()];
    add_sizes(sampled, found);
    if (found.family) ++families[*found.family];
    if (answer.refined.empty()) return;
    Flip const& smaller = answer.refined.front().flip;
    add_sizes(refined, smaller);
    shrinkage.push_back(found.l1 / smaller.l1);
}

double AnswerTally::per_cell(std::size_t count) const { return ratio(count, decisions); }
double AnswerTally::passing_share() const { return ratio(passing, shots); }
double AnswerTally::median_shrinkage() const { return median(shrinkage); }

} // namespace cax
