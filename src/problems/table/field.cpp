#include "field.hpp"

#include "../errors.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::table {
namespace {

/// Beyond this, coordinates, prizes and times are a mistake; below it, squared distances stay far from float32's range.
constexpr float largest_value = 1e9F;
/// Whole numbers up to here are exact in float32.
constexpr float largest_integer = 16'777'216.0F;

Result<void> check_fraction(Field const& field, float value, float capacity) {
    if (!std::isfinite(value) || value < 0) {
        return invalid("{} is {}: expected a fraction of the capacity", field.label[0], value);
    }
    if (value <= 1) return {};
    return invalid("{0} is {1} times the capacity: it fits nowhere ({0} must be divided by the capacity {2})",
                   field.label[0], value, capacity);
}

Result<void> check_pair(Field const& field, std::span<float const> pair, bool whole) {
    if (pair[1] < pair[0]) return invalid("{0} closes ({1}) before it opens ({2})", field.key, pair[1], pair[0]);
    for (float const value : pair) {
        if (whole && (value != std::trunc(value) || std::fabs(value) > largest_integer)) {
            return invalid("{} has {}: expected whole numbers up to {}", field.key, value, largest_integer);
        }
    }
    return {};
}

Result<void> check_entry(Field const& field, std::span<float const> entry, float lowest, bool whole) {
    for (std::size_t c = 0; c < entry.size(); ++c) {
        if (std::isfinite(entry[c]) && std::fabs(entry[c]) <= largest_value) continue;
        return invalid("{} is {}: expected a number of at most {} in size", field.label[c], entry[c], largest_value);
    }
    if (field.limits == Limits::ordered) return check_pair(field, entry, whole);
    if (field.limits == Limits::not_negative && entry[0] < lowest) {
        return invalid("{} is negative ({})", field.label[0], entry[0]);
    }
    return {};
}

Result<void> check_node(Numbers const& numbers, std::span<Field const> fields, std::size_t node, Origin origin) {
    for (std::size_t f = 0; f < fields.size(); ++f) {
        Field const& field = fields[f];
        if (field.entries == Entries::instance || node < first_node(field)) continue;
        auto const entry = entry_of(field, numbers.columns[f], node);
        auto const lowest = static_cast<float>(origin == Origin::changed ? field.lowest_changed : 0);
        auto ok = field.limits == Limits::fraction
                      ? check_fraction(field, entry[0], capacity_of(numbers, fields, field))
                      : check_entry(field, entry, lowest, numbers.whole_pairs);
        if (!ok) return ok;
        if (node == 0 && field.entries == Entries::depot_is_zero && entry[0] != 0) {
            return invalid("{} is {}: expected 0", field.label[0], entry[0]);
        }
    }
    return {};
}

} // namespace

double factor_of(Shown const& shown, Scale scale) {
    return scale == Scale::length ? shown.length : scale == Scale::worth ? shown.worth : 1;
}

std::size_t count_of(Field const& field, std::size_t nodes) {
    if (field.entries == Entries::instance) return field.spread ? nodes : field.width;
    return (nodes - first_node(field)) * field.width;
}

Shape shape_of(Field const& field, std::size_t nodes) {
    if (field.entries == Entries::instance && !field.spread) return field.column_array ? Shape{1} : Shape{};
    Shape shape{nodes - first_node(field)};
    if (field.width > 1) shape.push_back(field.width);
    return shape;
}

double in_units(float fraction, float capacity) {
    double const units = double{fraction} * double{capacity};
    double const whole = std::round(units);
    return static_cast<float>(whole / double{capacity}) == fraction ? whole : units;
}

bool is_whole(std::vector<float> const& column) {
    return std::ranges::all_of(column, [](float value) { return value == std::trunc(value); });
}

float capacity_of(Numbers const& numbers, std::span<Field const> fields, Field const& fraction) {
    auto const place = std::ranges::find(fields, fraction.whole, &Field::name);
    return place == fields.end() ? 1 : numbers.columns[static_cast<std::size_t>(place - fields.begin())][0];
}

Result<void> validate(Numbers const& numbers, std::span<Field const> fields, NodeWords const& words, Origin origin) {
    std::size_t const nodes = numbers.columns[0].size() / fields[0].width;
    if (nodes < 2 && words.depot) return invalid("there are no {}", words.many);
    if (nodes < 2) return invalid("there are {} {}, expected at least 2", nodes, words.many);
    if (nodes > max_nodes) return invalid("{} nodes: at most {} are supported", nodes, max_nodes);
    for (std::size_t f = 0; f < fields.size(); ++f) {
        Field const& field = fields[f];
        std::size_t const found = numbers.columns[f].size() / field.width;
        std::size_t const expected = field.entries == Entries::instance ? 1 : nodes - first_node(field);
        if (found != expected) return invalid("{} has {} entries, expected {}", field.name, found, expected);
    }
    for (std::size_t f = 0; f < fields.size(); ++f) {
        if (fields[f].entries != Entries::instance) continue;
        float const value = numbers.columns[f][0];
        if (fields[f].limits == Limits::positive && !(value > 0 && value <= largest_value)) {
            return invalid("{} is {}: expected a positive number up to {}", fields[f].label[0], value, largest_value);
        }
    }
    for (std::size_t node = 0; node < nodes; ++node) {
        if (auto ok = check_node(numbers, fields, node, origin); !ok) return ok.error().within(node_name(node, words));
    }
    return {};
}

std::string node_name(std::size_t node, NodeWords const& words) {
    return node == 0 && words.depot ? "depot" : fmt::format("{} {}", words.one, node);
}

} // namespace cax::table
