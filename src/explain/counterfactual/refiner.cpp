#include "counterfactual/refiner.hpp"

#include "cax/problems/changes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace cax {
namespace {

struct Place {
    std::size_t tensor = 0;
    std::size_t index = 0;
};

double& at(Features& features, Place place) { return features[place.tensor].values[place.index]; }
double at(Features const& features, Place place) { return features[place.tensor].values[place.index]; }

std::vector<Place> support(Features const& change) {
    std::vector<Place> places;
    for (std::size_t k = 0; k < change.size(); ++k) {
        for (std::size_t i = 0; i < change[k].values.size(); ++i) {
            if (change[k].values[i] != 0) places.push_back({k, i});
        }
    }
    return places;
}

/// A change that is known to flip, made smaller step by step.
class Refiner {
public:
    Refiner(WhatIf& what_if, Flip const& flip)
        : what_if_(what_if),
          change_(flip.change),
          trail_{{flip.change, {flip.new_action, true, flip.margin, flip.new_probability.value_or(0)}}} {}

    /// One number at a whole value, with which one step less does not flip. Asks about that step; if it flips, it is
    /// kept.
    bool nothing_to_do() {
        std::vector<Place> const places = support(change_);
        if (places.size() != 1 || !is_round(places.front())) return false;
        return at_most_one_grain(places.front()) || !snap_one(places.front(), -1);
    }

    /// `gradient`: of the old action's lead over the new one; what it is asked for where several numbers move.
    void run(Features const& gradient) {
        keep_the_most_useful(gradient);
        drop_groups();
        std::size_t const dropped = trail_.size();
        try_fewer_but_further(gradient);
        shrink_all();
        shrink_each();
        if (!what_if_.perturbation().whole_grains()) snap();
        if (trail_.size() != dropped) drop_groups(); // else it has been asked
    }
    [[nodiscard]] bool several() const { return support(change_).size() > 1; }

    /// The last step; the one before, the third, seventh, ... before it, and the first of all.
    [[nodiscard]] Refinement result() const {
        Refinement refinement;
        refinement.flip = described(trail_.back());
        for (std::size_t back = 1; back + 1 < trail_.size(); back = 2 * back + 1) {
            refinement.earlier.push_back(described(trail_[trail_.size() - 1 - back]));
        }
        if (trail_.size() > 1) refinement.earlier.push_back(described(trail_.front()));
        return refinement;
    }

private:
    static constexpr int most_tries = 6;
    static constexpr double unknown_lead = std::numeric_limits<double>::infinity();

    struct Step {
        Features change;
        WhatIf::Reaction reaction;
    };
    [[nodiscard]] Flip described(Step const& step) const {
        return what_if_.describe(what_if_.prepare(step.change).change, step.reaction);
    }

    /// What the policy does; kept if it flips, nothing if it is not possible.
    std::optional<WhatIf::Reaction> tried(Features const& change) {
        auto const reaction = what_if_.try_changes({&change, 1}).front();
        if (reaction && reaction->flipped) {
            change_ = change;
            trail_.push_back({change, *reaction});
        }
        return reaction;
    }
    /// Keeps the first of the changes that flips; false if none does.
    bool accept_first(std::vector<Features> const& changes) {
        auto const reactions = what_if_.try_changes(changes);
        for (std::size_t i = 0; i < changes.size(); ++i) {
            if (!reactions[i] || !reactions[i]->flipped) continue;
            change_ = changes[i];
            trail_.push_back({changes[i], *reactions[i]});
            return true;
        }
        return false;
    }
    bool accept(Features const& change) { return accept_first({change}); }

    /// By how much each entry of the change lowers the old action's lead, to first order: largest first.
    [[nodiscard]] std::vector<Place> by_usefulness(Features const& gradient) const {
        std::vector<Place> places = support(change_);
        std::ranges::stable_sort(places, [&](Place a, Place b) {
            return at(gradient, a) * at(change_, a) < at(gradient, b) * at(change_, b);
        });
        return places;
    }

    [[nodiscard]] Features only(std::span<Place const> places) const {
        Features kept = zero_change(change_);
        for (Place const place : places) at(kept, place) = at(change_, place);
        return kept;
    }

    /// The shortest of the prefixes of length 1, 2, 4, ... that flips by itself.
    void keep_the_most_useful(Features const& gradient) {
        std::vector<Place> const places = by_usefulness(gradient);
        for (std::size_t length = 1; length < places.size(); length *= 8) {
            std::vector<Features> changes;
            for (std::size_t n = length; n < places.size() && n < 8 * length; n *= 2) {
                changes.push_back(only(std::span(places).first(n)));
            }
            if (accept_first(changes)) return;
        }
    }

    /// Leaves out halves, quarters, ..., single entries, from the smallest up.
    void drop_groups() {
        std::vector<Place> places = support(change_);
        std::ranges::stable_sort(places, {}, [&](Place place) { return std::fabs(at(change_, place)); });
        for (std::size_t size = places.size() / 2; size > 0; size /= 2) {
            for (std::size_t first = 0; first < places.size();) {
                std::size_t const last = std::min(first + size, places.size());
                if (last - first == places.size()) break;
                Features without = change_;
                for (std::size_t i = first; i < last; ++i) at(without, places[i]) = 0;
                auto const begin = places.begin();
                using Offset = std::vector<Place>::difference_type;
                if (accept(without))
                    places.erase(begin + static_cast<Offset>(first), begin + static_cast<Offset>(last));
                else
                    first = last;
            }
        }
    }

    /// One entry moved by 20 is easier to read than five moved by 10: are there fewer that flip if they use their whole
    /// budget?
    void try_fewer_but_further(Features const& gradient) {
        std::size_t const now = support(change_).size();
        if (now < 2) return;
        std::vector<Place> const places = steepest(gradient, now - 1);
        std::vector<Features> changes;
        for (std::size_t n = 1; n <= places.size(); ++n) {
            Features change = zero_change(change_);
            for (std::size_t i = 0; i < n; ++i) {
                Place const place = places[i];
                double const budget = what_if_.perturbation().budget(place.tensor);
                at(change, place) = at(gradient, place) > 0 ? -budget : budget;
            }
            what_if_.perturbation().clip(change);
            changes.push_back(std::move(change));
        }
        accept_first(changes);
    }

    /// The entries of the moved tensors that would lower the lead most, at most `most`.
    [[nodiscard]] std::vector<Place> steepest(Features const& gradient, std::size_t most) const {
        std::vector<Place> places;
        for (std::size_t k = 0; k < change_.size(); ++k) {
            if (norm_of_change({change_[k]}, Norm::linf) == 0) continue;
            for (std::size_t i = 0; i < change_[k].values.size(); ++i) {
                bool const useful = gradient[k].values[i] != 0 && what_if_.perturbation().movable(k, i);
                if (useful) places.push_back({k, i});
            }
        }
        auto const effect = [&](Place place) {
            return -std::fabs(at(gradient, place)) * what_if_.perturbation().budget(place.tensor);
        };
        std::ranges::stable_sort(places, {}, effect);
        constexpr std::size_t worth_trying = 6;
        places.resize(std::min({places.size(), most, worth_trying}));
        return places;
    }

    /// Between nothing (whose lead is `lead`, above 0) and all (which flips): tried where the line through the two
    /// leads crosses 0, until the least part that flips is known up to `close` or to a 50th.
    template <class Make> void shrink(double lead, double close, Make const& scaled) {
        double low = 0;
        double high = 1;
        double low_lead = lead;
        for (int n = 0; n < most_tries && high - low > std::max(close, high / 50); ++n) {
            double const high_lead = trail_.back().reaction.margin;
            bool const known = std::isfinite(low_lead) && std::isfinite(high_lead) && low_lead > 0 && n < 3;
            double const part = known ? std::clamp(1.05 * low_lead / (low_lead - high_lead), 0.1, 0.9) : 0.5;
            double const middle = low + (high - low) * part;
            auto const reaction = tried(scaled(middle));
            if (reaction && reaction->flipped) {
                high = middle;
            } else {
                low = middle;
                low_lead = reaction ? reaction->margin : unknown_lead;
            }
        }
    }

    /// An entry need not be known more closely than to half the step that a person would ask for.
    [[nodiscard]] double half_a_grain(Place place) const {
        double const whole = std::fabs(at(change_, place));
        return whole > 0 ? units_of(what_if_.instance(), place.tensor).grain / 2 / whole : 1;
    }

    void keep_grains(Features& change) const {
        if (what_if_.perturbation().whole_grains()) what_if_.perturbation().clip(change);
    }

    void shrink_all() {
        Features const whole = change_;
        double close = 1;
        bool one_each = true; // nothing to shrink: entries stay or go
        for (Place const place : support(whole)) {
            close = std::min(close, half_a_grain(place));
            one_each = one_each && is_round(place) && at_most_one_grain(place);
        }
        if (one_each) return;
        shrink(what_if_.margin(), close, [&](double factor) {
            Features scaled = whole;
            for (Feature& tensor : scaled) {
                for (double& value : tensor.values) value *= factor;
            }
            keep_grains(scaled);
            return scaled;
        });
    }

    void shrink_each() {
        std::vector<Place> const places = support(change_);
        if (places.size() < 2) return; // shrink_all() has done it
        for (Place const place : places) {
            if (is_round(place) && at_most_one_grain(place)) continue;
            double const whole = at(change_, place);
            shrink(unknown_lead, half_a_grain(place), [&](double factor) {
                Features scaled = change_;
                at(scaled, place) = whole * factor;
                keep_grains(scaled);
                return scaled;
            });
        }
    }

    /// The change that takes an entry to a round value, `steps` grains beyond the nearest one on this side of it.
    [[nodiscard]] double round_change(Place place, double steps) const {
        double const grain = units_of(what_if_.instance(), place.tensor).grain;
        double const from = at(what_if_.perturbation().from(), place);
        double const by = at(change_, place);
        double const target = (from + by) / grain;
        double const toward = by > 0 ? std::floor(target + slip) : std::ceil(target - slip);
        return (toward + (by > 0 ? steps : -steps)) * grain - from;
    }
    /// Values that are round but for float32 stay where they are.
    static constexpr double slip = 1e-4;
    [[nodiscard]] bool is_round(Place place) const {
        double const grain = units_of(what_if_.instance(), place.tensor).grain;
        double const target = (at(what_if_.perturbation().from(), place) + at(change_, place)) / grain;
        return grain > 0 && std::fabs(target - std::round(target)) < slip;
    }

    bool snap_one(Place place, double steps) {
        if (!(units_of(what_if_.instance(), place.tensor).grain > 0)) return false;
        double const by = round_change(place, steps);
        if (by == at(change_, place)) return true;
        if (!may_snap(place, by)) return false;
        Features snapped = change_;
        at(snapped, place) = by;
        return accept(snapped);
    }

    /// Inside its limits; a budget of less than one grain is stretched to it (a demand of 8 of 40 becomes 9, not 8.8).
    [[nodiscard]] bool may_snap(Place place, double by) const {
        bool const same_way = by == 0 || (by > 0) == (at(change_, place) > 0);
        return same_way && what_if_.perturbation().allows_grain(place.tensor, place.index, by);
    }

    /// All entries to the next round values beyond them at once, which mostly flips: further is safer.
    bool snap_all() {
        Features snapped = change_;
        std::size_t moved = 0;
        for (Place const place : support(change_)) {
            if (!(units_of(what_if_.instance(), place.tensor).grain > 0)) return false;
            if (is_round(place)) continue;
            double const by = round_change(place, 1);
            if (!may_snap(place, by)) return false;
            at(snapped, place) = by;
            ++moved;
        }
        return moved == 0 || accept(snapped);
    }

    /// Every entry to the next round value beyond it if that flips, else before it.
    void snap() {
        if (!snap_all()) {
            for (Place const place : support(change_)) {
                if (!is_round(place) && !snap_one(place, 1)) snap_one(place, 0);
            }
        }
        // With the others at their round values some need less.
        for (Place const place : support(change_)) {
            while (!at_most_one_grain(place) && snap_one(place, -1)) {
            }
        }
    }
    /// What is moved by no more than that stays or goes: drop_groups() asks.
    [[nodiscard]] bool at_most_one_grain(Place place) const {
        return std::fabs(at(change_, place)) <= 1.0001 * units_of(what_if_.instance(), place.tensor).grain;
    }

    WhatIf& what_if_;
    Features change_;
    std::vector<Step> trail_; ///< every change that was kept; the last is `change_`
};

/// Where nobody knows a gradient: the larger an entry's change, the more it is taken to do.
Features as_if_all_count_alike(Features const& change) {
    Features slopes = change;
    for (Feature& tensor : slopes) {
        for (double& value : tensor.values) value = value > 0 ? -1 : value < 0 ? 1 : 0;
    }
    return slopes;
}

} // namespace

Refinement refined(WhatIf& what_if, Flip const& flip) {
    std::size_t const before = what_if.forward_passes();
    Refiner refiner(what_if, flip);
    if (!refiner.nothing_to_do()) {
        bool const asked = refiner.several() && what_if.has_gradient();
        refiner.run(asked ? what_if.lead_gradient(flip.new_action) : as_if_all_count_alike(flip.change));
    }
    Refinement refinement = refiner.result();
    refinement.flip.shot = flip.shot;
    for (Flip& earlier : refinement.earlier) earlier.shot = flip.shot;
    refinement.forward_passes = what_if.forward_passes() - before;
    return refinement;
}

} // namespace cax
