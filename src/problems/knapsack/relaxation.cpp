// The linear relaxation: x_i says which part of item i is packed; the value is maximised. Rows, in this order:
//
//   weight  sum w_i x_i <= 1, as shares of what there is
//   volume  sum v_i x_i <= 1
//   value   x_i <= 1 of each item: there is but one of it
//
// The Lagrangian relaxation drops the first two; what is left is a choice for each item by itself.
#include "cax/problems/knapsack/instance.hpp"

#include "fields.hpp"

#include <array>

namespace cax::knapsack {
namespace {

std::vector<Term> sum_of(std::vector<float> const& shares) {
    std::vector<Term> terms;
    for (std::size_t i = 0; i < shares.size(); ++i) terms.push_back({i, double{shares[i]}});
    return terms;
}

/// Every item that is worth more than the prices of what it takes.
class PricedItems final : public LagrangianRelaxation {
public:
    explicit PricedItems(Data data)
        : data_(std::move(data)),
          settings_{.step = 2, .iterations = 200, .upper_bound = 0.0, .published_sign = 1, .dualised = {0, 1, 1}} {}

    [[nodiscard]] AscentSettings const& settings() const override { return settings_; }
    [[nodiscard]] RelaxedSolution solve(std::span<double const> lambda) const override {
        RelaxedSolution solution{0, {0, -1, -1}};
        for (std::size_t i = 0; i < data_.values.size(); ++i) {
            double const worth = data_.values[i], heavy = data_.weights[i], bulky = data_.volumes[i];
            if (!(worth > lambda[weight] * heavy + lambda[volume] * bulky)) continue;
            solution.cost -= worth;
            solution.violation[weight] += heavy;
            solution.violation[volume] += bulky;
        }
        return solution;
    }

private:
    Data data_;
    AscentSettings settings_;
};

} // namespace

LinearProgram Instance::relaxation() const {
    LinearProgram program(Sense::maximise, problem().info().families.size());
    for (float const worth : data_.values) program.add_column(at_least(0), double{worth});
    program.add_row(at_most(1), weight, sum_of(data_.weights));
    program.add_row(at_most(1), volume, sum_of(data_.volumes));
    for (std::size_t i = 0; i < nodes(); ++i) program.add_row(at_most(1), value, std::array{Term{i, 1}});
    return program;
}

std::unique_ptr<LagrangianRelaxation> Instance::lagrangian() const { return std::make_unique<PricedItems>(data_); }

} // namespace cax::knapsack
