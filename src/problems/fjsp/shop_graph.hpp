#pragma once
// A schedule as a graph: every operation has a machine and a place in that machine's order, and starts when its
// predecessors in job and order are done. Heads (earliest starts) and tails (what must still follow) are longest paths,
// so that the makespan after moving one operation is known without making the move.
#include "cax/problems/fjsp/instance.hpp"

#include <cstdint>

namespace cax::fjsp {

/// A place in a machine's order.
struct Place {
    std::size_t machine = 0;
    std::size_t position = 0;
    bool operator==(Place const&) const = default;
};

class ShopGraph {
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    /// Machines are idle. Keeps a pointer.
    explicit ShopGraph(Instance const& instance);

    /// Puts an operation that is nowhere at the end of a machine's order.
    void append(std::size_t operation, std::size_t machine);
    /// Takes it out of its order; it keeps nothing but its job.
    void take_out(std::size_t operation);
    void put(std::size_t operation, Place const& place);
    /// It cannot start earlier than this.
    void release(std::size_t operation, double time) { release_[operation] = time; }
    /// The operations at the beginning of all orders stay where they are: nothing is ever put before them.
    void hold_orders();

    /// Brings heads, tails and makespan up to date. False if the orders contradict the jobs: there is a cycle.
    [[nodiscard]] bool refresh();
    [[nodiscard]] double makespan() const { return makespan_; }
    /// A power mean of the times at which machines are done: close to the makespan, but it also falls when a machine
    /// that is not the last one gets done earlier, which the makespan cannot see.
    [[nodiscard]] double smooth_makespan() const;
    /// On some longest path.
    [[nodiscard]] bool critical(std::size_t operation) const;
    [[nodiscard]] Place place_of(std::size_t operation) const;

    /// Where an operation that has been taken out can go on a machine without a cycle: positions from first to last.
    /// Precondition: refreshed without it.
    [[nodiscard]] std::pair<std::size_t, std::size_t> room_for(std::size_t operation, std::size_t machine) const;

    [[nodiscard]] Schedule schedule() const;

private:
    [[nodiscard]] std::size_t job_before(std::size_t operation) const {
        return instance_->has_predecessor(operation) ? operation - 1 : none;
    }
    [[nodiscard]] std::size_t job_after(std::size_t operation) const {
        return operation < instance_->last_operation(instance_->job_of(operation)) ? operation + 1 : none;
    }
    [[nodiscard]] double end(std::size_t operation) const {
        return operation == none ? 0 : head_[operation] + time_[operation];
    }
    [[nodiscard]] double rest(std::size_t operation) const {
        return operation == none ? 0 : time_[operation] + tail_[operation];
    }
    void renumber(std::size_t machine, std::size_t from);
    [[nodiscard]] bool sort();

    Instance const* instance_;
    std::vector<std::vector<std::size_t>> order_; ///< by machine
    std::vector<std::size_t> machine_;            ///< by operation; none if it has been taken out
    std::vector<std::size_t> position_;
    std::vector<double> time_; ///< on its machine; 0 if it has been taken out
    std::vector<double> release_;
    std::vector<std::size_t> held_; ///< by machine: how many operations stay at the beginning of its order
    std::vector<double> head_;
    std::vector<double> tail_;
    std::vector<std::size_t> sorted_; ///< every operation behind its predecessors
    std::vector<std::uint8_t> waiting_for_;
    double makespan_ = 0;
};

} // namespace cax::fjsp
