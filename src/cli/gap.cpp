#include "cax/baselines/gap.hpp"
#include "command.hpp"
#include "common_options.hpp"
#include "must.hpp"
#include "progress_bar.hpp"
#include "table.hpp"

#include "cax/app/solutions.hpp"
#include "cax/core/json.hpp"
#include "cax/policies/decode.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace cax::cli {
namespace {

struct GapCommand {
    Texts files; ///< policies, then the instances
    std::string best_known;
    std::string set;
    std::vector<DecodeMode> modes{DecodeMode::greedy};
    DecodeOptions decode;
    PolicyInputs inputs; ///< but for the files

    [[nodiscard]] std::string const& instances() const { return files.back(); }
    [[nodiscard]] std::string set_name() const { return set.empty() ? app::stem_of(instances()) : set; }
};

void describe(OptionTable& table, GapCommand& command) {
    Option& files = table.positional("FILES", command.files, "Policy files (.safetensors), then the instance file");
    files.from(2).value = "POLICY... INSTANCES";
    table.value("best-known", command.best_known, "FILE", "File with the best known costs (.json)").must();
    table.value("set", command.set, "NAME", "Set in that file; otherwise the stem of the instance file").as("set", [&] {
        return Json(command.set_name());
    });
    table.choices("decode", command.modes, "How the policy is followed; may be repeated");
    table.choose({"samples", "encode"}, command.decode);
    table.group(common_group);
    table.choose({"instance", "limit", "seed", "threads", "precision", "keep-units", "read", "json"}, command.inputs);
}

struct InstanceGap {
    double cost = 0;
    double best_known = 0;
    std::optional<double> gap; ///< none of a solution that breaks rules, where the problem lets policies do so
};

/// One policy decoded in one way.
struct Measured {
    app::LoadedPolicy const* policy = nullptr;
    DecodeMode mode = DecodeMode::greedy;
    std::vector<InstanceGap> instances;
    GapSummary summary;
    double seconds = 0;
};

Measured measure(app::LoadedPolicy const& policy, DecodeMode mode, std::vector<InstancePtr> const& instances,
                 std::vector<io::BestKnown> const& best, DecodeOptions decode_options) {
    Stopwatch const stopwatch;
    ProgressBar bar(fmt::format("{}, {}", app::stem_of(policy.path), name_of(mode)));
    decode_options.mode = mode;
    decode_options.progress = bar.callback();
    auto const solved = must(cax::solve(*policy.policy, instances, decode_options));
    Measured measured{.policy = &policy, .mode = mode, .instances = {}, .summary = {}, .seconds = 0};
    std::vector<double> gaps;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        auto const where = fmt::format("instance {}", decode_options.numbers[i]);
        CheckReport const& report = solved[i].report;
        if (!report.valid() && policy.problem->info().may_be_unsolvable) {
            measured.instances.push_back({report.cost, best[i].cost, std::nullopt});
            continue;
        }
        if (!report.valid()) fail("{}: the policy's solution is not valid: {}", where, report.violations.front());
        auto const gap = must(optimality_gap(policy.problem->info().objective, report.cost, best[i].cost), where);
        measured.instances.push_back({report.cost, best[i].cost, gap});
        gaps.push_back(gap);
    }
    if (gaps.empty())
        fail("{}: none of its {} solutions keeps all rules: there is no gap", policy.path, instances.size());
    measured.summary = summarise_gaps(gaps);
    measured.seconds = stopwatch.seconds();
    return measured;
}

void print_table(GapCommand const& options, ProblemInfo const& info, std::vector<Measured> const& all) {
    fmt::print("{} {} instances, set '{}' of {}\n", all.front().instances.size(), info.name, options.set_name(),
               options.best_known);
    Table table({"<policy", "<decode", std::string("mean ") + std::string(info.cost_word), "mean gap", "std", "largest",
                 "seconds"});
    std::string notes;
    for (Measured const& each : all) {
        auto const broken = std::ranges::count_if(each.instances, [](InstanceGap const& one) { return !one.gap; });
        if (broken > 0) {
            notes += fmt::format("{}, {}: {} of {} solutions break rules and have no gap; the mean {} counts them\n",
                                 app::stem_of(each.policy->path), name_of(each.mode), broken, each.instances.size(),
                                 info.cost_word);
        }
        table.add(app::stem_of(each.policy->path), name_of(each.mode),
                  fmt::format("{:.4f}", mean_of(each.instances, &InstanceGap::cost)),
                  fmt::format("{:.3f} %", 100 * each.summary.mean),
                  fmt::format("{:.3f} %", 100 * each.summary.deviation),
                  fmt::format("{:.3f} %", 100 * each.summary.largest), fmt::format("{:.1f}", each.seconds));
    }
    fmt::print("{}{}", table.text(), notes);
    if (options.files.size() <= 2) return;
    for (DecodeMode const mode : options.modes) {
        std::vector<double> means;
        for (Measured const& each : all)
            if (each.mode == mode) means.push_back(each.summary.mean);
        fmt::print("mean over {} policies, {}: {:.3f} %\n", means.size(), name_of(mode),
                   100 * summarise_gaps(means).mean);
    }
}

void add_result(Json& json, Measured const& measured) {
    json["decode"] = name_of(measured.mode);
    json["mean_gap"] = measured.summary.mean;
    json["std_gap"] = measured.summary.deviation;
    json["largest_gap"] = measured.summary.largest;
    json["instances"] = Json::array();
    for (InstanceGap const& each : measured.instances)
        json["instances"].push_back({{"cost", each.cost},
                                     {"best_known", each.best_known},
                                     {"gap", each.gap ? Json(*each.gap) : Json(nullptr)},
                                     {"valid", each.gap.has_value()}});
}

/// One policy in one mode: the result itself. Several: a list of them under `results`, each with its policy.
Json gap_json(app::ResultHead head, GapCommand& command, std::vector<Measured> const& all) {
    head.policy = command.files.size() == 2 ? all.front().policy : nullptr;
    Json json = app::result_with_head(head, table_of(command).json());
    json["problem"] = all.front().policy->problem->info().name;
    json["set"] = command.set_name();
    if (all.size() == 1) {
        add_result(json, all.front());
        return json;
    }
    json["results"] = Json::array();
    for (Measured const& each : all) {
        Json entry;
        entry["policy"] = app::policy_json(*each.policy);
        add_result(entry, each);
        json["results"].push_back(std::move(entry));
    }
    return json;
}

/// The policies, and the instances as all of them read them.
io::InstanceFile load_files(GapCommand const& command, std::vector<app::LoadedPolicy>& policies) {
    auto const reader = must(parse_pairs(command.inputs.read, "--read"));
    std::optional<io::InstanceFile> file;
    for (std::size_t p = 0; p + 1 < command.files.size(); ++p) {
        auto policy = must(app::load_policy(
            command.files[p], {.precision = command.inputs.precision, .threads = command.inputs.threads}));
        auto loaded = must(app::read_instances(command.instances(), policy, reader));
        if (!file) file = std::move(loaded);
        policies.push_back(std::move(policy));
    }
    return *std::move(file);
}

void run(GapCommand& command) {
    if (command.modes.empty()) fail("--decode: none leaves nothing to measure");
    Stopwatch const stopwatch;
    std::vector<app::LoadedPolicy> policies;
    auto file = load_files(command, policies);
    if (file.instances.empty()) fail(command.instances() + ": there are no instances");
    must(app::rescale_all(*policies.front().policy, file.instances, command.inputs.keep_units), command.instances());
    auto best = must(app::read_best_known(command.best_known, command.set_name(), command.instances(), file.instances));
    auto const numbers = must(app::select(file, command.inputs.selection), command.instances());
    command.decode.seed = command.inputs.seed;
    command.decode.threads = command.inputs.threads;
    command.decode.numbers = numbers;
    std::vector<io::BestKnown> chosen;
    for (std::size_t const number : numbers) chosen.push_back(std::move(best[number]));

    std::vector<Measured> all;
    for (app::LoadedPolicy const& policy : policies) {
        must(app::check_accepted(policy, file.instances, numbers), command.instances());
        for (DecodeMode const mode : command.modes) {
            all.push_back(within(fmt::format("{}: {}", policy.path, command.instances()),
                                 [&] { return measure(policy, mode, file.instances, chosen, command.decode); }));
        }
    }
    print_table(command, file.problem->info(), all);
    app::ResultHead const head{
        .kind = "gap", .seed = command.inputs.seed, .instances = &file, .wall_seconds = stopwatch.seconds()};
    write_json(command.inputs.json, gap_json(head, command, all));
}

} // namespace

Command gap_command() {
    return make_command<GapCommand>(
        {.name = "gap",
         .summary = "How far are policies from the best known solutions?",
         .paragraph =
             "Solves every instance with every policy in every decode mode asked for and compares with the best known "
             "costs. A gap is (cost - best known) / best known, with its sign turned where the objective is maximised: "
             "0 is as good as the best known, 0.05 is 5 % worse. A best-known file holds several sets; the stem of the "
             "instance file names the set unless --set does. 'cax baseline --json' writes such files.",
         .footer = R"(Examples:
  cax gap op.safetensors op20.npz --best-known best_known.json
  cax gap s0.safetensors s1.safetensors s2.safetensors op20.npz --best-known best_known.json --decode greedy,multistart
  cax baseline my.json --json best.json && cax gap op.safetensors my.json --best-known best.json)"});
}

} // namespace cax::cli
