#include "cax/core/options.hpp"
#include "cax/train/trainer.hpp"

#include <limits>

namespace cax::train {

void describe(OptionTable& table, TrainSettings& settings) {
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    table.value("size", settings.size, "N", "Size of the instances; otherwise the problem's usual one");
    table.group("Budget");
    table.value("instances", settings.instances, "n", "Generated instances to learn from").from(1);
    table
        .value("minutes", settings.minutes, "T",
               "Budget in time instead; learning rate and curriculum follow the clock, so that only an instance budget "
               "is reproducible")
        .default_is("");
    table.group("Learning");
    table.value("batch", settings.batch, "n", "Instances per optimiser step").from(1);
    table.value("forced", settings.forced, "n", "Trajectories per instance with forced first moves (POMO)");
    table.value("free", settings.free, "n", "Trajectories per instance sampled from the first decision on");
    table.value("lr", settings.learning_rate, "R", "Learning rate after warm-up; decays to 1 % of it")
        .between(0, unlimited)
        .as("learning_rate");
    table.value("warm-up", settings.warm_up, "P", "Share of the budget").from_to_below(0, 1);
    table.value("clip", settings.clip, "G", "Largest gradient norm").between(0, unlimited);
    table.value("entropy", settings.entropy, "H",
                "Reward for undecided distributions, falling to 0; keeps a policy from settling too early");
    table
        .value("average", settings.average, "A",
               "Weights are averaged over about 1 / (1 - A) steps before they are validated and saved")
        .from_to_below(0, 1);
    table
        .value("imitate", settings.imitate, "P",
               "Share of the budget, at its beginning, in which the policy copies solutions that the classical search "
               "finds, before it learns from its own")
        .within(0, 1);
    table.value("imitate-iterations", settings.imitate_iterations, "n", "Of that search, for each instance");
    table.value(
        "polish", settings.polish, "n",
        "Iterations of the classical search that improve the best of an instance's own solutions, which are then "
        "learnt from beside the others");
    table.value("polish-weight", settings.polish_weight, "W", "How much of their advantage the improved ones keep");
    table
        .value("price", settings.price, "n",
               "Teach decisions by what the best completion of each action is worth, with so much work for each, "
               "instead of by what the whole solution came to; for problems whose completions are cheap")
        .range(0, 1'000'000'000'000);
    table
        .value("price-scale", settings.price_scale, "S",
               "An action that costs this share of the solution's value is wanted e times less than the best")
        .between(0, unlimited);
    table
        .value("settle", settings.settle, "P",
               "With prices: share of the budget, at its end, in which a policy is let prefer one of several actions "
               "that are equally good")
        .within(0, 1);
    table.group("Validation");
    table.value("validation", settings.validation, "n", "Generated validation instances").from(1);
    table.value("validate-every", settings.validate_every, "n", "Instances between two validations");
    table.group("");
}

} // namespace cax::train
