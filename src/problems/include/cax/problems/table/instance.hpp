#pragma once
// An instance that is a table of numbers: nodes (customers, cities, items) with a few numbers each, and a few numbers
// of the whole. What the columns mean stands in a table of fields (src/problems/table/field.hpp).
//
// Every number is a float32, because that is what environments and policies compute with.
#include "cax/problems/point.hpp"
#include "cax/problems/problem.hpp"

namespace cax::table {

/// Depot included, so node n is row n of everything that the depot has, too.
inline constexpr std::size_t max_nodes = 10'000;

/// What policies are shown of lengths and of what a node is worth, where an instance has numbers of another size than
/// those that policies are trained on. Rules, costs and words keep the instance's own numbers.
struct Shown {
    double length = 1; ///< lengths and times are multiplied by this
    double worth = 1;  ///< and so is what a node is worth
    Point corner{};    ///< places are counted from here
    bool operator==(Shown const&) const = default;
};

/// An instance as plain columns, in the order of the problem's fields. Every node has an entry in column 0.
struct Numbers {
    std::string name{};
    std::vector<std::vector<float>> columns{}; ///< by field: width numbers per entry
    /// Pairs (time windows) are whole numbers and stay so (rl4co's int32): the published code truncates perturbed ones.
    bool whole_pairs = false;
    Shown shown{};
};

/// A column of pairs as structs of two floats, and back.
template <class Pair> [[nodiscard]] std::vector<Pair> to_pairs(std::vector<float> const& column) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i + 1 < column.size(); i += 2) pairs.push_back({column[i], column[i + 1]});
    return pairs;
}
template <class Pair> [[nodiscard]] std::vector<float> to_column(std::vector<Pair> const& pairs) {
    std::vector<float> column;
    for (auto const& [first, second] : pairs) column.insert(column.end(), {first, second});
    return column;
}

class Instance : public cax::Instance {
public:
    [[nodiscard]] Numbers const& numbers() const { return numbers_; }
    [[nodiscard]] std::size_t nodes() const { return nodes_; }

    [[nodiscard]] std::string name() const override { return numbers_.name; }
    [[nodiscard]] std::string size() const override;
    /// Every node but the depot; problems that know better say so.
    [[nodiscard]] std::vector<std::size_t> start_actions() const override;

    /// What policies see of a number of the instance that acts at every node: one value per node. Only for fields that
    /// say so (Field::spread).
    [[nodiscard]] virtual std::span<float const> spread(std::size_t /*field*/) const { return {}; }

protected:
    /// Preconditions: valid numbers; column 0 has `width` of them per node.
    Instance(Numbers numbers, std::size_t width)
        : numbers_(std::move(numbers)), nodes_(numbers_.columns[0].size() / width) {}

private:
    Numbers numbers_;
    std::size_t nodes_;
};

} // namespace cax::table
