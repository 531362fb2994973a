#include "cax/baselines/gap.hpp"
#include "command.hpp"
#include "common_options.hpp"
#include "decode_options.hpp"
#include "help.hpp"
#include "inputs.hpp"
#include "progress_bar.hpp"
#include "result_file.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace cax::cli {
namespace {

struct GapOptions {
    std::vector<std::string> files; ///< policies, then the instances
    std::string best_known;
    std::string set;
    std::vector<DecodeMode> modes{DecodeMode::greedy};
    DecodeOptions decode;
    Precision precision = Precision::float32;
    std::size_t limit = 0;
    std::vector<std::string> read;
    std::string json;

    [[nodiscard]] std::string const& instances() const { return files.back(); }
    [[nodiscard]] std::string set_name() const {
        return set.empty() ? std::filesystem::path(instances()).stem().string() : set;
    }
};

struct InstanceGap {
    double cost = 0;
    double best_known = 0;
    double gap = 0;
};

/// One policy decoded in one way.
struct Measured {
    LoadedPolicy const* policy = nullptr;
    DecodeMode mode = DecodeMode::greedy;
    std::vector<InstanceGap> instances;
    GapSummary summary;
    double seconds = 0;
};

Result<Measured> measure(LoadedPolicy const& policy, DecodeMode mode, std::vector<InstancePtr> const& instances,
                         std::vector<io::BestKnown> const& best, DecodeOptions decode_options) {
    Stopwatch const stopwatch;
    ProgressBar bar(fmt::format("{}, {}", std::filesystem::path(policy.path).stem().string(), name_of(mode)));
    decode_options.mode = mode;
    decode_options.progress = bar.callback();
    auto const episodes = decode(*policy.policy, instances, decode_options);
    if (!episodes) return episodes.error();
    Measured measured{.policy = &policy, .mode = mode, .instances = {}, .summary = {}, .seconds = 0};
    std::vector<double> gaps;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        auto const where = fmt::format("instance {}", i);
        auto const solution = instances[i]->solution_of((*episodes)[i].actions);
        if (!solution) return solution.error().within(where);
        CheckReport const report = instances[i]->check(*solution);
        if (!report.valid()) {
            return Error{ErrorCode::invalid_value,
                         fmt::format("{}: the policy's solution is not valid: {}", where, report.violations.front())};
        }
        auto const gap = optimality_gap(policy.problem->info().objective, report.cost, best[i].cost);
        if (!gap) return gap.error().within(where);
        measured.instances.push_back({report.cost, best[i].cost, *gap});
        gaps.push_back(*gap);
    }
    measured.summary = summarise_gaps(gaps);
    measured.seconds = stopwatch.seconds();
    return measured;
}

void print_table(GapOptions const& options, ProblemInfo const& info, std::vector<Measured> const& all) {
    fmt::print("{} {} instances, set '{}' of {}\n", all.front().instances.size(), info.name, options.set_name(),
               options.best_known);
    Table table({"<policy", "<decode", std::string("mean ") + std::string(info.cost_word), "mean gap", "std", "largest",
                 "seconds"});
    for (Measured const& each : all) {
        double mean_cost = 0;
        for (InstanceGap const& instance : each.instances) mean_cost += instance.cost;
        table.add({std::filesystem::path(each.policy->path).stem().string(), std::string(name_of(each.mode)),
                   fmt::format("{:.4f}", mean_cost / static_cast<double>(each.instances.size())),
                   fmt::format("{:.3f} %", 100 * each.summary.mean),
                   fmt::format("{:.3f} %", 100 * each.summary.deviation),
                   fmt::format("{:.3f} %", 100 * each.summary.largest), fmt::format("{:.1f}", each.seconds)});
    }
    fmt::print("{}", table.text());
    if (options.files.size() <= 2) return;
    for (DecodeMode const mode : options.modes) {
        std::vector<double> means;
        for (Measured const& each : all)
            if (each.mode == mode) means.push_back(each.summary.mean);
        fmt::print("mean over {} policies, {}: {:.3f} %\n", means.size(), name_of(mode),
                   100 * summarise_gaps(means).mean);
    }
}

Json settings_json(GapOptions const& options) {
    Json modes = Json::array();
    for (DecodeMode const mode : options.modes) modes.push_back(name_of(mode));
    Json settings = {{"best_known", options.best_known},
                     {"set", options.set_name()},
                     {"decode", std::move(modes)},
                     {"encode", name_of(options.decode.encode)},
                     {"precision", precision_name(options.precision)},
                     {"limit", options.limit}};
    if (std::ranges::find(options.modes, DecodeMode::sample) != options.modes.end())
        settings["samples"] = options.decode.samples;
    if (!options.read.empty()) settings["read"] = options.read;
    return settings;
}

void add_result(Json& json, Measured const& measured) {
    json["decode"] = name_of(measured.mode);
    json["mean_gap"] = measured.summary.mean;
    json["std_gap"] = measured.summary.deviation;
    json["largest_gap"] = measured.summary.largest;
    json["instances"] = Json::array();
    for (InstanceGap const& each : measured.instances)
        json["instances"].push_back({{"cost", each.cost}, {"best_known", each.best_known}, {"gap", each.gap}});
}

/// One policy in one mode: the result itself. Several: a list of them under `results`, each with its policy.
Json result_json(ResultHead head, GapOptions const& options, std::vector<Measured> const& all) {
    bool const single = all.size() == 1;
    head.policy = options.files.size() == 2 ? all.front().policy : nullptr;
    Json json = result_with_head(head, settings_json(options));
    json["problem"] = all.front().policy->problem->info().name;
    json["set"] = options.set_name();
    if (single) {
        add_result(json, all.front());
        return json;
    }
    json["results"] = Json::array();
    for (Measured const& each : all) {
        Json entry;
        entry["policy"] = policy_json(*each.policy);
        add_result(entry, each);
        json["results"].push_back(std::move(entry));
    }
    return json;
}

Result<Outcome> gap(GapOptions const& options) {
    Stopwatch const stopwatch;
    auto const reader_options = parse_pairs(options.read, "--read");
    if (!reader_options) return reader_options.error();
    std::vector<LoadedPolicy> policies;
    std::optional<io::InstanceFile> file;
    for (std::size_t p = 0; p + 1 < options.files.size(); ++p) {
        auto policy =
            load_policy(options.files[p],
                        {.precision = options.precision, .threads = options.decode.threads, .coupled_batch = false});
        if (!policy) return policy.error();
        auto loaded = load_instances(options.instances(), *policy, *reader_options, 0);
        if (!loaded) return loaded.error();
        if (!file) file = *std::move(loaded);
        policies.push_back(*std::move(policy));
    }
    if (file->instances.empty())
        return Error{ErrorCode::invalid_value, options.instances() + ": there are no instances"};
    auto const best = read_best_known(options.best_known, options.set_name(), options.instances(), file->instances);
    if (!best) return best.error();
    if (options.limit > 0 && options.limit < file->instances.size()) file->instances.resize(options.limit);

    std::vector<Measured> all;
    for (LoadedPolicy const& policy : policies) {
        for (DecodeMode const mode : options.modes) {
            auto measured = measure(policy, mode, file->instances, *best, options.decode);
            if (!measured) return measured.error().within(fmt::format("{}: {}", policy.path, options.instances()));
            all.push_back(*std::move(measured));
        }
    }
    print_table(options, file->problem->info(), all);
    if (options.json.empty()) return Outcome::success;
    ResultHead const head{.kind = "gap",
                          .command = "gap",
                          .seed = options.decode.seed,
                          .policy = nullptr,
                          .instances = &*file,
                          .stopwatch = &stopwatch};
    if (auto const written = write_json(options.json, result_json(head, options, all)); !written)
        return written.error();
    return Outcome::success;
}

} // namespace

void add_gap(CLI::App& app, Work& work) {
    auto options = std::make_shared<GapOptions>();
    CLI::App& command = *app.add_subcommand("gap");
    describe(command, "How far are policies from the best known solutions?",
             "Solves every instance with every policy in every decode mode asked for and compares with the best known "
             "costs. A gap is (cost - best known) / best known, with its sign turned where the objective is maximised: "
             "0 is as good as the best known, 0.05 is 5 % worse. A best-known file holds several sets; the stem of the "
             "instance file names the set unless --set does. 'cax baseline --json' writes such files.");
    command.add_option("FILES", options->files, "Policy files (.safetensors), then the instance file")
        ->required()
        ->expected(2, 1000)
        ->option_text("POLICY... INSTANCES");
    command.add_option("--best-known", options->best_known, "File with the best known costs (.json)")
        ->required()
        ->type_name("FILE");
    command.add_option("--set", options->set, "Set in that file; otherwise the stem of the instance file")
        ->type_name("NAME");
    command.add_option("--decode", options->modes, std::string(decode_help) + "; may be repeated")
        ->transform(CLI::CheckedTransformer(decode_words()).description(""))
        ->type_name("WORD")
        ->expected(1)
        ->take_all()
        ->default_str("greedy");
    add_samples(command, options->decode.samples);
    add_encode(command, options->decode.encode);
    add_limit(command, options->limit);
    add_seed(command, options->decode.seed);
    add_threads(command, options->decode.threads);
    add_precision(command, options->precision);
    add_reader_options(command, options->read);
    add_json(command, options->json);
    command.footer(R"(
Examples:
  cax gap op.safetensors op20.npz --best-known best_known.json
  cax gap s0.safetensors s1.safetensors s2.safetensors op20.npz --best-known best_known.json --decode greedy --decode multistart
  cax baseline my.json --json best.json && cax gap op.safetensors my.json --best-known best.json)");
    command.callback([&work, options] { work = [options] { return gap(*options); }; });
}

} // namespace cax::cli
