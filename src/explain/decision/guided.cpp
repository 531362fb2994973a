#include "cax/explain/guided.hpp"

#include "counterfactual/what_if.hpp"

#include "cax/problems/presentation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <mutex>

namespace cax {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

/// One number, moved as far as it may go.
struct Move {
    std::size_t tensor = 0;
    std::size_t index = 0;
    double by = 0;
    double slope = 0; ///< of the lead, per unit
};

/// Numbers that are moved together, by the same part of their way.
struct Candidate {
    std::vector<Move> moves;
    double full = 0;   ///< size of the whole way, under the norm
    double needed = 0; ///< size at which the gradient expects a flip; 0 where it does not know
};

class GuidedSearch {
public:
    GuidedSearch(WhatIf& what_if, GuidedOptions const& options)
        : what_if_(what_if), options_(options), info_(what_if.instance().problem().info()) {}

    void run(GuidedFlip& result) {
        count_entries(result);
        std::vector<Candidate> singles;
        std::vector<Candidate> sets;
        for (std::size_t const rival : rivals_in_order()) {
            Features const slope = what_if_.lead_gradient(rival);
            double const lead = what_if_.cell().log_probs[what_if_.cell().action] - what_if_.cell().log_probs[rival];
            add_singles(slope, lead, singles);
            if (!options_.single) add_sets(slope, lead, sets);
        }
        singles = ordered(std::move(singles));
        result.tried = try_all(singles, result);
        std::ranges::stable_sort(sets, {}, &Candidate::needed);
        result.tried_together = try_all(sets, result);
        if (best_size_ < unreached) result.flip = what_if_.describe(best_change_, best_reaction_);
    }

private:
    /// Candidates that go to the policy together.
    static constexpr std::size_t batch_size = 6;

    [[nodiscard]] bool may_move(std::size_t tensor, std::size_t index) const {
        auto const& fixed = options_.search.perturbation.fixed;
        bool const held = !fixed.empty() && fixed[tensor] != 0;
        return !held && what_if_.perturbation().budget(tensor) > 0 && what_if_.perturbation().movable(tensor, index);
    }
    void count_entries(GuidedFlip& result) const {
        Features const& from = what_if_.perturbation().from();
        for (std::size_t t = 0; t < from.size(); ++t) {
            for (std::size_t i = 0; i < from[t].values.size(); ++i) result.entries += may_move(t, i) ? 1 : 0;
        }
    }

    /// Other allowed actions, the most probable first; or the one that is wanted.
    [[nodiscard]] std::vector<std::size_t> rivals_in_order() const {
        Cell const& cell = what_if_.cell();
        std::vector<std::size_t> rivals;
        for (std::size_t a = 0; a < cell.log_probs.size(); ++a) {
            bool const wanted = !options_.search.towards || a == *options_.search.towards;
            if (a != cell.action && cell.state->action_mask()[a] != 0 && wanted) rivals.push_back(a);
        }
        std::ranges::stable_sort(rivals, std::greater<>(), [&](std::size_t a) { return cell.log_probs[a]; });
        rivals.resize(std::min(rivals.size(), options_.rivals));
        return rivals;
    }

    /// As far as budget and box let it go in the direction of `sign`.
    [[nodiscard]] Move farthest(std::size_t tensor, std::size_t index, double sign) const {
        double by = sign * what_if_.perturbation().budget(tensor);
        if (!what_if_.perturbation().allows(tensor, index, by)) {
            Features change = zero_change(what_if_.perturbation().from());
            change[tensor].values[index] = by;
            what_if_.perturbation().clip(change);
            by = change[tensor].values[index];
        }
        return {tensor, index, by, 0};
    }

    [[nodiscard]] double size_of(std::vector<Move> const& moves) const {
        Features change = zero_change(what_if_.perturbation().from());
        for (Move const& move : moves) change[move.tensor].values[move.index] = move.by;
        return norm_of_change(change, options_.search.norm);
    }

    /// Every number down its slope, if the whole way has a chance.
    void add_singles(Features const& slope, double lead, std::vector<Candidate>& singles) const {
        constexpr double hopeful = 2; // slopes change on the way
        for (std::size_t t = 0; t < slope.size(); ++t) {
            for (std::size_t i = 0; i < slope[t].values.size(); ++i) {
                double const steep = slope[t].values[i];
                if (steep == 0 || !may_move(t, i)) continue;
                double const needed = lead / std::fabs(steep);
                if (needed > hopeful * what_if_.perturbation().budget(t) && !options_.everything) continue;
                Move const move = farthest(t, i, steep > 0 ? -1 : 1);
                if (move.by != 0) singles.push_back({{move}, std::fabs(move.by), needed});
            }
        }
    }

    /// Of each tensor the steepest numbers, as many as the gradient expects to need, and three times as many.
    void add_sets(Features const& slope, double lead, std::vector<Candidate>& sets) const {
        for (std::size_t t = 0; t < slope.size(); ++t) {
            std::vector<Move> moves;
            for (std::size_t i = 0; i < slope[t].values.size(); ++i) {
                double const steep = slope[t].values[i];
                if (steep == 0 || !may_move(t, i)) continue;
                Move move = farthest(t, i, steep > 0 ? -1 : 1);
                move.slope = std::fabs(steep);
                if (move.by != 0) moves.push_back(move);
            }
            std::ranges::stable_sort(moves, std::greater<>(), &Move::slope);
            double drop = 0;
            std::size_t count = 0;
            while (count < moves.size() && drop < lead) {
                drop += moves[count].slope * std::fabs(moves[count].by);
                ++count;
            }
            for (std::size_t const factor : {1U, 3U}) {
                std::size_t const used = std::min(moves.size(), factor * std::max<std::size_t>(count, 2));
                if (used < 2 || (factor > 1 && used == std::min(moves.size(), std::max<std::size_t>(count, 2))))
                    continue;
                Candidate set{{moves.begin(), moves.begin() + static_cast<std::ptrdiff_t>(used)}, 0, 0};
                set.full = size_of(set.moves);
                set.needed = set.full * std::min(1.0, lead / std::max(drop, 1e-300));
                sets.push_back(std::move(set));
            }
        }
    }

    /// The most promising first; the numbers of the chosen node, in both directions, soon after: rules have no slope.
    /// With `everything`, all others in both directions last.
    [[nodiscard]] std::vector<Candidate> ordered(std::vector<Candidate> singles) const {
        std::ranges::stable_sort(singles, {}, &Candidate::needed);
        std::vector<Candidate> order;
        auto const add = [&](Candidate const& candidate) {
            Move const& move = candidate.moves.front();
            bool const known = std::ranges::any_of(order, [&](Candidate const& other) {
                Move const& there = other.moves.front();
                return there.tensor == move.tensor && there.index == move.index && (there.by > 0) == (move.by > 0);
            });
            if (!known) order.push_back(candidate);
        };
        constexpr std::size_t promising = 4;
        for (std::size_t k = 0; k < std::min(promising, singles.size()); ++k) add(singles[k]);
        State const& state = *what_if_.cell().state;
        auto const chosen = what_if_.instance().problem().presentation().node_of(state, what_if_.cell().action);
        if (chosen) add_node(*chosen, add);
        for (Candidate const& single : singles) add(single);
        if (!options_.everything) return order;
        for (std::size_t node = 0; node < what_if_.instance().problem().presentation().node_count(what_if_.instance());
             ++node) {
            add_node(node, add);
        }
        return order;
    }

    template <class Add> void add_node(std::size_t node, Add const& add) const {
        Features const& from = what_if_.perturbation().from();
        for (std::size_t t = 0; t < from.size(); ++t) {
            for (std::size_t i = 0; i < from[t].values.size(); ++i) {
                if (node_of(info_.tensors[t], from[t].shape, i) != node || !may_move(t, i)) continue;
                for (double const sign : {-1.0, 1.0}) {
                    Move const move = farthest(t, i, sign);
                    if (move.by != 0) add(Candidate{{move}, std::fabs(move.by), 0});
                }
            }
        }
    }

    [[nodiscard]] bool passes_left() const { return what_if_.forward_passes() < options_.passes; }

    /// Batch after batch, only sizes below the best; returns how many were tried.
    std::size_t try_all(std::vector<Candidate> const& candidates, GuidedFlip& result) {
        std::size_t tried = 0;
        for (std::size_t first = 0; first < candidates.size();) {
            if (!passes_left()) {
                result.exhausted = true;
                break;
            }
            std::size_t const room = options_.passes - what_if_.forward_passes();
            std::vector<Candidate const*> batch;
            for (; first < candidates.size() && batch.size() < std::min(batch_size, room); ++first) {
                Candidate const& each = candidates[first];
                // Not expected to flip by less than what is known.
                if (each.needed > best_size_ && !options_.everything) continue;
                ++tried;
                batch.push_back(&each);
            }
            bool const first_flip = best_size_ == unreached;
            auto flips = asked(batch, Reach::expected, below_best(), result);
            // Slopes lie: where none flips as expected, the whole way may.
            if (flips.empty() && first_flip && passes_left()) flips = asked(batch, Reach::whole, unreached, result);
            narrow(std::move(flips), result);
        }
        return tried;
    }

    [[nodiscard]] double below_best() const {
        return best_size_ < unreached ? best_size_ * (1 - options_.accuracy) : unreached;
    }

    enum class Reach { expected, whole };
    /// Tries candidates a little further than where they are expected to flip, or their whole way, but no further than
    /// `size`; returns those that flip.
    std::vector<Candidate const*> asked(std::vector<Candidate const*> const& batch, Reach reach, double size,
                                        GuidedFlip& result) {
        constexpr double safely = 1.3;
        std::vector<Features> changes;
        for (Candidate const* each : batch) {
            bool const known = reach == Reach::expected && each->needed > 0;
            double const wanted = known ? std::min(size, safely * each->needed) : size;
            double const part = std::min(1.0, wanted / each->full);
            Features change = zero_change(what_if_.perturbation().from());
            for (Move const& move : each->moves) change[move.tensor].values[move.index] = move.by * part;
            if (what_if_.perturbation().whole_grains()) what_if_.perturbation().clip(change);
            changes.push_back(std::move(change));
        }
        auto const reactions = what_if_.try_changes(changes);
        std::vector<Candidate const*> flips;
        for (std::size_t k = 0; k < batch.size(); ++k) {
            if (!reactions[k]) ++result.refused;
            if (!reactions[k] || !reactions[k]->flipped) continue;
            flips.push_back(batch[k]);
            Features change = what_if_.prepare(changes[k]).change; // what it amounts to
            double const reached = norm_of_change(change, options_.search.norm);
            if (reached >= best_size_ || reached == 0) continue;
            best_size_ = reached;
            best_change_ = std::move(change);
            best_reaction_ = *reactions[k];
        }
        return flips;
    }

    /// Bisection on the size that all survivors share.
    void narrow(std::vector<Candidate const*> survivors, GuidedFlip& result) {
        double low = 0;
        while (!survivors.empty() && best_size_ - low > options_.accuracy * best_size_ && passes_left()) {
            double const high = best_size_;
            double const middle = (low + high) / 2;
            auto flips = asked(survivors, Reach::whole, middle, result);
            if (flips.empty()) {
                low = middle;
                if (survivors.size() > 2) survivors.resize(2); // the most promising ones
            } else {
                survivors = std::move(flips);
            }
        }
    }

    WhatIf& what_if_;
    GuidedOptions const& options_;
    ProblemInfo const& info_;
    double best_size_ = unreached;
    Features best_change_;
    WhatIf::Reaction best_reaction_;
};

} // namespace

Result<void> check_options(ProblemInfo const& info, GuidedOptions const& options) {
    if (auto ok = check_options(info, options.search); !ok) return ok;
    auto const refused = [](std::string message) {
        return Error{ErrorCode::invalid_value, "guided search: " + std::move(message)};
    };
    if (options.passes == 0) return refused("0 forward passes: at least one is needed");
    if (options.rivals == 0) return refused("0 rivals: at least one is needed");
    if (!(options.accuracy > 0 && options.accuracy < 1)) {
        return refused(fmt::format("accuracy {} is not between 0 and 1", options.accuracy));
    }
    return {};
}

Result<GuidedFlip> find_guided(Policy const& policy, Walk const& walk, std::size_t step, GuidedOptions const& options) {
    if (auto ok = check_options(walk.instance->problem().info(), options); !ok) return ok.error();
    if (step >= walk.cells.size()) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("step {}: the policy takes {} decisions here", step + 1, walk.cells.size())};
    }
    Cell const& cell = walk.cells[step];
    if (options.search.towards &&
        (*options.search.towards >= cell.log_probs.size() || *options.search.towards == cell.action)) {
        return Error{ErrorCode::invalid_value,
                     fmt::format("towards action {}: not another action", *options.search.towards)};
    }
    WhatIf what_if(policy, walk, step, options.search);
    GuidedFlip result;
    result.instance = cell.instance;
    result.step = cell.step;
    result.action = cell.action;
    GuidedSearch(what_if, options).run(result);
    result.forward_passes = what_if.forward_passes();
    return result;
}

namespace {

/// The instance's own, or the problem's usual one if the generator knows none like it.
std::string generated_size(Instance const& instance) {
    Rng rng(0);
    if (instance.problem().generate(instance.size(), {}, rng)) return instance.size();
    return std::string(instance.problem().info().default_size);
}

using Boxes = std::vector<std::optional<Box>>;

Result<Boxes> measured_boxes(Problem const& problem, std::string const& size) {
    constexpr std::uint64_t seed = 0x626f786573;
    constexpr std::uint32_t instances = 32;
    Boxes boxes(problem.info().tensors.size());
    for (std::uint32_t n = 0; n < instances; ++n) {
        Rng rng(seed, n);
        auto const drawn = problem.generate(size, {}, rng);
        if (!drawn) return drawn.error();
        Features const features = (*drawn)->reset()->features();
        Adjustable const own = adjustable(**drawn);
        for (std::size_t t = 0; t < features.size(); ++t) {
            for (std::size_t i = 0; i < features[t].values.size(); ++i) {
                if (own[t][i] == 0) continue;
                double const value = features[t].values[i];
                if (!boxes[t]) boxes[t] = Box{value, value};
                boxes[t]->low = std::min(boxes[t]->low, value);
                boxes[t]->high = std::max(boxes[t]->high, value);
            }
        }
    }
    // What never varies is no range.
    for (auto& box : boxes) {
        if (box && box->low == box->high) box.reset();
    }
    return boxes;
}

} // namespace

Result<Boxes> generator_boxes(Instance const& instance) {
    static std::mutex mutex;
    static std::map<std::pair<std::string_view, std::string>, Boxes> known; // measured once
    std::scoped_lock const lock(mutex);
    std::pair key(instance.problem().info().name, generated_size(instance));
    if (auto const found = known.find(key); found != known.end()) return found->second;
    auto boxes = measured_boxes(instance.problem(), key.second);
    if (boxes) known.emplace(std::move(key), *boxes);
    return boxes;
}

} // namespace cax
