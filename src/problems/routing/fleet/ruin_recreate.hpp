#pragma once
// Slack induction by string removals (Christiaens and Vanden Berghe, Transportation Science 54, 2020): take strings of
// neighbouring customers out of a few routes that pass close to each other, then put everybody back greedily, blinking
// at some places. A Plan is a set of routes on which this can be done; simulated annealing around it decides which
// attempts stay: the engine of every search for short routes.
#include "timed_route.hpp"

#include "cax/core/rng.hpp"
#include "cax/problems/search.hpp"

namespace cax::routing {

/// May customers that fit nowhere get a vehicle of their own, or do they stay absent?
enum class Fleet { grows, is_fixed };

class Plan {
public:
    /// Everybody is absent. Precondition: Network::can_be_served() for every customer. Keeps a reference.
    explicit Plan(Network const& network);
    /// The same with a first vehicle under way: those in `head` are on its route to stay.
    Plan(Network const& network, std::vector<Node> const& head);

    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] std::size_t vehicles() const;
    [[nodiscard]] std::vector<Node> const& absent() const { return absent_; }
    [[nodiscard]] Routes routes() const;
    [[nodiscard]] std::vector<TimedRoute> const& slots() const { return slots_; } ///< some of them empty

    /// Puts everybody where these routes have them. Precondition: whoever is on them is absent, the routes are
    /// feasible.
    void follow(Routes const& routes);
    /// Lets the vehicle under way go on like this, as far as it can: who does not fit stays absent. Precondition: there
    /// is one, and all of these are absent.
    void go_on(std::vector<Node> const& customers);
    /// Takes strings of customers out of a few routes.
    void ruin(Rng& rng);
    /// Takes all customers of one route out.
    void disband(std::size_t slot);
    /// Puts absent customers back, one after the other, each at the cheapest place at which it does not blink.
    void recreate(Rng& rng, Fleet fleet);

    /// Makes this plan equal to `other` by copying the routes that either of the two has touched since they were last
    /// equal. Both then count as untouched.
    void become(Plan& other);

private:
    struct Place {
        std::size_t slot = 0;
        std::size_t position = 0;
        double cost = std::numeric_limits<double>::infinity();
    };
    void cut(std::size_t slot, Node customer, std::size_t length, Rng& rng);
    void take_out_marked(std::size_t slot);
    void order_absent(Rng& rng);
    [[nodiscard]] Place best_place(Node customer, Rng& rng);
    [[nodiscard]] bool blinks(Rng& rng);
    [[nodiscard]] std::size_t empty_slot();
    void add_up();

    Network const& network_;
    std::vector<TimedRoute> slots_;
    std::vector<std::size_t> slot_of_; ///< by customer
    std::vector<Node> absent_;
    std::size_t staying_ = 0; ///< customers that are neither absent nor can be taken out
    double length_ = 0;
    std::vector<std::uint8_t> marks_;   ///< by stop of the route that is being cut
    std::uint64_t places_to_blink_ = 0; ///< how many places are looked at before the next blink
};

// Temperatures at the beginning, as a multiple of the length per customer.
inline constexpr double hot = 1;
inline constexpr double warm = 0.1; ///< if there is a first solution: it is not to be forgotten

struct Annealed {
    Routes routes;
    std::uint64_t iterations = 0;
};

/// The shortest plan met on the way from `current`, which is one of them. Of the options only the budget and the seed
/// count. Precondition: nobody is absent.
[[nodiscard]] Annealed shortest(Network const& network, Plan current, SearchOptions const& options, double beginning);

} // namespace cax::routing
