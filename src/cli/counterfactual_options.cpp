#include "counterfactual_options.hpp"

#include "common_options.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/registry.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>

namespace cax::cli {
namespace {

/// How many entries a shot of --primitive moves at most: few, so that an instance stays recognisable.
constexpr std::size_t primitive_entries = 3;

Error invalid(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

Result<double> parse_number(std::string_view text, std::string_view where) {
    double value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
    return invalid(fmt::format("{}: '{}' is not a number", where, text));
}

Result<std::size_t> tensor_index(ProblemInfo const& info, std::string_view name, std::string_view option) {
    std::string names;
    for (std::size_t k = 0; k < info.tensors.size(); ++k) {
        if (info.tensors[k].name == name) return k;
        names += fmt::format("{}{}", k == 0 ? "" : ", ", info.tensors[k].name);
    }
    return invalid(fmt::format("{}: {} has no tensor '{}', only {}", option, info.name, name, names));
}

Result<void> read_budgets(CounterfactualCommand const& command, ProblemInfo const& info, PerturbationOptions& options) {
    auto const pairs = parse_pairs(command.budgets, "--budget");
    if (!pairs) return pairs.error();
    options.budgets.assign(info.tensors.size(), std::nullopt);
    for (auto const& [name, text] : *pairs) {
        auto const tensor = tensor_index(info, name, "--budget");
        if (!tensor) return tensor.error();
        auto const value = parse_number(text, fmt::format("--budget {}", name));
        if (!value) return value.error();
        options.budgets[*tensor] = *value;
    }
    return {};
}

Result<void> read_boxes(CounterfactualCommand const& command, ProblemInfo const& info, PerturbationOptions& options) {
    auto const pairs = parse_pairs(command.boxes, "--box");
    if (!pairs) return pairs.error();
    options.boxes.assign(info.tensors.size(), std::nullopt);
    for (auto const& [name, text] : *pairs) {
        std::string const where = fmt::format("--box {}", name);
        auto const tensor = tensor_index(info, name, "--box");
        if (!tensor) return tensor.error();
        auto const colon = text.find(':');
        if (colon == std::string::npos) return invalid(fmt::format("{}: '{}' is not low:high", where, text));
        auto const low = parse_number(std::string_view(text).substr(0, colon), where);
        if (!low) return low.error();
        auto const high = parse_number(std::string_view(text).substr(colon + 1), where);
        if (!high) return high.error();
        options.boxes[*tensor] = Box{*low, *high};
    }
    return {};
}

Result<void> read_fixed(CounterfactualCommand const& command, ProblemInfo const& info, PerturbationOptions& options) {
    options.fixed.assign(info.tensors.size(), 0);
    for (std::string const& name : command.fixed) {
        auto const tensor = tensor_index(info, name, "--fix");
        if (!tensor) return tensor.error();
        options.fixed[*tensor] = 1;
    }
    return {};
}

/// --certify and the problem's bound, which may be asked for by itself.
Result<void> read_certification(CounterfactualCommand const& command, ProblemInfo const& info,
                                CertificationOptions& options) {
    for (auto const& [name, value] : command.bounds) {
        if (name != info.bound_option) {
            return invalid(fmt::format("--{}: {} is bounded by --{}", name, info.name, info.bound_option));
        }
        options.bound = value;
        options.mode = Certification::bound;
    }
    if (!command.certify) return {};
    for (Certification const each : {Certification::instance, Certification::prefix, Certification::none}) {
        if (*command.certify == name_of(each)) options.mode = each;
    }
    if (options.bound && options.mode != Certification::prefix) {
        return invalid(fmt::format("--{} asks for a bounded solution, --certify {} for another; choose one",
                                   info.bound_option, *command.certify));
    }
    return {};
}

void declare_search(CLI::App& app, CounterfactualCommand& command) {
    auto const words = [](std::vector<std::string> const& allowed) { return CLI::IsMember(allowed).description(""); };
    app.add_option("--shots", command.shots, "Random changes per decision")->type_name("M")->capture_default_str();
    app.add_option("--state", command.state,
                   "replay: repeat the actions so far on the changed instance; frozen: change only the tensors")
        ->check(words({"replay", "frozen"}))
        ->type_name("WORD")
        ->default_str("replay");
    app.add_option("--norm", command.norm, "What smallest means: l1, l2 or linf")
        ->check(words({"l1", "l2", "linf"}))
        ->type_name("WORD")
        ->capture_default_str();
    app.add_option("--budget", command.budgets, "How far entries of a tensor may move, as tensor=number")
        ->type_name("TENSOR=RHO")
        ->expected(1)
        ->take_all();
    app.add_option("--box", command.boxes, "Values that entries of a tensor may take, as tensor=low:high")
        ->type_name("TENSOR=LOW:HIGH")
        ->expected(1)
        ->take_all();
    app.add_option("--fix", command.fixed, "A tensor that is not touched; may be repeated")
        ->type_name("TENSOR")
        ->expected(1)
        ->take_all();
    app.add_flag("--joint", command.joint, "Every shot moves all tensors, not one in turn");
    app.add_flag("--integer", command.integer, "Move by whole steps of the instance's own units");
    app.add_flag("--primitive", command.primitive,
                 "Move only what the instance really contains, a few entries at a time, and derive the rest");
    app.add_flag("--published", command.published,
                 "What the paper's published code does: frozen states, truncated windows, its envelope");
    app.add_flag("--plain-loop", command.plain_loop, "Ask the policy about every shot; the same answers, slower");
}

void declare_answers(CLI::App& app, CounterfactualCommand& command) {
    app.add_flag("--refine", command.refine, "Few entries, moved no further than needed, to round values");
    app.add_option("--towards", command.towards, "Only a change to this action counts")->type_name("ACTION");
    app.add_option("--count", command.count, "Answers per decision, each of another action or family")
        ->type_name("n")
        ->capture_default_str();
    app.add_flag("--per-family", command.per_family, "Also: how little of each constraint family flips the decision");
    app.add_flag("--wachter", command.wachter, "Also: the share of unfiltered joint changes that make sense at all");
}

void declare_certification(CLI::App& app, CounterfactualCommand& command) {
    app.add_option("--certify", command.certify,
                   "What the changed instance must have: instance, a solution; prefix, one that begins with the "
                   "actions so far and the new one; none")
        ->check(CLI::IsMember({"instance", "prefix", "none"}).description(""))
        ->type_name("WORD")
        ->default_str("instance");
    for (Problem const* problem : all_problems()) {
        ProblemInfo const& info = problem->info();
        std::string const name(info.bound_option);
        if (CLI::Option* const shared = app.get_option_no_throw("--" + name)) { // problems may bound the same thing
            shared->description(fmt::format("{}, {}", info.name, shared->get_description()));
            continue;
        }
        app.add_option_function<double>(
               "--" + name, [&command, name](double value) { command.bounds[name] = value; },
               fmt::format("{}: the solution must have {}", info.name, info.bound_help))
            ->type_name("BOUND");
    }
    app.add_flag("--conflict", command.conflict, "When refuted, find out which constraint families conflict");
    app.add_option("--work", command.work, "Steps of exact search per certificate")
        ->type_name("W")
        ->capture_default_str();
    app.add_option("--seconds", command.seconds, "Wall clock per certificate, 0 = no limit")
        ->check(CLI::NonNegativeNumber.description(""))
        ->type_name("S")
        ->capture_default_str();
}

} // namespace

void declare_options(CLI::App& app, CounterfactualCommand& command) {
    app.add_option("POLICY", command.policy, "Policy file (.safetensors)")->required()->type_name("");
    app.add_option("INSTANCES", command.instances, "Instance file")->required()->type_name("");
    declare_search(app, command);
    declare_answers(app, command);
    declare_certification(app, command);
    app.add_option("--step", command.step, "Only this decision, counted from 0")
        ->type_name("t")
        ->excludes(app.get_option("--wachter")); // which counts whole walks
    app.add_option("--steps", command.steps, "Only the first T decisions of every instance")->type_name("T");
    add_limit(app, command.limit);
    add_seed(app, command.seed);
    add_threads(app, command.threads);
    add_precision(app, command.precision);
    add_reader_options(app, command.read);
    add_json(app, command.json);
}

void move_primitives(CounterfactualOptions& options) {
    options.kind = ChangeKind::primitive;
    options.perturbation.sparse = primitive_entries;
    options.perturbation.toggles = true;
}

Result<CounterfactualRequest> counterfactual_request(CounterfactualCommand const& command, ProblemInfo const& info) {
    CounterfactualRequest request;
    CounterfactualOptions& options = request.search;
    CertificationOptions& certification = request.certification;
    if (command.published) options.make_published();
    if (command.state) options.state = *command.state == "frozen" ? StateMode::frozen : StateMode::replay;
    if (command.published && options.state != StateMode::frozen) {
        return invalid("--published freezes states, --state replay does not; choose one");
    }
    auto const norm = norm_of(command.norm);
    if (!norm) return norm.error();
    options.norm = *norm;
    options.shots = command.shots;
    PerturbationOptions& moves = options.perturbation;
    if (auto ok = read_budgets(command, info, moves); !ok) return ok.error();
    if (auto ok = read_boxes(command, info, moves); !ok) return ok.error();
    if (auto ok = read_fixed(command, info, moves); !ok) return ok.error();
    if (auto ok = read_certification(command, info, certification); !ok) return ok.error();
    moves.joint = command.joint;
    moves.integer = command.integer;
    moves.seed = command.seed;
    if (command.primitive) move_primitives(options);
    options.towards = command.towards;
    options.count = command.count;
    request.refine = command.refine;
    options.plain_loop = command.plain_loop;
    certification.certifier.work = command.work;
    certification.certifier.seconds = command.seconds;
    certification.certifier.explain_conflict = command.conflict;
    if (auto ok = check_request(info, request); !ok) return ok.error();
    return request;
}

Json settings_json(CounterfactualCommand const& command, CounterfactualRequest const& request,
                   ProblemInfo const& info) {
    CounterfactualOptions const& options = request.search;
    CertificationOptions const& certification = request.certification;
    Json settings{{"shots", options.shots},
                  {"state", name_of(options.state)},
                  {"certify", name_of(certification.mode)},
                  {"norm", name_of(options.norm)},
                  {"joint", command.joint},
                  {"integer", command.integer},
                  {"primitive", command.primitive},
                  {"published", command.published},
                  {"refine", command.refine},
                  {"per_family", command.per_family},
                  {"wachter", command.wachter},
                  {"plain_loop", command.plain_loop},
                  {"conflict", command.conflict},
                  {"count", command.count},
                  {"towards", command.towards ? Json(*command.towards) : Json(nullptr)},
                  {"bound", certification.bound ? Json(*certification.bound) : Json(nullptr)},
                  {"work", command.work},
                  {"seconds", command.seconds},
                  {"step", command.step ? Json(*command.step) : Json(nullptr)},
                  {"steps", command.steps},
                  {"limit", command.limit},
                  {"precision", precision_name(command.precision)},
                  {"budgets", Json::object()},
                  {"fixed", command.fixed},
                  {"boxes", command.boxes}};
    for (std::size_t k = 0; k < info.tensors.size(); ++k) {
        auto const& given = options.perturbation.budgets[k];
        settings["budgets"][std::string(info.tensors[k].name)] = given.value_or(info.tensors[k].budget);
    }
    if (!command.read.empty()) settings["read"] = command.read;
    return settings;
}

} // namespace cax::cli
