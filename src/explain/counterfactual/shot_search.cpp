#include "shot_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax {
namespace {

struct Ticket {
    double size = 0; ///< under the norm of the options
    std::size_t shot = 0;
    bool operator<(Ticket const& other) const { return size != other.size ? size < other.size : shot < other.shot; }
};

struct Hit {
    Ticket ticket;
    Features change;
    WhatIf::Reaction reaction;
};

/// The answers so far, and which kinds of answer are still welcome.
class Answers {
public:
    Answers(ProblemInfo const& info, std::size_t count) : info_(info), count_(count) {}

    [[nodiscard]] bool complete() const { return hits_.size() >= count_; }
    [[nodiscard]] bool none() const { return hits_.empty(); }
    void offer(Hit hit) {
        auto const family = heaviest_family(family_masses(info_, hit.change));
        for (Hit const& old : hits_) {
            bool const same_family = heaviest_family(family_masses(info_, old.change)) == family;
            if (old.reaction.action == hit.reaction.action && same_family) return;
        }
        hits_.push_back(std::move(hit));
    }
    [[nodiscard]] std::vector<Hit> const& hits() const { return hits_; }

private:
    ProblemInfo const& info_;
    std::size_t count_;
    std::vector<Hit> hits_;
};

/// Shots that may flip: inside the envelope, and not nothing (a change of nothing changes no decision).
std::vector<Ticket> filtered(WhatIf const& what_if, Counterfactual& result) {
    std::vector<Ticket> tickets;
    for (std::size_t s = 0; s < result.shots; ++s) {
        Features change = what_if.shot(s);
        if (changed_entries(change) == 0) {
            ++result.passing;
            continue;
        }
        auto const prepared = what_if.prepare(std::move(change));
        if (!prepared.feasible) continue;
        ++result.passing;
        tickets.push_back({norm_of_change(prepared.change, what_if.options().norm), s});
    }
    return tickets;
}

/// Sends shots through the policy in batches of growing size and hands each reaction to `use` in order, until that
/// says true.
template <class Use> void ask_in_batches(WhatIf& what_if, std::vector<Ticket> const& tickets, Use const& use) {
    std::size_t const largest = std::max<std::size_t>(1, what_if.options().batch);
    std::size_t size = std::min<std::size_t>(2, largest);
    for (std::size_t first = 0; first < tickets.size(); size = std::min(2 * size, largest)) {
        std::size_t const last = std::min(first + size, tickets.size());
        std::vector<WhatIf::Prepared> batch;
        for (std::size_t i = first; i < last; ++i) batch.push_back(what_if.prepare(what_if.shot(tickets[i].shot)));
        auto const reactions = what_if.ask(batch);
        for (std::size_t i = first; i < last; ++i) {
            if (use(Hit{tickets[i], std::move(batch[i - first].change), reactions[i - first]})) return;
        }
        first = last;
    }
}

void take(Counterfactual& result, WhatIf const& what_if, Answers const& answers) {
    for (Hit const& hit : answers.hits()) {
        Flip flip = what_if.describe(hit.change, hit.reaction);
        flip.shot = hit.ticket.shot;
        result.sampled.push_back(std::move(flip));
    }
}

/// As the paper writes it: every shot, in order. Flips are kept and put in order afterwards.
void plain_loop(WhatIf& what_if, std::vector<Ticket> const& tickets, Counterfactual& result) {
    std::vector<Hit> flips;
    std::vector<std::pair<Ticket, double>> margins;
    ask_in_batches(what_if, tickets, [&](Hit hit) {
        margins.emplace_back(hit.ticket, hit.reaction.margin);
        if (hit.reaction.flipped) flips.push_back(std::move(hit));
        return false;
    });
    std::ranges::sort(flips, {}, [](Hit const& hit) { return std::pair(hit.ticket.size, hit.ticket.shot); });
    Answers answers(what_if.instance().problem().info(), what_if.options().count);
    for (Hit& hit : flips) {
        if (!answers.complete()) answers.offer(std::move(hit));
    }
    for (auto const& [ticket, margin] : margins) {
        bool const beyond = !answers.none() && answers.hits().front().ticket < ticket;
        if (!beyond) result.best_margin = std::min(result.best_margin, margin);
    }
    take(result, what_if, answers);
}

void smallest_first(WhatIf& what_if, std::vector<Ticket> tickets, Counterfactual& result) {
    std::ranges::sort(tickets, std::less<>());
    Answers answers(what_if.instance().problem().info(), what_if.options().count);
    ask_in_batches(what_if, tickets, [&](Hit hit) {
        if (answers.none()) result.best_margin = std::min(result.best_margin, hit.reaction.margin);
        if (hit.reaction.flipped) answers.offer(std::move(hit));
        return answers.complete();
    });
    take(result, what_if, answers);
}

} // namespace

Counterfactual search_shots(WhatIf& what_if) {
    Counterfactual result;
    result.instance = what_if.cell().instance;
    result.step = what_if.cell().step;
    result.action = what_if.cell().action;
    result.shots = what_if.options().shots;
    result.best_margin = what_if.margin();
    std::size_t const before = what_if.forward_passes();
    std::vector<Ticket> tickets = filtered(what_if, result);
    if (what_if.options().plain_loop)
        plain_loop(what_if, tickets, result);
    else
        smallest_first(what_if, std::move(tickets), result);
    result.forward_passes = what_if.forward_passes() - before;
    result.status = result.sampled.empty() ? CounterfactualStatus::no_flip : CounterfactualStatus::flipped;
    return result;
}

} // namespace cax
