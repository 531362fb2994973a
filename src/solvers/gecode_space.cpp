#include "gecode_space.hpp"

#include <algorithm>
#include <gecode/minimodel.hh>

#include <map>
#include <memory>

namespace cax {
namespace {

using Gecode::BoolVar;
using Gecode::BoolVarArgs;
using Gecode::IntArgs;
using Gecode::IntVar;
using Gecode::IntVarArgs;

/// Numbers of a valid model fit: largest_model_number is 2^30.
int to_int(std::int64_t number) { return static_cast<int>(number); }

bool is_flag(IntVariable const& variable) { return variable.low >= 0 && variable.high <= 1; }

/// Posts the rules of one model into one space.
class Poster {
public:
    Poster(Gecode::Space& home, std::vector<int> const& places, Gecode::IntVarArray& integers,
           Gecode::BoolVarArray& flags)
        : home_(home), places_(places), integers_(integers), flags_(flags) {}

    void operator()(LinearRule const& rule) {
        if (all_flags(rule.terms)) {
            BoolVarArgs variables;
            for (IntTerm const& term : rule.terms) variables << flag(term.variable);
            post_linear(rule, variables);
        } else {
            IntVarArgs variables;
            for (IntTerm const& term : rule.terms) variables << integer(term.variable);
            post_linear(rule, variables);
        }
    }
    void operator()(AllowedValues const& rule) {
        Gecode::dom(home_, integer(rule.variable), Gecode::IntSet(numbers(rule.values)));
    }
    void operator()(Indicator const& rule) {
        Gecode::rel(home_, integer(rule.variable), Gecode::IRT_EQ, to_int(rule.value), flag(rule.flag));
    }
    void operator()(TableElement const& rule) {
        Gecode::element(home_, numbers(rule.table), integer(rule.index), integer(rule.result));
    }
    void operator()(VariableElement const& rule) {
        Gecode::element(home_, list(rule.variables), integer(rule.index), integer(rule.result), Gecode::IPL_BND);
    }
    void operator()(Circuit const& rule) {
        IntVarArgs all = distinct(list(rule.successor) + list(rule.predecessor));
        int const places = all.size() / 2;
        Gecode::circuit(home_, all.slice(0, 1, places), Gecode::IPL_DOM);
        Gecode::channel(home_, all.slice(0, 1, places), all.slice(places));
    }
    void operator()(BinPacking const& rule) {
        IntVarArgs all = distinct(list(rule.loads) + list(rule.bins));
        int const bins = static_cast<int>(rule.loads.size());
        if (rule.bins.empty()) return Gecode::rel(home_, all, Gecode::IRT_EQ, 0);
        Gecode::binpacking(home_, all.slice(0, 1, bins), all.slice(bins), numbers(rule.sizes));
    }
    void operator()(NoOverlap const& rule) {
        IntVarArgs starts;
        IntArgs durations;
        BoolVarArgs present;
        bool optional = false;
        for (auto const& [start, duration, presence] : rule.tasks) {
            if (duration == 0) continue; // takes no time, so nothing can overlap it
            starts << integer(start);
            durations << to_int(duration);
            present << (presence ? flag(*presence) : BoolVar(home_, 1, 1));
            optional = optional || presence.has_value();
        }
        if (starts.size() < 2) return;
        starts = distinct(starts);
        Gecode::unshare(home_, present);
        if (optional) {
            Gecode::unary(home_, starts, durations, present, Gecode::IPL_ADVANCED);
        } else {
            Gecode::unary(home_, starts, durations, Gecode::IPL_ADVANCED);
        }
    }

    IntVar integer(std::size_t variable) {
        int const place = places_[variable];
        if (place >= 0) return integers_[place];
        auto const known = twins_.find(place);
        if (known != twins_.end()) return known->second;
        IntVar const twin(home_, 0, 1);
        Gecode::channel(home_, flags_[-1 - place], twin);
        return twins_.emplace(place, twin).first->second;
    }
    IntVarArgs list(std::vector<std::size_t> const& variables) {
        IntVarArgs all;
        for (std::size_t const variable : variables) all << integer(variable);
        return all;
    }

private:
    /// Some of Gecode's constraints do not take the same variable twice.
    IntVarArgs distinct(IntVarArgs variables) {
        Gecode::unshare(home_, variables);
        return variables;
    }
    [[nodiscard]] bool all_flags(std::vector<IntTerm> const& terms) const {
        return std::ranges::all_of(terms, [&](IntTerm const& term) { return places_[term.variable] < 0; });
    }
    [[nodiscard]] BoolVar flag(std::size_t variable) const { return flags_[-1 - places_[variable]]; }
    static IntArgs numbers(std::vector<std::int64_t> const& values) {
        IntArgs all;
        for (std::int64_t const value : values) all << to_int(value);
        return all;
    }

    template <class Variables> void post_linear(LinearRule const& rule, Variables const& variables) {
        IntArgs coefficients;
        for (IntTerm const& term : rule.terms) coefficients << to_int(term.coefficient);
        auto const side = [&](Gecode::IntRelType relation, std::int64_t limit) {
            if (rule.condition) {
                Gecode::Reify const condition(flag(*rule.condition), Gecode::RM_IMP);
                Gecode::linear(home_, coefficients, variables, relation, to_int(limit), condition);
            } else {
                Gecode::linear(home_, coefficients, variables, relation, to_int(limit));
            }
        };
        if (rule.low == rule.high) return side(Gecode::IRT_EQ, rule.low);
        if (rule.low > -largest_model_number) side(Gecode::IRT_GQ, rule.low);
        if (rule.high < largest_model_number) side(Gecode::IRT_LQ, rule.high);
    }

    Gecode::Space& home_;
    std::vector<int> const& places_;
    Gecode::IntVarArray& integers_;
    Gecode::BoolVarArray& flags_;
    std::map<int, IntVar> twins_;
};

/// The cheapest value that the variable still has.
Gecode::IntValBranch cheapest_first(ConstraintModel const& model, Branching const& hint) {
    struct Prices {
        std::vector<std::int64_t> lows;
        std::vector<std::vector<std::int64_t>> costs;
    };
    auto const prices = std::make_shared<Prices>();
    prices->costs = hint.costs;
    for (std::size_t const v : hint.variables) prices->lows.push_back(model.variables[v].low);
    return Gecode::INT_VAL([prices](Gecode::Space const&, IntVar x, int i) {
        auto const& costs = prices->costs[static_cast<std::size_t>(i)];
        std::int64_t const low = prices->lows[static_cast<std::size_t>(i)];
        int best = x.min();
        for (Gecode::IntVarValues value(x); value(); ++value) {
            if (costs[static_cast<std::size_t>(value.val() - low)] < costs[static_cast<std::size_t>(best - low)]) {
                best = value.val();
            }
        }
        return best;
    });
}

void post_branching(Gecode::Space& home, ConstraintModel const& model, Branching const& hint, IntVarArgs const& x,
                    Gecode::Rnd const& random) {
    if (x.size() == 0) return;
    Gecode::IntValBranch const values = hint.costs.empty() ? Gecode::INT_VAL_MIN() : cheapest_first(model, hint);
    switch (hint.pick) {
    case Branching::Pick::in_order: Gecode::branch(home, x, Gecode::INT_VAR_NONE(), values); return;
    case Branching::Pick::smallest_value:
        Gecode::branch(home, x, Gecode::tiebreak(Gecode::INT_VAR_MIN_MIN(), Gecode::INT_VAR_RND(random)), values);
        return;
    case Branching::Pick::order_of_tasks: return;
    case Branching::Pick::fewest_per_failure:
        Gecode::IntAFC const failures(home, x, 0.99);
        Gecode::branch(home, x, Gecode::tiebreak(Gecode::INT_VAR_AFC_SIZE_MAX(failures), Gecode::INT_VAR_RND(random)),
                       values);
        return;
    }
}

} // namespace

GecodeSpace::GecodeSpace(ConstraintModel const& model, std::uint64_t seed) {
    auto layout = std::make_shared<Layout>();
    int integers = 0;
    int flags = 0;
    for (IntVariable const& variable : model.variables) {
        layout->places.push_back(is_flag(variable) ? -1 - flags++ : integers++);
    }
    ordered_.resize(collect_resources(model, *layout), false);
    layout_ = layout;
    integers_ = Gecode::IntVarArray(*this, integers);
    flags_ = Gecode::BoolVarArray(*this, flags);
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
        int const place = layout->places[v];
        int const low = to_int(model.variables[v].low);
        int const high = to_int(model.variables[v].high);
        if (place >= 0) integers_[place] = IntVar(*this, low, high);
        if (place < 0) flags_[-1 - place] = BoolVar(*this, low, high);
    }
    Poster poster(*this, layout->places, integers_, flags_);
    for (Constraint const& constraint : model.constraints) {
        std::visit(poster, constraint.rule);
        if (failed()) return;
    }
    Gecode::Rnd const random(static_cast<unsigned int>(seed ^ (seed >> 32U)));
    for (Branching const& hint : model.branchings) {
        if (hint.pick == Branching::Pick::order_of_tasks) branch_on_orders(*this);
        post_branching(*this, model, hint, poster.list(hint.variables), random);
    }
    Gecode::branch(*this, integers_, Gecode::INT_VAR_NONE(), Gecode::INT_VAL_MIN());
    Gecode::branch(*this, flags_, Gecode::BOOL_VAR_NONE(), Gecode::BOOL_VAL_MIN());
}

GecodeSpace::GecodeSpace(GecodeSpace& other) : Gecode::Space(other), layout_(other.layout_), ordered_(other.ordered_) {
    integers_.update(*this, other.integers_);
    flags_.update(*this, other.flags_);
}

std::vector<std::int64_t> GecodeSpace::assignment() const {
    std::vector<std::int64_t> values;
    for (int const place : layout_->places) {
        values.push_back(place >= 0 ? integers_[place].val() : flags_[-1 - place].val());
    }
    return values;
}

} // namespace cax
