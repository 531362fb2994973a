#pragma once
// An instance that is a table of numbers: nodes (customers, cities, items) with a few numbers each, and a few numbers
// of the whole. What the columns mean stands in a table of fields (src/problems/table/field.hpp).
//
// Every number is a float32, because that is what environments and policies compute with.
#include "cax/problems/point.hpp"
#include "cax/problems/problem.hpp"

#include <tuple>

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

/// A problem's own `Data` has its numbers by name. Data::columns() ties them in the order of the fields; a flag at the
/// end is whole_pairs.
template <class Data> [[nodiscard]] Numbers to_numbers(Data const& data) {
    Numbers numbers{.name = data.name};
    auto const add = [&]<class Member>(Member const& member) {
        if constexpr (std::is_same_v<Member, bool>)
            numbers.whole_pairs = member;
        else if constexpr (std::is_same_v<Member, float>)
            numbers.columns.push_back({member});
        else if constexpr (std::is_same_v<Member, std::vector<float>>)
            numbers.columns.push_back(member);
        else
            numbers.columns.push_back(to_column(member));
    };
    std::apply([&](auto const&... member) { (add(member), ...); }, Data::columns(data));
    return numbers;
}
template <class Data> [[nodiscard]] Data to_data(Numbers const& numbers) {
    Data data{.name = numbers.name};
    auto column = numbers.columns.begin();
    auto const take = [&]<class Member>(Member& member) {
        if constexpr (std::is_same_v<Member, bool>)
            member = numbers.whole_pairs;
        else if constexpr (std::is_same_v<Member, float>)
            member = (column++)->front();
        else if constexpr (std::is_same_v<Member, std::vector<float>>)
            member = *column++;
        else
            member = to_pairs<typename Member::value_type>(*column++);
    };
    std::apply([&](auto&... member) { (take(member), ...); }, Data::columns(data));
    return data;
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
    explicit Instance(Numbers numbers, std::size_t width = 1)
        : numbers_(std::move(numbers)), nodes_(numbers_.columns[0].size() / width) {}

private:
    Numbers numbers_;
    std::size_t nodes_;
};

/// Validates everything; the error names node, field and value. Columns that are not there are those that files may
/// lack.
[[nodiscard]] Result<InstancePtr> make_instance(cax::Problem const& problem, Numbers numbers);

/// What was made, as what it is.
template <class I> [[nodiscard]] Result<std::shared_ptr<I const>> made_as(Result<InstancePtr> made) {
    if (!made) return made.error();
    return std::static_pointer_cast<I const>(*std::move(made));
}

/// What the Instance `I` of every problem has: its `Data` and the problem it belongs to. `Base` is Instance or what a
/// kit makes of it.
template <class I, class Data, cax::Problem const& (*problem_of_it)(), class Base = Instance>
class InstanceOf : public Base {
public:
    /// Validates everything; the error names node, field and value.
    [[nodiscard]] static Result<std::shared_ptr<I const>> make(Data const& data) { return made_as<I>(make_any(data)); }
    /// The same for those who need not know which problem it is.
    [[nodiscard]] static Result<InstancePtr> make_any(Data const& data) {
        return make_instance(problem_of_it(), to_numbers(data));
    }
    /// Precondition: valid numbers.
    explicit InstanceOf(Numbers numbers) : Base(std::move(numbers)), data_(to_data<Data>(this->numbers())) {}

    [[nodiscard]] Data const& data() const { return data_; }
    [[nodiscard]] cax::Problem const& problem() const override { return problem_of_it(); }

protected:
    Data data_;
};

/// The Instance `V` of a problem whose instances have the numbers of `I`, which belongs to another: the same files, and
/// all that `I` says and `V` does not override.
template <class V, class I, cax::Problem const& (*problem_of_it)()> class VariantOf : public I {
public:
    using I::I;
    [[nodiscard]] static Result<std::shared_ptr<V const>> make(auto const& data) { return made_as<V>(make_any(data)); }
    [[nodiscard]] static Result<InstancePtr> make_any(auto const& data) {
        return make_instance(problem_of_it(), to_numbers(data));
    }
    [[nodiscard]] cax::Problem const& problem() const final { return problem_of_it(); }
};

} // namespace cax::table
