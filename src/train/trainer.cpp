#include "cax/train/trainer.hpp"
#include "cax/problems/questions.hpp"

#include "cax/core/options.hpp"
#include "cax/core/parallel.hpp"
#include "optimiser.hpp"
#include "rollout.hpp"
#include "start.hpp"
#include "validation.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

namespace cax::train {
namespace {

/// Streams of random numbers: training instances use purpose 1, rollouts 2, validation instances 5.
constexpr std::uint32_t purpose_instance = 1;
/// Gradients are summed over fixed groups of instances and then over the groups, in order, whatever the threads.
constexpr std::size_t group_size = 8;

double schedule(TrainSettings const& settings, double fraction) {
    if (fraction < settings.warm_up) return settings.learning_rate * (0.05 + 0.95 * fraction / settings.warm_up);
    double const left = std::clamp((fraction - settings.warm_up) / (1 - settings.warm_up), 0.0, 1.0);
    return settings.learning_rate * (0.01 + 0.99 * 0.5 * (1 + std::cos(std::numbers::pi * left)));
}

std::string const& size_at(TrainSettings const& settings, double fraction) {
    for (CurriculumStage const& stage : settings.curriculum)
        if (fraction < stage.until) return stage.size;
    return settings.size;
}

class Trainer {
public:
    Trainer(Problem const& problem, TrainSettings const& settings, TrainState state, std::unique_ptr<Trainable> network,
            StepPlan plan, ValidationSet validation, TrainListener const& listener)
        : problem_(problem),
          settings_(settings),
          state_(std::move(state)),
          network_(std::move(network)),
          listener_(listener),
          optimiser_(std::move(plan), settings.threads),
          groups_((settings.batch + group_size - 1) / group_size),
          gradients_(groups_, std::vector<float>(network_->parameters().size())),
          validation_(std::move(validation)),
          before_(state_.seconds) {
        std::ranges::copy(state_.first_moment, optimiser_.first_moment().begin());
        std::ranges::copy(state_.second_moment, optimiser_.second_moment().begin());
        optimiser_.set_steps(state_.steps);
        for (std::size_t i = 0; i < thread_count(settings.threads); ++i) rollouts_.emplace_back(*network_);
    }

    Result<TrainState> run() {
        while (budget_fraction_used() < 1) {
            Progress progress;
            if (auto ok = step(progress); !ok) return ok.error();
            state_.seconds = before_ + seconds_since(start_);
            progress.fraction = budget_fraction_used();
            bool const finished = budget_fraction_used() >= 1;
            if (finished || state_.instances - state_.validated >= settings_.validate_every) {
                if (auto ok = validate(progress); !ok) return ok.error();
            }
            if (listener_.report) listener_.report(progress);
            if (listener_.checkpoint) {
                if (auto ok = listener_.checkpoint([this] { return snapshot(); }); !ok) return ok.error();
            }
            if (listener_.stop && listener_.stop()) break;
        }
        return snapshot();
    }

private:
    using Clock = std::chrono::steady_clock;
    static double seconds_since(Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
    }

    /// Share of the budget that is used up.
    [[nodiscard]] double budget_fraction_used() const {
        if (settings_.minutes > 0) return state_.seconds / (60 * settings_.minutes);
        return static_cast<double>(state_.instances) / static_cast<double>(settings_.instances);
    }

    /// Who says what a good decision is: the solutions of a search, the prices of all actions, or what became of it.
    enum class Teacher { search, prices, rewards };
    [[nodiscard]] Teacher teacher() const {
        if (budget_fraction_used() < settings_.imitate) return Teacher::search;
        return settings_.price > 0 ? Teacher::prices : Teacher::rewards;
    }

    [[nodiscard]] TrainState snapshot() {
        TrainState state = state_;
        state.policy = network_->save();
        state.first_moment.assign(optimiser_.first_moment().begin(), optimiser_.first_moment().end());
        state.second_moment.assign(optimiser_.second_moment().begin(), optimiser_.second_moment().end());
        state.steps = optimiser_.steps();
        return state;
    }

    /// One optimiser step: roll out a batch, send the gradient of its advantages back, move.
    Result<void> step(Progress& progress) {
        double const fraction = budget_fraction_used();
        std::string const& size = size_at(settings_, fraction);
        bool const by_rewards = teacher() == Teacher::rewards;
        if (by_rewards && !(state_.spread > 0)) { // how large advantages are, before the first gradient needs to know
            auto const batch = accumulate_gradient(size, 0);
            if (!batch) return batch.error();
            state_.spread = batch->spread();
        }
        auto const batch = accumulate_gradient(size, !by_rewards ? 1 : state_.spread > 0 ? 1 / state_.spread : 0);
        if (!batch) return batch.error();
        if (!std::isfinite(batch->squares)) return diverged("costs are not numbers");
        if (by_rewards) state_.spread = 0.95 * state_.spread + 0.05 * batch->spread();

        optimiser_.rescale(gradients_[0]);
        progress.gradient_norm = clip_norm(gradients_[0], settings_.clip);
        if (!std::isfinite(progress.gradient_norm)) return diverged("the gradient is not a number");
        progress.learning_rate = schedule(settings_, fraction);
        optimiser_.step(network_->parameters(), gradients_[0], progress.learning_rate);
        if (!std::ranges::all_of(network_->parameters(), [](float value) { return std::isfinite(value); }))
            return diverged("weights are not numbers");
        network_->pack();
        average();
        state_.instances += settings_.batch;
        progress.instances = state_.instances;
        progress.loss = -batch->likelihood;
        progress.mean_cost = batch->cost / static_cast<double>(std::max<std::size_t>(batch->trajectories, 1));
        progress.entropy = batch->entropy / static_cast<double>(settings_.batch);
        return {};
    }

    /// Moves the average towards the parameters; in the first steps faster, so that the start is soon forgotten.
    void average() {
        auto const steps = static_cast<double>(optimiser_.steps());
        auto const keep = static_cast<float>(std::min(settings_.average, steps / (steps + 10)));
        std::span<float const> const now = network_->parameters();
        for (std::size_t i = 0; i < now.size(); ++i) // written so that buffers, which never move, keep their values
            state_.average[i] += (1 - keep) * (now[i] - state_.average[i]);
    }

    /// The network changes places with its average.
    void swap_average() {
        std::ranges::swap_ranges(network_->parameters(), state_.average);
        network_->pack();
    }

    [[nodiscard]] Error diverged(std::string_view why) const {
        return {ErrorCode::invalid_value,
                fmt::format("training diverged after {} instances: {}", state_.instances, why)};
    }

    /// Sums over a batch, in the order of its instances.
    struct Batch {
        double squares = 0, entropy = 0, cost = 0, likelihood = 0;
        std::size_t trajectories = 0;
        [[nodiscard]] double spread() const { return std::sqrt(squares / static_cast<double>(trajectories)); }
    };

    /// Rolls out the next batch; its gradient, times `scale`, ends in gradients_[0]. Scale 0: no gradient is computed.
    Result<Batch> accumulate_gradient(std::string const& size, double scale) {
        std::vector<RolloutResult> results(settings_.batch);
        std::vector<double> likelihoods(settings_.batch);
        std::vector<std::optional<Error>> errors(settings_.batch);
        RolloutPlan const plan{settings_.forced, settings_.free, settings_.polish, settings_.polish_weight};
        PriceLesson const prices{settings_.price, settings_.price_scale,
                                 1 - budget_fraction_used() <= settings_.settle};
        Teacher const teacher = this->teacher();
        auto const trajectories = static_cast<double>(settings_.batch * (settings_.forced + settings_.free));
        double const share = scale / trajectories;
        double const entropy_weight = settings_.entropy * std::max(1 - budget_fraction_used(), 0.0) / trajectories;
        parallel_for(groups_, settings_.threads, [&](std::size_t g, std::size_t worker) {
            std::ranges::fill(gradients_[g], 0.0F);
            for (std::size_t i = g * group_size; i < std::min((g + 1) * group_size, settings_.batch); ++i) {
                auto const index = static_cast<std::uint32_t>(state_.instances + i);
                Rng rng(settings_.seed, index, 0, purpose_instance);
                auto const instance = problem_.generate(size, {}, rng);
                if (!instance) return void(errors[i] = instance.error());
                Rollout& rollout = rollouts_[worker];
                auto result = teacher == Teacher::search ? imitate(rollout, **instance, index)
                              : teacher == Teacher::prices
                                  ? rollout.price(**instance, prices, settings_.free, settings_.seed, index)
                                  : rollout.run(**instance, plan, settings_.seed, index);
                if (!result) return void(errors[i] = result.error());
                results[i] = *std::move(result);
                likelihoods[i] = rollout.log_likelihood(results[i]);
                if (scale > 0 && results[i].decisions > 0)
                    rollout.backward(results[i], share, entropy_weight, gradients_[g]);
            }
        });
        for (auto const& error : errors)
            if (error) return *error;
        for (std::size_t g = 1; g < groups_; ++g)
            for (std::size_t i = 0; i < gradients_[0].size(); ++i) gradients_[0][i] += gradients_[g][i];
        Batch batch;
        batch.likelihood = share * std::accumulate(likelihoods.begin(), likelihoods.end(), 0.0);
        for (RolloutResult const& result : results) {
            for (double const advantage : result.advantages) batch.squares += advantage * advantage;
            for (double const reward : result.rewards) batch.cost += std::abs(reward);
            batch.trajectories += result.rewards.size();
            batch.entropy += result.entropy;
        }
        return batch;
    }

    /// The trajectories of a good solution, which a classical search finds, instead of sampled ones.
    [[nodiscard]] Result<RolloutResult> imitate(Rollout& rollout, Instance const& instance, std::uint32_t index) const {
        auto const found = search(instance, {.seconds = 3600,
                                             .iterations = settings_.imitate_iterations,
                                             .seed = settings_.seed,
                                             .bound = {},
                                             .exact = false,
                                             .start = {},
                                             .stop = {}});
        if (!found) return found.error();
        return rollout.imitate(instance, found->solution, settings_.free, settings_.seed, index);
    }

    Result<void> validate(Progress& progress) {
        swap_average();
        auto const done = validate_now(progress);
        swap_average();
        return done;
    }

    Result<void> validate_now(Progress& progress) {
        auto const now = validation_.judge(network_->policy());
        if (!now) return now.error();
        bool const best = !state_.has_best || now->score > state_.best;
        state_.validated = state_.instances;
        if (best) {
            state_.best = now->score;
            state_.has_best = true;
            if (listener_.save_best) {
                if (auto ok = listener_.save_best(network_->save()); !ok) return ok.error();
            }
        }
        progress.validation = {now->greedy, now->multistart, best};
        if (!listener_.measure) return {};
        auto const gap = listener_.measure(network_->policy());
        if (!gap) return gap.error();
        progress.validation->gap = *gap;
        return {};
    }

    Problem const& problem_;
    TrainSettings const& settings_;
    TrainState state_;
    std::unique_ptr<Trainable> network_;
    TrainListener const& listener_;
    Optimiser optimiser_;
    std::size_t groups_;
    std::vector<std::vector<float>> gradients_; ///< one per group of instances
    std::vector<Rollout> rollouts_;             ///< one per thread
    ValidationSet validation_;
    Clock::time_point start_ = Clock::now();
    double before_; ///< seconds that were spent before this run
};

/// Ranges are in the table of options; here is what the options ask of each other.
Result<void> check(TrainSettings const& settings) {
    TrainSettings own = settings;
    if (auto ok = table_of(own).check(); !ok) return ok;
    auto const refused = [](std::string message) { return Error{ErrorCode::invalid_value, std::move(message)}; };
    if (settings.imitate > 0 && (settings.imitate_iterations == 0 || settings.free == 0))
        return refused("imitate: needs at least one iteration and one free trajectory");
    if (settings.settle > 0 && settings.price == 0)
        return refused(fmt::format("settle: {}, but no decision is priced", settings.settle));
    if (settings.price > 0 && settings.polish > 0)
        return refused(fmt::format("polish: {}, but decisions are taught by prices", settings.polish));
    if (settings.price > 0 && settings.free == 0) return refused("price: needs at least one free trajectory");
    double until = 0;
    for (CurriculumStage const& stage : settings.curriculum) {
        if (!(stage.until > until))
            return Error{ErrorCode::invalid_value,
                         fmt::format("curriculum: {} until {} comes after {}", stage.size, stage.until, until)};
        until = stage.until;
    }
    return {};
}

/// Instances of this size: do they exist, can the policy read them, do they teach?
Result<void> check_size(Problem const& problem, TrainSettings const& settings, std::string const& size,
                        Policy const& policy) {
    auto const instance = readable_instance(problem, size, settings.seed, policy);
    if (!instance) return instance.error();
    std::size_t const forced = (*instance)->start_actions().empty() ? 0 : settings.forced;
    if (settings.price > 0 || forced >= 2 || settings.free >= 2) return {}; // each group is its own baseline
    return Error{ErrorCode::invalid_value,
                 fmt::format("forced: {}, free: {}: nothing is learnt from fewer than two trajectories of a kind{}",
                             settings.forced, settings.free,
                             (*instance)->start_actions().empty() ? " (no first moves can be forced here)" : "")};
}

} // namespace

Result<TrainState> train(Problem const& problem, TrainSettings const& settings, TrainState start,
                         TrainListener const& listener) {
    if (auto ok = check(settings); !ok) return ok.error();
    auto network = make_trainable(start.policy, {.threads = settings.threads});
    if (!network) return network.error();
    std::vector<std::string> sizes{settings.size};
    for (CurriculumStage const& stage : settings.curriculum) sizes.push_back(stage.size);
    for (std::string const& each : sizes) {
        if (auto ok = check_size(problem, settings, each, (*network)->policy()); !ok) return ok.error();
    }
    std::size_t const size = (*network)->parameters().size();
    if (start.first_moment.empty()) start.first_moment.resize(size);
    if (start.second_moment.empty()) start.second_moment.resize(size);
    if (start.average.empty()) {
        std::span<float const> const now = (*network)->parameters();
        start.average.assign(now.begin(), now.end());
    }
    if (start.first_moment.size() != size || start.second_moment.size() != size || start.average.size() != size)
        return Error{ErrorCode::mismatch,
                     fmt::format("moments of {} and {} numbers and an average of {} for {} parameters",
                                 start.first_moment.size(), start.second_moment.size(), start.average.size(), size)};
    auto plan = step_plan(problem, settings.size, start.policy, settings.seed);
    if (!plan) return plan.error();
    auto validation = ValidationSet::make(problem, settings);
    if (!validation) return validation.error();
    return Trainer(problem, settings, std::move(start), *std::move(network), *std::move(plan), *std::move(validation),
                   listener)
        .run();
}

} // namespace cax::train
