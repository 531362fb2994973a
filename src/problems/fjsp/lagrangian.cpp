// The Lagrangian relaxation behind the paper's negative control. It copies what it needs of the instance.
#include "families.hpp"

#include "cax/problems/fjsp/instance.hpp"

#include <algorithm>
#include <tuple>

namespace cax::fjsp {
namespace {

/// Every operation on its fastest machine, machines filled without regard to the order within jobs.
class LooseSchedule final : public LagrangianRelaxation {
public:
    explicit LooseSchedule(Instance const& instance);

    [[nodiscard]] AscentSettings const& settings() const override { return settings_; }
    [[nodiscard]] RelaxedSolution solve(std::span<double const> lambda) const override;

private:
    struct Piece {
        std::size_t machine = 0;
        double time = 0;
        std::size_t position = 0; ///< within its job
    };
    std::vector<Piece> pieces_; ///< per operation
    std::size_t machines_;
    AscentSettings settings_;
};

LooseSchedule::LooseSchedule(Instance const& instance)
    : machines_(instance.machine_count()),
      settings_{.step = 1, .iterations = 40, .upper_bound = {}, .published_sign = -1, .dualised = {1, 0}} {
    for (std::size_t o = 0; o < instance.operation_count(); ++o) {
        auto const alternatives = instance.alternatives(o);
        auto const fastest =
            std::min_element(alternatives.begin(), alternatives.end(),
                             [](Alternative const& a, Alternative const& b) { return a.time < b.time; });
        pieces_.push_back({fastest->machine, fastest->time, instance.position_in_job(o)});
    }
}

RelaxedSolution LooseSchedule::solve(std::span<double const> lambda) const {
    std::vector<std::size_t> order(pieces_.size());
    for (std::size_t o = 0; o < order.size(); ++o) order[o] = o;
    auto const key = [&](std::size_t o) {
        return std::tuple(static_cast<double>(pieces_[o].position) * (1 + lambda[precedence]), pieces_[o].machine, o);
    };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });

    std::vector<double> free_at(machines_);
    std::vector<double> start(pieces_.size());
    for (std::size_t o : order) {
        start[o] = free_at[pieces_[o].machine];
        free_at[pieces_[o].machine] += pieces_[o].time;
    }

    RelaxedSolution solution{*std::max_element(free_at.begin(), free_at.end()),
                             std::vector<double>(settings_.dualised.size())};
    for (std::size_t o = 1; o < pieces_.size(); ++o) {
        if (pieces_[o].position == 0) continue;
        solution.violation[precedence] += std::max(0.0, start[o - 1] + pieces_[o - 1].time - start[o]);
    }
    return solution;
}

} // namespace

std::unique_ptr<LagrangianRelaxation> Instance::lagrangian() const { return std::make_unique<LooseSchedule>(*this); }

} // namespace cax::fjsp
