#include "counterfactual/move_paths.hpp"

#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace cax {
namespace {

/// The change that takes a number to the whole value at `by` or beyond it, if that is allowed, else before it; `by`
/// itself where there is neither.
double to_whole(WhatIf const& what_if, Move const& move, double by) {
    constexpr double slip = 1e-4; // values are whole but for float32
    Perturbation const& perturbation = what_if.perturbation();
    double const grain = perturbation.grain(move.tensor);
    if (!(grain > 0) || by == 0 || perturbation.whole_grains()) return by;
    double const from = perturbation.from()[move.tensor].values[move.index];
    double const target = (from + by) / grain;
    double const beyond = by > 0 ? std::ceil(target - slip) : std::floor(target + slip);
    double const before = beyond - (by > 0 ? 1 : -1);
    for (double const value : {beyond, before}) {
        double const whole = value * grain - from;
        bool const same_way = whole * by > 0 && std::fabs(whole) > slip * grain;
        if (same_way && perturbation.allows_grain(move.tensor, move.index, whole)) return whole;
    }
    return by;
}

/// As far as budget and box let it go in the direction of `sign`; one grain where the budget is less.
Move farthest(WhatIf const& what_if, std::size_t tensor, std::size_t index, double sign) {
    auto const [low, high] = what_if.perturbation().limits(tensor, index);
    Move move{tensor, index, sign > 0 ? high : low, 0};
    bool const less_than_one = what_if.perturbation().budget(tensor) < what_if.perturbation().grain(tensor);
    if (less_than_one) move.by = to_whole(what_if, move, move.by);
    return move;
}

template <class Use> void for_each_movable(WhatIf const& what_if, Use const& use) {
    Features const& from = what_if.perturbation().from();
    for (std::size_t t = 0; t < from.size(); ++t) {
        for (std::size_t i = 0; i < from[t].values.size(); ++i) {
            if (may_move(what_if, t, i)) use(t, i);
        }
    }
}

/// All of a tensor's numbers down their slopes, the steepest first.
std::vector<Move> downhill(WhatIf const& what_if, Features const& slope, std::size_t tensor) {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < slope[tensor].values.size(); ++i) {
        double const steep = slope[tensor].values[i];
        if (steep == 0 || !may_move(what_if, tensor, i)) continue;
        Move move = farthest(what_if, tensor, i, steep > 0 ? -1 : 1);
        move.slope = std::fabs(steep);
        if (move.by != 0) moves.push_back(move);
    }
    std::ranges::stable_sort(moves, std::greater<>(), &Move::slope);
    return moves;
}

Features whole_way(WhatIf const& what_if, std::vector<Move> const& moves) {
    Features change = zero_change(what_if.perturbation().from());
    for (Move const& move : moves) change[move.tensor].values[move.index] = move.by;
    return change;
}

/// Size under which moves go their whole way.
double reach_of(WhatIf const& what_if, std::vector<Move> const& moves) {
    if (moves.size() == 1) return std::fabs(moves.front().by);
    return norm_of_change(whole_way(what_if, moves), what_if.options().norm);
}

/// A way with what the gradient expects of it.
MovePath path_of(WhatIf const& what_if, std::vector<Move> moves, double lead) {
    MovePath path;
    path.moves = std::move(moves);
    path.reach = reach_of(what_if, path.moves);
    path.low_lead = lead;
    double left = lead;
    double length = 0;
    for (Move const& move : path.moves) {
        double const drop = move.slope * std::fabs(move.by);
        if (left > 0) length += drop < left ? std::fabs(move.by) : left / move.slope;
        left -= drop;
    }
    path.lead_left = left;
    // Under other norms than L1 all move by the same part.
    bool const in_turn = what_if.options().norm == Norm::l1 && left <= 0;
    if (left < lead) path.expected = in_turn ? length : path.reach * lead / (lead - left);
    return path;
}

/// By replay: does the rule allow the chosen action when the way has been gone so far?
bool forbids_chosen(WhatIf const& what_if, MovePath const& path, double size) {
    auto const judged = what_if.judge(change_at(what_if, path, size));
    return judged.feasible && judged.forbids_chosen;
}

/// The size at which the rule begins to bind, from above; nothing if it never does.
std::optional<double> rule_threshold(WhatIf const& what_if, MovePath const& path) {
    constexpr int halvings = 12;
    if (!forbids_chosen(what_if, path, path.reach)) return std::nullopt;
    double low = 0;
    double high = path.reach;
    for (int n = 0; n < halvings; ++n) {
        double const middle = (low + high) / 2;
        (forbids_chosen(what_if, path, middle) ? high : low) = middle;
    }
    return high;
}

/// Adds those of the moves with which the actions so far can still be repeated: all, or of each half what is possible.
/// Groups of no more than `smallest` are taken or left as a whole: each costs a replay.
void add_possible(WhatIf const& what_if, std::span<Move const> moves, std::size_t smallest,
                  std::vector<Move>& possible) {
    if (moves.empty()) return;
    std::size_t const before = possible.size();
    possible.insert(possible.end(), moves.begin(), moves.end());
    if (what_if.judge(whole_way(what_if, possible)).feasible) return;
    possible.resize(before);
    if (moves.size() <= smallest) return;
    add_possible(what_if, moves.first(moves.size() / 2), smallest, possible);
    add_possible(what_if, moves.subspan(moves.size() / 2), smallest, possible);
}

/// Those without which the rule would not forbid the choice: halves, quarters, ..., single ones are left out by replay.
std::vector<Move> needed_moves(WhatIf const& what_if, MovePath path) {
    std::size_t size = std::max<std::size_t>(1, path.moves.size() / 2);
    while (true) {
        for (std::size_t first = 0; first < path.moves.size() && path.moves.size() > 1;) {
            auto const begin = path.moves.begin() + static_cast<std::ptrdiff_t>(first);
            auto const end =
                path.moves.begin() + static_cast<std::ptrdiff_t>(std::min(first + size, path.moves.size()));
            MovePath without;
            without.moves.assign(path.moves.begin(), begin);
            without.moves.insert(without.moves.end(), end, path.moves.end());
            without.reach = reach_of(what_if, without.moves);
            if (!without.moves.empty() && forbids_chosen(what_if, without, without.reach))
                path = std::move(without);
            else
                first += size;
        }
        if (size == 1) return path.moves;
        size /= 2;
    }
}

void add_exact(MovePath path, std::optional<double> threshold, std::vector<MovePath>& paths) {
    if (!threshold) return;
    path.expected = *threshold;
    path.lead_left = 0;
    path.exact = true;
    paths.push_back(std::move(path));
}

/// Nodes that some action is about, allowed or not.
std::set<std::size_t> open_nodes(WhatIf const& what_if) {
    std::set<std::size_t> nodes;
    Decision const& decision = what_if.decision();
    for (std::size_t a = 0; a < decision.log_probs.size(); ++a) {
        auto const node = what_if.instance().problem().presentation().node_of(*decision.state, a);
        if (node) nodes.insert(*node);
    }
    return nodes;
}

std::vector<std::size_t> newly_allowed(WhatIf const& what_if, WhatIf::Prepared const& prepared) {
    std::vector<std::size_t> actions;
    if (!prepared.feasible) return actions;
    auto const& before = what_if.decision().state->action_mask();
    auto const& after = action_mask(*prepared.observation);
    for (std::size_t a = 0; a < after.size(); ++a) {
        if (after[a] != 0 && before[a] == 0) actions.push_back(a);
    }
    return actions;
}

} // namespace

bool may_move(WhatIf const& what_if, std::size_t tensor, std::size_t index) {
    auto const& fixed = what_if.options().perturbation.fixed;
    bool const held = !fixed.empty() && fixed[tensor] != 0;
    return !held && what_if.perturbation().movable(tensor, index);
}

Features change_at(WhatIf const& what_if, MovePath const& path, double size) {
    Features change = zero_change(what_if.perturbation().from());
    bool const in_turn = what_if.options().norm == Norm::l1;
    double left = size;
    for (Move const& move : path.moves) {
        double const part =
            in_turn ? std::clamp(left / std::fabs(move.by), 0.0, 1.0) : std::min(1.0, size / path.reach);
        double const by = move.by * part;
        change[move.tensor].values[move.index] = path.whole ? to_whole(what_if, move, by) : by;
        left -= std::fabs(move.by);
    }
    if (what_if.perturbation().whole_grains()) what_if.perturbation().clip(change);
    return change;
}

double size_at(WhatIf const& what_if, MovePath const& path, double size) {
    if (!path.whole) return size;
    double left = size;
    double sum = 0;
    for (Move const& move : path.moves) {
        if (left <= 0) break;
        double const by = std::copysign(std::min(left, std::fabs(move.by)), move.by);
        sum += std::fabs(to_whole(what_if, move, by));
        left -= std::fabs(move.by);
    }
    return sum;
}

namespace {

bool same_move(MovePath const& path, Move const& move) {
    Move const& first = path.moves.front();
    return path.single() && first.tensor == move.tensor && first.index == move.index && (first.by > 0) == (move.by > 0);
}

/// Another rival may have asked for the same: then what the more hopeful of them expects.
void add_single(MovePath path, std::vector<MovePath>& paths) {
    auto const known =
        std::ranges::find_if(paths, [&](MovePath const& other) { return same_move(other, path.moves.front()); });
    if (known == paths.end())
        paths.push_back(std::move(path));
    else if (path.expected < known->expected)
        *known = std::move(path);
}

} // namespace

void add_paths(WhatIf const& what_if, Features const& slope, double lead, PathOptions const& options,
               std::vector<MovePath>& paths) {
    constexpr double hopeful = 2; // slopes change on the way
    for (std::size_t t = 0; t < slope.size(); ++t) {
        std::vector<Move> const moves = downhill(what_if, slope, t);
        for (Move const& move : moves) {
            MovePath path = path_of(what_if, {move}, lead);
            if (path.expected <= hopeful * what_if.perturbation().budget(t) || options.everything)
                add_single(std::move(path), paths);
        }
        if (options.single || moves.size() < 2) continue;
        // One number does it, if the gradient is right: several would be the same way.
        if (lead > moves.front().slope * std::fabs(moves.front().by)) {
            auto const few = static_cast<std::ptrdiff_t>(std::min(moves.size(), options.together));
            paths.push_back(path_of(what_if, {moves.begin(), moves.begin() + few}, lead));
        }
        if (moves.size() > options.together) paths.push_back(path_of(what_if, moves, lead));
    }
}

void add_shared_rule_paths(WhatIf const& what_if, std::vector<MovePath>& paths) {
    if (what_if.options().fidelity.state == StateMode::frozen) return;
    for (std::size_t t = 0; t < what_if.perturbation().from().size(); ++t) {
        for (double const sign : {-1.0, 1.0}) {
            std::vector<Move> moves;
            for_each_movable(what_if, [&](std::size_t tensor, std::size_t i) {
                Move const move = farthest(what_if, tensor, i, sign);
                if (tensor == t && move.by != 0) moves.push_back(move);
            });
            constexpr std::size_t groups = 64; // so that large instances cost no more replays than middling ones
            std::vector<Move> possible;
            add_possible(what_if, moves, std::max<std::size_t>(1, moves.size() / groups), possible);
            MovePath path = path_of(what_if, std::move(possible), what_if.margin());
            if (path.reach == 0 || !forbids_chosen(what_if, path, path.reach)) continue;
            path = path_of(what_if, needed_moves(what_if, path), what_if.margin());
            add_exact(path, rule_threshold(what_if, path), paths);
        }
    }
}

void add_rule_paths(WhatIf const& what_if, std::vector<MovePath>& paths) {
    Instance const& instance = what_if.instance();
    Decision const& decision = what_if.decision();
    auto const chosen = instance.problem().presentation().node_of(*decision.state, decision.action);
    if (!chosen || what_if.options().fidelity.state == StateMode::frozen) return;
    ProblemInfo const& info = instance.problem().info();
    auto const last = what_if.last_node();
    for_each_movable(what_if, [&](std::size_t t, std::size_t i) {
        std::size_t const node = node_of(info.tensors[t], what_if.perturbation().from()[t].shape, i);
        if (node != *chosen && (!last || node != *last)) return;
        for (double const sign : {-1.0, 1.0}) {
            MovePath path = path_of(what_if, {farthest(what_if, t, i, sign)}, what_if.margin());
            if (path.reach == 0) continue;
            add_exact(path, rule_threshold(what_if, path), paths);
        }
    });
}

void add_opening_paths(WhatIf& what_if, std::vector<MovePath>& paths) {
    if (what_if.options().kind != ChangeKind::primitive) return;
    Features const& from = what_if.perturbation().from();
    auto const open = open_nodes(what_if);
    ProblemInfo const& info = what_if.instance().problem().info();
    Features together = zero_change(from);
    std::vector<std::pair<MovePath, std::vector<std::size_t>>> ways; // and the actions that each allows
    for_each_movable(what_if, [&](std::size_t t, std::size_t i) {
        if (from[t].values[i] != 0 || !open.contains(node_of(info.tensors[t], from[t].shape, i))) return;
        MovePath path = path_of(what_if, {farthest(what_if, t, i, 1)}, what_if.margin());
        path.expected = what_if.perturbation().grain(t);
        path.lead_left = 0;
        path.exact = true;
        if (path.expected == 0 || path.expected > path.reach) return;
        auto allowed = newly_allowed(what_if, what_if.prepare(change_at(what_if, path, path.expected)));
        if (allowed.empty()) return;
        together[t].values[i] = path.expected;
        ways.emplace_back(std::move(path), std::move(allowed));
    });
    if (ways.empty()) return;
    auto const reaction = what_if.try_changes({&together, 1}).front();
    for (auto& [path, allowed] : ways) {
        if (reaction && std::ranges::count(allowed, reaction->action) > 0) paths.push_back(std::move(path));
    }
}

void add_missing(WhatIf const& what_if, std::vector<MovePath>& paths) {
    std::size_t const known = paths.size();
    for_each_movable(what_if, [&](std::size_t t, std::size_t i) {
        for (double const sign : {-1.0, 1.0}) {
            Move const move = farthest(what_if, t, i, sign);
            bool const there = std::any_of(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(known),
                                           [&](MovePath const& path) { return !path.exact && same_move(path, move); });
            if (there || move.by == 0) continue;
            MovePath path;
            path.moves = {move};
            path.reach = std::fabs(move.by);
            path.low_lead = path.lead_left = what_if.margin();
            paths.push_back(std::move(path));
        }
    });
}

} // namespace cax
