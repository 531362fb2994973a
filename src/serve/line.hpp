#pragma once
// The line in which the requests of one session stand. Each has a number; they are served one at a time, the lowest
// first, and one whose number is not higher than all before came too late. A request that a later one makes worthless
// is called off: its watch is stopped.
#include "cax/policies/watched_policy.hpp"

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace cax::serve {

class Line {
public:
    /// A request's place in the line, until it is destroyed.
    class Place {
    public:
        Place(Line& line, std::uint64_t number, std::shared_ptr<Watch> watch);
        ~Place();
        Place(Place const&) = delete;
        Place& operator=(Place const&) = delete;

        /// Waits for its turn. Throws Cancelled if it has been called off meanwhile.
        void wait() const;
        /// Lets the next one go ahead, while this one works on; its watch stays in force.
        void step_aside();
        [[nodiscard]] Watch const& watch() const { return *watch_; }

    private:
        Line& line_;
        std::uint64_t number_;
        std::shared_ptr<Watch> watch_;
    };

    /// Null if the number is not higher than all before. `passes`: a later request calls it off.
    [[nodiscard]] std::unique_ptr<Place> join(std::uint64_t number, bool passes);
    /// Calls everything off, now and from now on.
    void close();

private:
    struct Waiting {
        std::shared_ptr<Watch> watch;
        bool passes = false;
        bool aside = false;
    };

    std::mutex mutex_;
    std::condition_variable moved_;
    std::uint64_t newest_ = 0;
    bool closed_ = false;
    std::map<std::uint64_t, Waiting> waiting_;
};

} // namespace cax::serve
