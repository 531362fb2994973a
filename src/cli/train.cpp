#include "command.hpp"
#include "common_options.hpp"
#include "file_arguments.hpp"
#include "must.hpp"
#include "train_report.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/registry.hpp"
#include "cax/train/trainer.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace cax::cli {
namespace {

struct TrainCommand {
    std::string problem;
    std::string output;
    std::string checkpoint;
    std::string log;
    std::string from;
    std::string validation_file;
    std::string best_known;
    bool resume = false;
    bool half = false;
    double checkpoint_seconds = 120;
    Texts curriculum;
    train::TrainSettings settings;
    NetworkDesign design;
};

void describe(OptionTable& table, TrainCommand& command) {
    train::TrainSettings& settings = command.settings;
    table.positional("PROBLEM", command.problem, "One of: " + problem_names());
    table
        .value("output", command.output, "FILE",
               "Policy file, the best so far; otherwise PROBLEM-SIZE-sSEED.safetensors")
        .also('o')
        .not_a_setting();
    table.value("from", command.from, "FILE", "Start from this policy's weights instead of random ones")
        .as("from", [&command] { return Json(std::filesystem::path(command.from).filename().string()); });
    table.flag("half", command.half, "Write the policy in half precision").not_a_setting();
    table.flag("resume", command.resume, "Go on from the checkpoint if there is one").not_a_setting();
    table.value("checkpoint", command.checkpoint, "FILE", "Resume file; otherwise POLICY.checkpoint").not_a_setting();
    table.value("checkpoint-seconds", command.checkpoint_seconds, "S", "How often it is written").not_a_setting();
    table.value("log", command.log, "FILE", "Append the validation curve to this file, one JSON object per line")
        .not_a_setting();
    describe(table, settings);
    table.group("Learning");
    table.value("curriculum", command.curriculum, "SIZE:SHARE,..", "Train on SIZE until SHARE of the budget is used up")
        .or_commas();
    table.group("Validation");
    table
        .value("validation-file", command.validation_file, "FILE",
               "Also measure the greedy gap on these instances, for you to read: it never chooses weights")
        .not_a_setting();
    table.value("best-known", command.best_known, "FILE", "Best known costs of the validation file's instances")
        .not_a_setting();
    describe(table, command.design);
    seed_option(table, settings.seed);
    threads_option(table, settings.threads);
}

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
void interrupt(int signal) {
    interrupted = true;
    std::signal(signal, SIG_DFL); // a second one does not wait for the end of a step
}

/// "20:0.15" to a stage.
train::CurriculumStage parse_stage(std::string const& text) {
    std::size_t const colon = text.rfind(':');
    char* end = nullptr;
    double const until = colon == std::string::npos ? -1 : std::strtod(text.c_str() + colon + 1, &end);
    if (colon == std::string::npos || *end != '\0' || !(until > 0 && until < 1))
        fail("--curriculum {}: expected SIZE:SHARE with a share between 0 and 1", text);
    return train::CurriculumStage{text.substr(0, colon), until};
}

/// Every setting that changes the numbers; a checkpoint can only be resumed with the same ones.
Json identity_of(TrainCommand const& options) {
    TrainCommand own = options;
    Json identity = {{"problem", own.problem}, {"seed", own.settings.seed}};
    identity.update(table_of(own).json());
    return identity;
}

TensorFile in_half_precision(TensorFile file) {
    for (auto& [name, tensor] : file.tensors)
        tensor = Tensor::from_doubles(Dtype::f16, tensor.shape(), tensor.to_doubles());
    return file;
}

train::TrainState start_state(Problem const& problem, TrainCommand const& options) {
    if (!options.resume || !std::filesystem::exists(options.checkpoint)) {
        if (options.from.empty()) return must(train::initial_state(problem, options.settings, options.design));
        auto const policy = must(io::read_safetensors(options.from));
        return must(train::state_from_policy(problem, options.settings, policy), options.from);
    }
    auto const file = must(io::read_safetensors(options.checkpoint));
    return must(train::from_checkpoint(file, identity_of(options)), options.checkpoint);
}

void run(TrainCommand options) {
    Problem const* const problem = find_problem(options.problem);
    if (!problem) fail("PROBLEM: \"{}\" is not one of {}", options.problem, problem_names());
    if (options.settings.size.empty()) options.settings.size = problem->info().default_size;
    if (options.output.empty())
        options.output =
            fmt::format("{}-{}-s{}.safetensors", options.problem, options.settings.size, options.settings.seed);
    if (options.checkpoint.empty()) options.checkpoint = options.output + ".checkpoint";
    // Their names may come from here; those that were given have been looked at already.
    check_files({}, {{"--output", options.output}, {"--checkpoint", options.checkpoint}});
    for (std::string const& text : options.curriculum) options.settings.curriculum.push_back(parse_stage(text));
    if (options.validation_file.empty() != options.best_known.empty())
        fail("--validation-file and --best-known: one needs the other");
    std::optional<Yardstick> yardstick;
    if (!options.validation_file.empty())
        yardstick = Yardstick::read(*problem, options.validation_file, options.best_known);
    auto state = start_state(*problem, options);
    if (state.instances > 0) fmt::print("resuming {} at {} instances\n", options.checkpoint, state.instances);

    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    TrainReporter reporter(options.log);
    reporter.open();
    if (options.resume) reporter.go_on_after(state.instances);
    auto const write_checkpoint = [&](train::TrainState const& now) {
        return io::write_safetensors(options.checkpoint, train::to_checkpoint(now, identity_of(options)));
    };
    auto last_written = std::chrono::steady_clock::now();
    train::TrainListener listener{
        .report = [&](train::Progress const& progress) { reporter.report(progress); },
        .save_best = [&](TensorFile const& policy) -> Result<void> {
            TensorFile file = options.half ? in_half_precision(policy) : policy;
            file.metadata["training"] = identity_of(options).dump(-1, ' ', false, Json::error_handler_t::replace);
            return io::write_safetensors(options.output, file);
        },
        .checkpoint = [&](auto const& snapshot) -> Result<void> {
            auto const now = std::chrono::steady_clock::now();
            if (std::chrono::duration<double>(now - last_written).count() < options.checkpoint_seconds) return {};
            last_written = now;
            return write_checkpoint(snapshot());
        },
        .stop = [] { return interrupted.load(); },
    };
    if (yardstick)
        listener.measure = [&](Policy const& policy) { return yardstick->measure(policy, options.settings.threads); };
    auto trained = train::train(*problem, options.settings, std::move(state), listener);
    if (!trained && reporter.has_reported() && std::filesystem::exists(options.checkpoint))
        fail("{} (last checkpoint: {}): {}", options.problem, options.checkpoint, trained.error().message);
    auto const end = must(std::move(trained), options.problem);
    must(write_checkpoint(end));
    reporter.finished();
    if (interrupted)
        fmt::print("stopped at {} instances; go on with --resume\n", end.instances);
    else
        fmt::print("done: best policy in {}\n", options.output);
}

} // namespace

Command train_command() {
    return make_command<TrainCommand>(
        {.name = "train",
         .summary = "Train a policy by reinforcement learning, no torch needed",
         .paragraph =
             "REINFORCE with shared baselines (POMO) on freshly generated instances. The best policy so far is in the "
             "output file, and the checkpoint beside it resumes exactly: a stopped and resumed run ends with the same "
             "numbers as an undisturbed one, with any number of threads. Ctrl-C saves and stops at the end of a step, "
             "a second one at once. With --minutes the run adapts to the machine instead. Routing policies get there "
             "faster if they --imitate a classical search first and --polish what they find themselves; where "
             "completions are proved in no time (knapsack), every action is best taught by its --price.",
         .footer = R"(Examples:
  cax train op --size 20 --instances 300000 -o op-20-s0.safetensors --log op.jsonl
  cax train cvrptw --size 50 --imitate 0.4 --entropy 0.01 --instances 200000 --seed 1
  cax train op --size 20 --instances 300000 -o op-20-s0.safetensors --resume
  cax train knapsack --instances 50000 --embedding 64 --batch 32 --free 4 --price 1000 --settle 0.3
  cax train fjsp --minutes 60 --from models/fjsp-10x5-s0.safetensors -o better.safetensors
  cax train op --validation-file op20.npz --best-known best_known.json)"});
}

} // namespace cax::cli
