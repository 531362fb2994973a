// Wrong data of states. Open are the nodes that have not been dealt with (State::is_open()); with them the family's
// numbers of the state (State::scalars()). Windows
// that come out the wrong way round are turned, fractions stay positive and at most 1, what is not negative stays so.
//
// One standard deviation of a field is that of what the generator draws at this size, measured once with a fixed seed.
// The state's own numbers are no draws: theirs is measured over episodes of random allowed actions on those instances.
#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <mutex>

namespace cax::table {
namespace {

constexpr std::uint64_t noise_seed = 0x6e6f697365;
/// Instances that are drawn: large ones hold as many numbers in fewer of them, and their episodes are long.
constexpr std::size_t most_drawn = 32, least_drawn = 4, drawn_nodes = 4000;
/// No demand falls below this part of the capacity.
constexpr float least_fraction = 0.001F;

/// Mean and deviation of numbers that come one by one (Welford).
class Moments {
public:
    void add(double value) {
        ++count_;
        double const before = value - mean_;
        mean_ += before / static_cast<double>(count_);
        squares_ += before * (value - mean_);
    }
    [[nodiscard]] double deviation() const {
        return count_ > 0 ? std::sqrt(squares_ / static_cast<double>(count_)) : 0;
    }

private:
    std::size_t count_ = 0;
    double mean_ = 0;
    double squares_ = 0;
};

struct Spread {
    std::vector<std::array<double, 2>> fields; ///< by field and component
    std::vector<double> scalars;
};

void measure_fields(Instance const& instance, Problem const& problem, std::vector<std::array<Moments, 2>>& moments) {
    auto const fields = problem.fields();
    bool const depot = problem.look().nodes.depot;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        auto const& column = instance.numbers().columns[f];
        bool const of_instance = fields[f].entries == Entries::instance;
        for (std::size_t i = 0; i < column.size(); ++i) {
            std::size_t const node = i / fields[f].width + first_node(fields[f]);
            if (of_instance || f == 0 || node > 0 || !depot) moments[f][i % fields[f].width].add(double{column[i]});
        }
    }
}

/// What each number of the state was at the moments of a random episode.
std::vector<std::vector<double>> random_moments(cax::Instance const& instance, Rng& rng) {
    std::vector<std::vector<double>> moments;
    StatePtr const base = instance.reset();
    auto& state = static_cast<State&>(*base);
    while (!state.done()) {
        auto const scalars = state.scalars();
        moments.resize(scalars.size());
        for (std::size_t k = 0; k < scalars.size(); ++k) {
            if (scalars[k].open) moments[k].push_back(scalars[k].value);
        }
        std::vector<std::size_t> allowed;
        for (std::size_t a = 0; a < state.action_mask().size(); ++a) {
            if (state.action_mask()[a] != 0) allowed.push_back(a);
        }
        if (allowed.empty()) break;
        state.step(allowed[rng.below(allowed.size())]);
    }
    return moments;
}

void measure_scalars(cax::Instance const& instance, Rng& rng, std::vector<Moments>& moments) {
    auto const values = random_moments(instance, rng);
    moments.resize(std::max(moments.size(), values.size()));
    for (std::size_t k = 0; k < values.size(); ++k) {
        for (double const value : values[k]) moments[k].add(value);
    }
}

Result<Spread> measured_spread(Problem const& problem, std::string const& size) {
    std::vector<std::array<Moments, 2>> fields(problem.fields().size());
    std::vector<Moments> scalars;
    std::size_t count = most_drawn;
    for (std::uint32_t i = 0; i < count; ++i) {
        Rng rng(noise_seed, i);
        auto const drawn = problem.generate(size, {}, rng);
        if (!drawn) return drawn.error();
        auto const& instance = static_cast<Instance const&>(**drawn);
        count = std::clamp(drawn_nodes / instance.nodes(), least_drawn, most_drawn);
        measure_fields(instance, problem, fields);
        measure_scalars(instance, rng, scalars);
    }
    Spread spread;
    for (auto const& field : fields) spread.fields.push_back({field[0].deviation(), field[1].deviation()});
    for (Moments const& scalar : scalars) spread.scalars.push_back(scalar.deviation());
    return spread;
}

Result<Spread> spread_of(Problem const& problem, std::string const& size) {
    static std::mutex mutex;
    static std::map<std::pair<std::string_view, std::string>, Spread> spreads; // measured once
    std::lock_guard const lock(mutex);
    std::pair const key(problem.info().name, size);
    if (auto const known = spreads.find(key); known != spreads.end()) return known->second;
    auto spread = measured_spread(problem, size);
    if (spread) spreads.emplace(key, *spread);
    return spread;
}

/// In the instance's own units, where policies are shown others.
Result<Spread> spread_for(Problem const& problem, Instance const& instance) {
    auto spread = spread_of(problem, instance.size());
    Shown const& shown = instance.numbers().shown;
    if (!spread || shown == Shown{}) return spread;
    auto const stretch = [&](Scale scale) { return 1 / factor_of(shown, scale); };
    for (std::size_t f = 0; f < spread->fields.size(); ++f) {
        for (double& deviation : spread->fields[f]) deviation *= stretch(problem.fields()[f].scale);
    }
    auto const& context = problem.look().context; // the numbers of the state, in the same order
    for (std::size_t k = 0; k < std::min(spread->scalars.size(), context.size()); ++k) {
        spread->scalars[k] *= stretch(context[k]);
    }
    return spread;
}

/// Back to what the field's entries can be.
void repair(Field const& field, std::span<float> entry) {
    switch (field.limits) {
    case Limits::any: break;
    case Limits::not_negative: entry[0] = std::max(entry[0], 0.0F); break;
    case Limits::positive: entry[0] = std::max(entry[0], std::numeric_limits<float>::min()); break;
    case Limits::fraction: entry[0] = std::clamp(entry[0], least_fraction, 1.0F); break;
    case Limits::ordered:
        if (entry[0] > entry[1]) std::swap(entry[0], entry[1]);
        break;
    }
}

void disturb_field(State const& state, std::size_t f, Field const& field, std::array<double, 2> const& deviations,
                   double size, Numbers& numbers, Rng& rng) {
    auto& column = numbers.columns[f];
    for (std::size_t i = 0; i < column.size(); i += field.width) {
        bool const of_instance = field.entries == Entries::instance;
        if (!of_instance && !state.is_open(f, i / field.width + first_node(field))) continue;
        std::span const entry = std::span(column).subspan(i, field.width);
        bool moved = false;
        for (std::size_t c = 0; c < field.width; ++c) {
            if (deviations[c] == 0) continue; // numbers that never vary are never wrong
            entry[c] = static_cast<float>(double{entry[c]} + size * deviations[c] * rng.normal());
            moved = true;
        }
        if (moved) repair(field, entry);
    }
    if (field.limits == Limits::ordered) numbers.whole_pairs = numbers.whole_pairs && is_whole(column);
}

/// The fresh instance's entries in place of those that are open.
void redraw_field(State const& state, std::size_t f, Field const& field, Numbers const& fresh, Numbers& numbers) {
    auto& column = numbers.columns[f];
    for (std::size_t i = 0; i < column.size(); ++i) {
        bool const of_instance = field.entries == Entries::instance;
        if (of_instance || state.is_open(f, i / field.width + first_node(field))) column[i] = fresh.columns[f][i];
    }
    if (field.limits == Limits::ordered) numbers.whole_pairs = numbers.whole_pairs && fresh.whole_pairs;
}

} // namespace

Result<std::vector<NoiseUnit>> Problem::noise_units(cax::Instance const& instance) const {
    auto const spread = spread_for(*this, static_cast<Instance const&>(instance));
    if (!spread) return spread.error();
    std::vector<NoiseUnit> units;
    for (std::size_t f = 0; f < fields_.size() && fields_[f].feature; ++f) {
        for (std::size_t c = 0; c < fields_[f].width; ++c) {
            std::string const name(fields_[f].name);
            units.push_back({fields_[f].width == 1 ? name : fmt::format("{}[{}]", name, c), fields_[f].family,
                             spread->fields[f][c]});
        }
    }
    auto const scalars = static_cast<State const&>(*instance.reset()).scalars();
    for (std::size_t k = 0; k < scalars.size(); ++k) {
        units.push_back({std::string(scalars[k].name), scalars[k].family, spread->scalars[k]});
    }
    return units;
}

Result<StatePtr> Problem::disturbed(cax::State const& any, std::size_t family, double size, Rng& rng) const {
    auto const& state = static_cast<State const&>(any);
    auto const spread = spread_for(*this, state.instance());
    if (!spread) return spread.error();
    Numbers numbers = state.instance().numbers();
    for (std::size_t f = 0; f < fields_.size() && fields_[f].feature; ++f) {
        if (fields_[f].family != family) continue;
        disturb_field(state, f, fields_[f], spread->fields[f], size, numbers, rng);
    }
    std::vector<double> scalars;
    std::size_t index = 0;
    for (StateScalar const& scalar : state.scalars()) {
        double const deviation = spread->scalars[index++];
        bool const wrong = scalar.family == family && scalar.open;
        double const moved = wrong ? scalar.value + size * deviation * rng.normal() : scalar.value;
        scalars.push_back(wrong ? std::clamp(moved, scalar.low, scalar.high) : moved);
    }
    auto instance = make(std::move(numbers), Origin::changed);
    if (!instance) return instance.error();
    return state.resumed(std::static_pointer_cast<Instance const>(*std::move(instance)), scalars);
}

Result<StatePtr> Problem::redrawn(cax::State const& any, std::size_t family, Rng& rng) const {
    auto const& state = static_cast<State const&>(any);
    // The generator's units are not those of a file that policies are shown in others.
    if (!(state.instance().numbers().shown == Shown{})) {
        return missing_capability(*this, "fresh draw in a file's own units");
    }
    auto const drawn = generate(state.instance().size(), {}, rng);
    if (!drawn) return drawn.error();
    Numbers const& fresh = static_cast<Instance const&>(**drawn).numbers();
    Numbers numbers = state.instance().numbers();
    for (std::size_t f = 0; f < fields_.size() && fields_[f].feature; ++f) {
        if (fields_[f].family == family) redraw_field(state, f, fields_[f], fresh, numbers);
    }
    auto const moments = random_moments(**drawn, rng);
    std::vector<double> scalars;
    for (StateScalar const& scalar : state.scalars()) {
        std::size_t const k = scalars.size();
        bool const wrong = scalar.family == family && scalar.open && k < moments.size() && !moments[k].empty();
        scalars.push_back(wrong ? std::clamp(moments[k][rng.below(moments[k].size())], scalar.low, scalar.high)
                                : scalar.value);
    }
    auto instance = make(std::move(numbers), Origin::changed);
    if (!instance) return instance.error();
    return state.resumed(std::static_pointer_cast<Instance const>(*std::move(instance)), scalars);
}

} // namespace cax::table
