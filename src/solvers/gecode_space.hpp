#pragma once
// A ConstraintModel posted into a Gecode space. Private to the adapter in csp_gecode.cpp.
#include "cax/model/constraint_model.hpp"

#include <gecode/int.hh>
#include <gecode/kernel.hh>

#include <memory>
#include <optional>
#include <vector>

namespace cax {

/// Two tasks that are present on one resource and whose order is open: `first` should rather come first.
struct OpenPair {
    int resource = 0;
    int first = 0; ///< places in the resource's list of tasks
    int second = 0;
    bool forced = false; ///< the other order is impossible
};

/// Flags become Boolean variables, everything else integer ones; an integer twin of a flag is made where a constraint
/// asks for one.
class GecodeSpace final : public Gecode::Space {
public:
    GecodeSpace(ConstraintModel const& model, std::uint64_t seed);
    GecodeSpace(GecodeSpace& other);
    Gecode::Space* copy() override { return new GecodeSpace(*this); }

    /// Of a solution: one value per variable of the model.
    [[nodiscard]] std::vector<std::int64_t> assignment() const;

    /// Of all pairs of tasks that are surely present on one resource, in no order yet: the one with least room.
    [[nodiscard]] std::optional<OpenPair> tightest_open_pair() const;
    /// `first` ends before `second` starts.
    void put_in_order(int resource, int first, int second);

private:
    static constexpr int always = -1;

    struct Task {
        int start = 0; ///< place among the integers
        int duration = 0;
        int presence = always; ///< place among the flags
    };
    struct Resource {
        std::vector<Task> tasks;
        std::size_t first_pair = 0; ///< in ordered_
    };
    /// What all copies of a space share.
    struct Layout {
        std::vector<int> places; ///< per variable of the model: k-th integer, or -1 - k for the k-th flag
        std::vector<Resource> resources;
    };
    [[nodiscard]] std::size_t pair_number(int resource, int a, int b) const;
    [[nodiscard]] std::size_t collect_resources(ConstraintModel const& model, Layout& layout) const;
    [[nodiscard]] std::optional<OpenPair> tightest_pair_of(int resource, double& least_room) const;

    Gecode::IntVarArray integers_;
    Gecode::BoolVarArray flags_;
    std::shared_ptr<Layout const> layout_;
    std::vector<bool> ordered_; ///< per pair of tasks of a resource: an order has been posted
};

/// Branches on the order of tasks until every pair is in order.
void branch_on_orders(GecodeSpace& home);

} // namespace cax
