// The Lagrangian relaxation behind the paper's negative control. It copies what it needs of the instance.
#include "cax/problems/op/instance.hpp"

#include "../routing/distances.hpp"
#include "fields.hpp"

#include <algorithm>

namespace cax::op {
namespace {

/// A tour that grows at its end as long as a customer's prize exceeds lambda times the detour.
class PricedTour final : public LagrangianRelaxation {
public:
    explicit PricedTour(Instance const& instance)
        : prize_(instance.data().prize),
          limit_(instance.arrival_limits()[0]),
          distance_(routing::exact_distances(instance.data().locs)),
          settings_{.step = 2, .iterations = 200, .upper_bound = 0.0, .published_sign = 1, .dualised = {0, 1, 0}} {}

    [[nodiscard]] AscentSettings const& settings() const override { return settings_; }
    [[nodiscard]] RelaxedSolution solve(std::span<double const> lambda) const override;

private:
    [[nodiscard]] double detour(std::size_t from, std::size_t customer) const {
        return distance_(from, customer) + distance_(customer, 0) - distance_(from, 0);
    }

    std::vector<float> prize_;
    double limit_;
    Matrix<double> distance_;
    AscentSettings settings_;
};

RelaxedSolution PricedTour::solve(std::span<double const> lambda) const {
    std::vector<std::uint8_t> visited(prize_.size());
    std::size_t current = 0;
    double length = 0;
    double collected = 0;
    while (true) {
        std::size_t best = 0;
        double best_gain = 0;
        for (std::size_t i = 1; i < prize_.size(); ++i) {
            if (visited[i] != 0) continue;
            double const gain = prize_[i] - lambda[budget] * detour(current, i);
            if (gain > best_gain) {
                best = i;
                best_gain = gain;
            }
        }
        if (best == 0) break;
        visited[best] = 1;
        length += detour(current, best);
        collected += prize_[best];
        current = best;
    }
    // As published: detours already contain the way home, and it is added once more.
    length += distance_(current, 0);

    RelaxedSolution solution{-collected, std::vector<double>(settings_.dualised.size())};
    solution.violation[budget] = length - limit_;
    return solution;
}

} // namespace

std::unique_ptr<LagrangianRelaxation> Instance::lagrangian() const { return std::make_unique<PricedTour>(*this); }

} // namespace cax::op
