#pragma once
// Ways race each other to the smallest flip: the one that is expected to flip at the smallest size is asked next, and
// what the policy answers corrects what is expected of it. A lead is a number, not only a sign, so that two or three
// answers along a way locate the flip where halving would need six.
#include "counterfactual/move_paths.hpp"

#include "cax/explain/guided.hpp"

#include <set>
#include <tuple>

namespace cax {

class PathRace {
public:
    PathRace(WhatIf& what_if, GuidedOptions const& options, std::vector<MovePath> paths)
        : what_if_(what_if), options_(options), paths_(std::move(paths)), doubts_left_(options.doubts) {}

    /// Until no way promises a smaller flip or the passes are spent. Fills in the flip and what was tried.
    void run(GuidedFlip& result);

private:
    [[nodiscard]] bool passes_left() const { return what_if_.forward_passes() < options_.passes; }
    /// Sizes from here on are no better than what is known.
    [[nodiscard]] double ceiling() const;
    /// Where a flip is expected next on a way, if that would be news.
    [[nodiscard]] std::optional<double> next_size(MovePath const& path) const;
    /// The same before numbers are taken to whole values.
    [[nodiscard]] std::optional<double> wished_size(MovePath const& path) const;
    struct Try {
        std::size_t path = 0;
        double size = 0;
        bool hopeless = false;
        double lead_left = 0;
    };
    [[nodiscard]] std::vector<Try> next_tries() const;
    void count(MovePath const& path, GuidedFlip& result);
    void ask(std::vector<Try> const& tries, GuidedFlip& result);
    void learn(MovePath& path, double size, WhatIf::Reaction const& reaction) const;

    WhatIf& what_if_;
    GuidedOptions const& options_;
    std::vector<MovePath> paths_;
    std::set<std::tuple<std::size_t, std::size_t, bool>> counted_; ///< numbers that were moved down or up
    std::size_t doubts_left_;                                      ///< tries where the gradient expects no smaller flip
    double best_size_ = MovePath::unknown;
    Features best_change_;
    WhatIf::Reaction best_reaction_;
};

} // namespace cax
