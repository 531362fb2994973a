#pragma once
// Linear cuts on machine choices: what an operation must do on a machine between two moments, however it is shifted,
// adds up to no more than the time between them (energetic reasoning; Baptiste, Le Pape and Nuijten 2001). No-overlap
// propagation sees such conflicts only when choices are nearly complete; these cuts see them while choices are made.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cax::fjsp {

/// An operation as numbers, in a model's units.
struct Work {
    struct Way {
        std::size_t machine = 0;
        std::int64_t time = 0;
        std::int64_t release = 0; ///< when the machine is free
    };
    std::int64_t head = 0; ///< cannot start earlier
    std::int64_t tail = 0; ///< what must follow its end
    std::vector<Way> ways;
};

/// Sum of energy over the chosen ways <= room.
struct EnergeticCut {
    struct Use {
        std::size_t operation = 0;
        std::size_t way = 0;
        std::int64_t energy = 0;
    };
    std::size_t machine = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t room = 0;
    std::vector<Use> uses;
};

/// For each machine the most promising cuts, none of which holds by itself.
[[nodiscard]] std::vector<EnergeticCut> energetic_cuts(std::vector<Work> const& work, std::size_t machines,
                                                       std::int64_t horizon);

} // namespace cax::fjsp
