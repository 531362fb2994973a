#include "state.hpp"

#include "problem.hpp"

#include <algorithm>
#include <cassert>

namespace cax::table {
namespace {

bool in_rows(Field const& field) { return field.feature && field.entries != Entries::instance; }

std::size_t columns_of(std::span<Field const> fields) {
    std::size_t columns = 0;
    for (Field const& field : fields) columns += in_rows(field) ? field.width : 0;
    return columns;
}

/// Calls visit(field, place in its feature, value of a row) for everything that a node's row shows.
template <class Rows, class Visit>
void for_rows(std::span<Field const> fields, std::size_t first_row, Rows& rows, Visit const& visit) {
    std::size_t column = 0;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        if (!in_rows(fields[f])) continue;
        std::size_t const width = fields[f].width;
        for (std::size_t r = 0; r < rows.rows(); ++r) {
            std::size_t const entry = r + first_row - first_node(fields[f]);
            for (std::size_t c = 0; c < width; ++c) visit(f, entry * width + c, rows(r, column + c));
        }
        column += width;
    }
}

/// Calls visit(number, factor, origin) for everything that is shown in other units.
template <class Visit>
void for_scaled(std::span<Field const> fields, Look const& look, Shown const& shown, GraphObservation& seen,
                Visit const& visit) {
    for (std::size_t k = 0; k < std::min(look.context.size(), seen.context.size()); ++k) {
        visit(seen.context[k], factor_of(shown, look.context[k]), 0.0);
    }
    if (!seen.depot.empty()) {
        visit(seen.depot[0], shown.length, double{shown.corner.x});
        visit(seen.depot[1], shown.length, double{shown.corner.y});
    }
    std::size_t column = 0;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        if (!in_rows(fields[f])) continue;
        double const factor = fields[f].in_depot_units ? 1 : factor_of(shown, fields[f].scale);
        for (std::size_t c = 0; c < fields[f].width; ++c, ++column) {
            double const origin = f > 0 ? 0 : c == 0 ? double{shown.corner.x} : double{shown.corner.y};
            for (std::size_t i = 0; i < seen.customers.rows(); ++i) visit(seen.customers(i, column), factor, origin);
        }
    }
}

Tensor flag_tensor(Shape shape, bool value) {
    std::uint8_t const byte = value ? 1 : 0;
    return Tensor::from_bools(std::move(shape), {&byte, 1});
}

/// Pairs of whole numbers are rl4co's int32.
Tensor column_tensor(Field const& field, Shape shape, std::vector<float> const& column, bool whole) {
    if (field.limits != Limits::ordered) return Tensor::from_floats(std::move(shape), column);
    std::vector<double> const values(column.begin(), column.end());
    return Tensor::from_doubles(whole ? Dtype::i32 : Dtype::f32, std::move(shape), values);
}

} // namespace

/// How policies see the numbers of nodes.
class State::Sight {
public:
    Sight(State const& state, Features const& features) : features_(features) {
        for (std::size_t f = 0; f < features.size(); ++f) {
            Field const& field = state.fields()[f];
            auto const left = state.left_of(f);
            shares_.push_back(left.has_value());
            units_.push_back(field.in_depot_units ? features[f].values[field.width - 1] : left.value_or(1));
        }
    }
    [[nodiscard]] double shown(std::size_t field, std::size_t place) const {
        return too_much(field, place) ? 1 : features_[field].values[place] / units_[field];
    }
    /// The derivative of what is shown, times this.
    [[nodiscard]] double pulled_back(std::size_t field, std::size_t place, double gradient) const {
        return too_much(field, place) ? 0 : gradient / units_[field];
    }
    [[nodiscard]] double unit(std::size_t field) const { return units_[field]; }

private:
    [[nodiscard]] bool too_much(std::size_t field, std::size_t place) const {
        return shares_[field] && features_[field].values[place] > units_[field];
    }
    Features const& features_;
    std::vector<bool> shares_; ///< of what is left
    std::vector<double> units_;
};

State::State(std::shared_ptr<Instance const> instance)
    : instance_(std::move(instance)), visited_(instance_->nodes(), 0), mask_(instance_->nodes(), 0) {}

std::span<Field const> State::fields() const { return table_of(*instance_).fields(); }

void State::step(std::size_t action) {
    assert(action < mask_.size());
    take(action);
    if (steps_ == 0) first_action_ = action;
    if (!done_) visited_[action] = 1; // a finished state waits for the others of its batch
    last_action_ = action;
    done_ = done_ || ends(action);
    ++steps_;
    look_around();
}

StatePtr State::resumed(std::shared_ptr<Instance const> instance, std::span<double const> scalars) const {
    StatePtr copy = clone();
    auto& state = static_cast<State&>(*copy);
    state.instance_ = std::move(instance);
    state.set_scalars(scalars);
    state.look_around();
    return copy;
}

std::span<float const> State::values_of(std::size_t field) const {
    return fields()[field].spread ? instance_->spread(field) : std::span(instance_->numbers().columns[field]);
}

Features State::features() const {
    Features features;
    for (std::size_t f = 0; f < fields().size() && fields()[f].feature; ++f) {
        auto const values = values_of(f);
        features.push_back({shape_of(fields()[f], instance_->nodes()), {values.begin(), values.end()}});
    }
    return features;
}

bool State::shows_shares() const {
    for (std::size_t f = 0; f < fields().size(); ++f) {
        if (left_of(f)) return true;
    }
    return false;
}

void State::show(GraphObservation& observation) const {
    observation.mask = mask_;
    observation.stepwise = shows_shares();
    show_place(observation);
    Shown const& shown = instance_->numbers().shown;
    if (shown == Shown{}) return;
    for_scaled(fields(), table_of(*instance_).look(), shown, observation,
               [](double& value, double factor, double origin) { value = factor * (value - origin); });
}

void State::pull_back_units(GraphObservation& gradient) const {
    Shown const& shown = instance_->numbers().shown;
    if (shown == Shown{}) return;
    for_scaled(fields(), table_of(*instance_).look(), shown, gradient,
               [](double& value, double factor, double) { value *= factor; });
}

std::size_t State::first_row() const { return table_of(*instance_).first_row(); }

Observation State::observe_for_decoding() const {
    if (shows_shares()) return observe();
    GraphObservation observation;
    observation.context = context();
    for (std::size_t f = 0; f < fields().size(); ++f) {
        if (auto const place = fields()[f].context) observation.context[*place] += values_of(f)[0];
    }
    show(observation);
    return observation;
}

Observation State::observe(Features const& features) const {
    GraphObservation observation;
    if (first_row() > 0) observation.depot = {features[0].values[0], features[0].values[1]};
    observation.customers = Matrix<double>(instance_->nodes() - first_row(), columns_of(fields()));
    Sight const sight(*this, features);
    for_rows(fields(), first_row(), observation.customers,
             [&](std::size_t f, std::size_t place, double& seen) { seen = sight.shown(f, place); });
    observation.context = context();
    for (std::size_t f = 0; f < features.size(); ++f) {
        assert(features[f].values.size() == count_of(fields()[f], instance_->nodes()));
        if (auto const place = fields()[f].context) observation.context[*place] += features[f].values[0];
    }
    show(observation);
    return observation;
}

Features State::pull_back(Observation const& gradient) const {
    auto const* given = std::get_if<GraphObservation>(&gradient);
    assert(given != nullptr && given->depot.size() == 2 * first_row() && given->nodes() == instance_->nodes());
    assert(given->customers.cols() == columns_of(fields()));
    GraphObservation graph = *given;
    pull_back_units(graph);
    Features features;
    for (std::size_t f = 0; f < fields().size() && fields()[f].feature; ++f) {
        Field const& field = fields()[f];
        std::size_t const nodes = instance_->nodes();
        features.push_back({shape_of(field, nodes), std::vector<double>(count_of(field, nodes))});
        if (field.context) features[f].values[0] = graph.context[*field.context];
    }
    std::ranges::copy(graph.depot, features[0].values.begin());
    Features const own = this->features();
    Sight const sight(*this, own);
    for_rows(fields(), first_row(), graph.customers, [&](std::size_t f, std::size_t place, double seen) {
        features[f].values[place] = sight.pulled_back(f, place, seen);
    });
    for (std::size_t f = 0; f < features.size(); ++f) {
        if (!fields()[f].in_depot_units) continue;
        // shown = value / unit: the unit moves everything that is measured in it.
        double const unit = sight.unit(f);
        double moved = 0;
        for (std::size_t i = 0; i < own[f].values.size(); ++i) moved += features[f].values[i] * own[f].values[i] / unit;
        features[f].values[fields()[f].width - 1] -= moved;
    }
    return features;
}

NamedTensors State::tensors() const {
    std::size_t const n = instance_->nodes();
    NamedTensors tensors;
    for (std::size_t f = 0; f < fields().size(); ++f) {
        Field const& field = fields()[f];
        auto const& column = instance_->numbers().columns[f];
        tensors[std::string(field.name)] =
            field.spread ? Tensor::from_floats({n}, instance_->spread(f))
                         : column_tensor(field, shape_of(field, n), column, instance_->numbers().whole_pairs);
    }
    tensors["visited"] = Tensor::from_bools({n}, visited_);
    tensors["action_mask"] = Tensor::from_bools({n}, mask_);
    tensors["done"] = flag_tensor({1}, done_);
    tensors["terminated"] = flag_tensor({1}, false); // rl4co never sets it
    if (steps_ > 0) {
        tensors["action"] = int_tensor({}, last_action_);
        tensors["reward"] = flag_tensor({}, false); // rl4co writes false here; it is not the reward
    }
    add_place(tensors);
    add_tensors(tensors);
    return tensors;
}

Tensor float_tensor(Shape shape, float value) { return Tensor::from_floats(std::move(shape), {&value, 1}); }

Tensor int_tensor(Shape shape, std::size_t value) {
    auto const number = static_cast<std::int64_t>(value);
    return Tensor::from_ints(Dtype::i64, std::move(shape), {&number, 1});
}

} // namespace cax::table
