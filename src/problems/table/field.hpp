#pragma once
// One row per field of an instance. Everything that treats fields alike reads this table: validation, JSON, arrays,
// features and their gradients, changes, words, drawings. The README of this folder explains it column by column.
#include "cax/problems/table/instance.hpp"

#include <array>

namespace cax::table {

/// Which entries a field has.
enum class Entries {
    nodes,         ///< one per node, the depot's first
    depot_is_zero, ///< one per node; the depot's is 0, and files do not hold it
    customers,     ///< one per customer: the depot has none
    instance,      ///< one number
};

/// What its numbers must be, beyond finite and of sensible size.
enum class Limits {
    any,
    not_negative,
    positive, ///< numbers of the instance
    fraction, ///< of the capacity: 0 to 1; JSON holds it in the units of the capacity
    ordered,  ///< a pair, the first not larger than the second; JSON writes whole pairs without a point
};

/// What it is multiplied with when distances, or what a node is worth, are brought into another unit.
enum class Scale { none, length, worth };

/// Words for one component. {who} "customer 3" or "depot", {the} "the depot", {owner} "customer 3's", {to} and {from}.
struct EntryWords {
    std::string_view what;   ///< "{who}: prize"
    std::string_view change; ///< to follow "if": "{owner} prize were {to} instead of {from}"
};

struct Field {
    // What it is.
    std::string_view name; ///< rl4co's tensor
    Entries entries = Entries::nodes;
    std::size_t width = 1;
    Limits limits = Limits::any;
    double lowest_changed = 0; ///< what the envelope and changed instances let pass of not_negative
    Scale scale = Scale::none;

    // How files hold it.
    std::string_view key{};                  ///< in JSON; empty: each component under its label
    std::array<std::string_view, 2> label{}; ///< of each component, in errors
    bool depot_may_lack = false;             ///< in JSON: no entry at the depot is 0
    std::string_view array{};                ///< its name in data sets, if it is not `name`
    std::optional<float> lacking{};          ///< what it is where a data set, or JSON at a node, has none
    bool column_array = false;               ///< of one number per instance: its array has shape [B, 1], not [B]
    std::string_view whole = "capacity";     ///< of a fraction: the number of the instance that it is a fraction of
    std::string_view whole_unit = "load";    ///< and what a person would call its unit

    // What a policy and its explanations see. Fields that are no feature stand at the end of the table.
    bool feature = true;
    std::size_t family = 0;
    double budget = 0;
    std::string_view unit{};
    double grain = 0;    ///< the smallest step that a person would ask for
    bool spread = false; ///< of the instance: Instance::spread() says what it means at each node
    /// The last number of the depot's entry is the unit in which policies see the others: nothing moves the depot's
    /// entry, and it belongs to no constraint.
    bool in_depot_units = false;
    /// The scalar of the context that entry 0 is added to. What nodes have are columns of their rows, in this order.
    std::optional<std::size_t> context{};
    std::array<EntryWords, 2> words{}; ///< per component
    std::array<EntryWords, 2> depot{}; ///< entry 0, where its words differ
};

/// What policies are shown of it, as a multiple of what it is.
[[nodiscard]] double factor_of(Shown const& shown, Scale scale);
/// Entries times width, in states, features and columns.
[[nodiscard]] std::size_t count_of(Field const& field, std::size_t nodes);
/// Its shape in states and features.
[[nodiscard]] Shape shape_of(Field const& field, std::size_t nodes);
/// A field without entry at the depot counts from customer 1.
[[nodiscard]] constexpr std::size_t first_node(Field const& field) {
    return field.entries == Entries::customers ? 1 : 0;
}
/// The first node with an entry in files.
[[nodiscard]] constexpr std::size_t first_in_files(Field const& field) {
    return field.entries == Entries::nodes || field.entries == Entries::instance ? 0 : 1;
}
/// The entry of a node that has one, in the field's column.
[[nodiscard]] inline std::span<float const> entry_of(Field const& field, std::vector<float> const& column,
                                                     std::size_t node) {
    return std::span(column).subspan((node - first_node(field)) * field.width, field.width);
}

/// The whole number of units if that is what a fraction of the capacity came from, else the product.
[[nodiscard]] double in_units(float fraction, float capacity);
/// Are all pairs of this column whole numbers?
[[nodiscard]] bool is_whole(std::vector<float> const& column);
/// What this field's fractions are fractions of (Field::whole), 1 if the table has no such number.
[[nodiscard]] float capacity_of(Numbers const& numbers, std::span<Field const> fields, Field const& fraction);

/// What nodes are called.
struct NodeWords {
    bool depot = true; ///< node 0 is the depot
    std::string_view one = "customer";
    std::string_view many = "customers"; ///< also their key in JSON
};
/// "depot", "customer 17", "city 0".
[[nodiscard]] std::string node_name(std::size_t node, NodeWords const& words);

/// Error, naming node, field and value, unless the numbers make an instance. `changed` ones may be slightly wrong
/// (Field::lowest_changed), and certification then says so.
enum class Origin { given, changed };
[[nodiscard]] Result<void> validate(Numbers const& numbers, std::span<Field const> fields, NodeWords const& words,
                                    Origin origin);

} // namespace cax::table
