// The best packing, and the best one that begins like this.
#include "branch_bound.hpp"

#include "../search_clock.hpp"
#include "../settled.hpp"

#include <algorithm>
#include <limits>

namespace cax::knapsack {
namespace {

constexpr double most_of_both = 1 + share_tolerance;
constexpr double never_enough = std::numeric_limits<double>::infinity();

bool contains_all(Solution const& solution, std::span<std::size_t const> items) {
    auto const* packing = std::get_if<Packing>(&solution);
    return packing != nullptr && std::ranges::all_of(items, [&](std::size_t item) {
               return std::ranges::find(packing->items, item) != packing->items.end();
           });
}

} // namespace

Result<SearchResult> Instance::search(SearchOptions const& options) const {
    if (auto const ok = check_search_options(*this, options); !ok) return ok.error();
    auto const nothing = begin_with(data_, {});
    if (!nothing) return nothing.error();
    BranchAndBound method(data_, *nothing, most_of_both);
    SearchClock clock(options);
    if (options.start) method.only_above(check(*options.start).cost);
    bool const ended =
        method.run([&](std::uint64_t node) { return clock.running(node); }, options.bound.value_or(never_enough));
    Solution solution = options.start && !method.found() ? *options.start : Solution{Packing{method.best()}};
    auto result = checked_result(*this, std::move(solution), options.exact && ended, method.nodes());
    if (result && options.exact && !ended) result->lower_bound = method.bound();
    return result;
}

Result<std::vector<Completion>> Instance::completions(CompletionRequest const& request) const {
    std::vector<std::size_t> items(request.prefix.begin(), request.prefix.end());
    std::uint64_t const share =
        request.prove && !request.actions.empty() ? request.proof_work / request.actions.size() : 0;
    std::uint64_t const work = std::max(share, request.search_work);
    std::vector<Completion> answers(request.actions.size());
    for (std::size_t k = 0; k < answers.size(); ++k) {
        items.push_back(request.actions[k]);
        auto const begun = begin_with(data_, items);
        if (!begun) return begun.error();
        BranchAndBound method(data_, *begun, most_of_both);
        bool const ended = method.run([&](std::uint64_t node) { return node < work; }, never_enough);
        offer(*this, Packing{method.best()}, answers[k]);
        for (Solution const& known : request.known) {
            if (contains_all(known, items)) offer(*this, known, answers[k]);
        }
        answers[k].optimal = request.prove && ended && answers[k].solution.has_value();
        if (request.prove) answers[k].bound = answers[k].optimal ? answers[k].cost : method.bound();
        answers[k].work = method.nodes();
        items.pop_back();
    }
    return answers;
}

} // namespace cax::knapsack
