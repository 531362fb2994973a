#pragma once
// Ends of routes: for every customer the undominated ways from there to the depot, at the prices of a linear program.
// The same ways end fresh routes and the route under way. They are found from the depot backwards, the latest arrival
// first: a label that has been looked at is never dominated later.
//
// With sets compared, the labels are exact: for every beginning of a route, the cheapest end that fits it is among them.
// A label dominates another at the same customer if it is no more expensive, no heavier and no earlier, and if its
// customers are in the other's set or out of the other's reach. Without sets they are some of the cheap ends.
#include "rest.hpp"
#include "work.hpp"

#include <cstdint>
#include <vector>

namespace cax::oracle {

/// What a route earns: the duals of the rows that it is in.
struct Prices {
    std::vector<double> row; ///< by customer, then the vehicle under way
    double route = 0;        ///< every route: the limit on vehicles, <= 0
};

/// The ends at one customer, the cheapest first.
struct Ends {
    std::vector<double> cost;        ///< reduced: length to the depot less the prices of the set
    std::vector<double> load;        ///< of the set
    std::vector<double> latest;      ///< arrival at the customer
    std::vector<CustomerSet> set;    ///< the customer included
    std::vector<std::uint32_t> label; ///< for BackwardLabels::way
    [[nodiscard]] std::size_t size() const { return cost.size(); }
};

class BackwardLabels {
public:
    BackwardLabels(Rest const& rest, Prices const& prices) : rest_(rest), prices_(prices), ends_(rest.customers()) {}

    enum class Dominance { with_sets, without_sets };
    /// False if the work ran out, or there are too many labels.
    [[nodiscard]] bool run(Dominance dominance, Work& work);

    [[nodiscard]] Ends const& at(std::size_t customer) const { return ends_[customer]; }
    /// The customers of a label, in the order of driving.
    [[nodiscard]] std::vector<std::size_t> way(std::uint32_t label) const;

private:
    struct Label {
        double cost = 0;
        double load = 0;
        double latest = 0;
        CustomerSet set = 0;
        CustomerSet blocked = 0; ///< the set, and all that cannot come before it
        std::uint32_t next = 0;
        std::uint32_t customer = 0;
    };
    /// Which customers can no longer come before a label at one customer: those that need more time than is left.
    struct Reach {
        std::vector<double> need;         ///< ascending: the latest arrival must be at least that
        std::vector<CustomerSet> blocked; ///< by how many needs are met
    };

    void prepare();
    void extend(std::uint32_t index, Dominance dominance, Work& work);
    void create(std::size_t customer, std::uint32_t next, double latest, Dominance dominance, Work& work);
    [[nodiscard]] CustomerSet out_of_reach(Label const& label) const;
    [[nodiscard]] bool dominated(Label const& label, Dominance dominance, Work& work) const;
    void keep(std::uint32_t index);
    /// A label that is to be looked at, with what says when.
    struct Waiting {
        double latest = 0;
        double load = 0;
        std::uint32_t label = 0;
    };
    [[nodiscard]] bool later(Waiting const& a, Waiting const& b) const;

    Rest const& rest_;
    Prices const& prices_;
    std::vector<Label> labels_;
    std::vector<Waiting> open_; ///< a heap
    std::vector<Ends> ends_;
    std::vector<Reach> reach_;
    std::vector<double> loads_;           ///< demands, ascending
    std::vector<CustomerSet> too_heavy_;  ///< by how many of them fit
    std::vector<double> earliest_;        ///< arrival of a fresh vehicle, service begun
};

} // namespace cax::oracle
