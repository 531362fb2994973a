#pragma once
// What the instances of all routing problems have in common: nodes in the plane, node 0 the depot, action = next node,
// and numbers that stand in a table of fields (src/problems/routing/field.hpp).
//
// Every number is a float32, because that is what rl4co's environments and the policies compute with.
#include "cax/problems/point.hpp"
#include "cax/problems/problem.hpp"
#include "cax/problems/routing/distance_table.hpp"

namespace cax::routing {

/// Depot included, so node n is row n of everything that the depot has, too.
inline constexpr std::size_t max_nodes = 10'000;

/// What policies are shown of lengths and of what a visit is worth, where an instance has numbers of another size than
/// those that policies are trained on. Rules, costs and words keep the instance's own numbers.
struct Shown {
    double length = 1; ///< lengths and times are multiplied by this
    double worth = 1;  ///< and so is what a visit is worth
    Point corner{};    ///< places are counted from here
    bool operator==(Shown const&) const = default;
};

/// An instance as plain columns, in the order of the problem's fields. Column 0 holds the places.
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
    [[nodiscard]] std::span<Point const> places() const { return places_; }
    [[nodiscard]] std::size_t nodes() const { return places_.size(); }         ///< N+1
    [[nodiscard]] std::size_t customers() const { return places_.size() - 1; } ///< N
    /// float32 distances from `node` to every node, bit for bit those of rl4co. Precondition: out.size() == nodes().
    void distances_from(std::size_t node, std::span<float> out) const;

    [[nodiscard]] std::string name() const override { return numbers_.name; }
    [[nodiscard]] std::string size() const override;
    /// Every customer; problems that know better say so.
    [[nodiscard]] std::vector<std::size_t> start_actions() const override;
    [[nodiscard]] Result<Solution> solution_of(std::span<std::size_t const> actions) const override;
    [[nodiscard]] CheckReport check(Solution const& solution, DistanceRule rule = DistanceRule::exact) const final;

    /// What policies see of a number of the instance that acts at every node: one value per node. Only for fields that
    /// say so (Field::spread).
    [[nodiscard]] virtual std::span<float const> spread(std::size_t /*field*/) const { return {}; }

protected:
    /// Precondition: valid numbers.
    explicit Instance(Numbers numbers);
    /// From the definition, in double precision; never calls a state.
    [[nodiscard]] virtual CheckReport check_routes(Routes const& routes, DistanceRule rule) const = 0;

private:
    Numbers numbers_;
    std::vector<Point> places_;
    DistanceTable table_;
};

} // namespace cax::routing
