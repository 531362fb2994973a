#pragma once
// What the instances of all routing problems have in common: nodes in the plane, node 0 the depot, action = next node,
// and numbers that stand in a table of fields (src/problems/routing/field.hpp).
//
// Every number is a float32, because that is what rl4co's environments and the policies compute with.
#include "cax/problems/point.hpp"
#include "cax/problems/problem.hpp"
#include "cax/problems/routing/distance_table.hpp"

#include <tuple>

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

struct Window {
    float open = 0;
    float close = 0;
    bool operator==(Window const&) const = default;
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

/// A problem's own `Data` has its numbers by name; Data::columns() ties them in the order of the fields, and where
/// there is a flag `whole_windows`, it is whole_pairs.
template <class Data> [[nodiscard]] Numbers to_numbers(Data const& data) {
    Numbers numbers{.name = data.name};
    auto const add = [&]<class Member>(Member const& member) {
        if constexpr (std::is_same_v<Member, float>)
            numbers.columns.push_back({member});
        else if constexpr (std::is_same_v<Member, std::vector<float>>)
            numbers.columns.push_back(member);
        else
            numbers.columns.push_back(to_column(member));
    };
    std::apply([&](auto const&... member) { (add(member), ...); }, Data::columns(data));
    if constexpr (requires { data.whole_windows; }) numbers.whole_pairs = data.whole_windows;
    return numbers;
}
template <class Data> [[nodiscard]] Data to_data(Numbers const& numbers) {
    Data data{.name = numbers.name};
    auto column = numbers.columns.begin();
    auto const take = [&]<class Member>(Member& member) {
        if constexpr (std::is_same_v<Member, float>)
            member = column->front();
        else if constexpr (std::is_same_v<Member, std::vector<float>>)
            member = *column;
        else
            member = to_pairs<typename Member::value_type>(*column);
        ++column;
    };
    std::apply([&](auto&... member) { (take(member), ...); }, Data::columns(data));
    if constexpr (requires { data.whole_windows; }) data.whole_windows = numbers.whole_pairs;
    return data;
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

/// Validates everything; the error names node, field and value. Columns that are not there are those that files may
/// lack.
[[nodiscard]] Result<InstancePtr> make_instance(cax::Problem const& problem, Numbers numbers);

/// What the Instance `I` of every problem has: its `Data` and the problem it belongs to. `Base` is what solvers see of
/// it: TourInstance, FleetInstance, or Instance for a problem with methods of its own.
template <class I, class Data, cax::Problem const& (*problem_of_it)(), class Base> class InstanceOf : public Base {
public:
    /// Validates everything; the error names node, field and value.
    [[nodiscard]] static Result<std::shared_ptr<I const>> make(Data const& data) {
        auto made = make_any(data);
        if (!made) return made.error();
        return std::static_pointer_cast<I const>(*std::move(made));
    }
    /// The same for those who need not know which problem it is.
    [[nodiscard]] static Result<InstancePtr> make_any(Data const& data) {
        return make_instance(problem_of_it(), to_numbers(data));
    }
    /// Precondition: valid numbers.
    explicit InstanceOf(Numbers numbers) : Base(std::move(numbers)), data_(to_data<Data>(this->numbers())) {}

    [[nodiscard]] Data const& data() const { return data_; }
    [[nodiscard]] cax::Problem const& problem() const final { return problem_of_it(); }

protected:
    Data data_;
};

} // namespace cax::routing
