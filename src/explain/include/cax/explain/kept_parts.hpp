#pragma once
// What a long explanation has finished, so that it can go on after it was killed: explain() asks here before it works
// and tells here what it has worked out. Only the parts that cost most are kept; the others are made again. What is
// recalled must be what was kept, to the bit: then an explanation that was interrupted is the one that was not.
#include "cax/explain/alternatives.hpp"
#include "cax/explain/sensitivity.hpp"
#include "cax/explain/subset.hpp"

namespace cax {

/// Called from many threads.
class KeptParts {
public:
    virtual ~KeptParts() = default;
    [[nodiscard]] virtual bool recall(std::size_t step, Subset& part) const = 0;
    [[nodiscard]] virtual bool recall(std::size_t step, Sensitivity& part) const = 0;
    [[nodiscard]] virtual bool recall(std::size_t step, Alternatives& part) const = 0;
    virtual void keep(std::size_t step, Subset const& part) = 0;
    virtual void keep(std::size_t step, Sensitivity const& part) = 0;
    virtual void keep(std::size_t step, Alternatives const& part) = 0;
};

/// The part that was kept, or else what `work` gives, which is then kept. `kept` may be null.
template <class Part, class Work> Result<Part> kept_or(KeptParts* kept, std::size_t step, Work const& work) {
    Part part;
    if (kept != nullptr && kept->recall(step, part)) return part;
    Result<Part> made = work();
    if (made && kept != nullptr) kept->keep(step, *made);
    return made;
}

} // namespace cax
