#pragma once
// Runs of `cax` that are killed at a random moment.
#include "../cli/workbench.hpp"
#include "cax/core/rng.hpp"

#include <chrono>
#include <map>

namespace cax::test {

/// How many kills each test has to survive: CAX_KILLS, or a few.
[[nodiscard]] int kills_wanted();

class Victim : public Workbench {
protected:
    using Words = std::vector<std::string>;

    /// Runs it to the end, which must be a success; how long that takes is the measure for the moments of kills.
    void run_whole(Words const& words);

    /// Starts it and kills it. Every second time at any moment, otherwise just when something happens in `folder`,
    /// because files are being written only for a small part of the time. False if it ended before.
    bool kill_once(Words const& words, std::string const& folder = ".");

    /// Every file below a folder with its content, without those that a killed run may leave: temporary ones.
    [[nodiscard]] std::map<std::string, std::string> files_in(std::string const& folder) const;

private:
    Rng rng_{20, 1};
    std::chrono::microseconds whole_{0};
    int turns_ = 0;
};

} // namespace cax::test
