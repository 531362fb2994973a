#include "cax/core/json.hpp"
#include "cax/core/options.hpp"
#include "cax/explain/requests.hpp"
#include "cax/problems/registry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cax {
namespace {

/// How many entries a shot of --primitive moves at most: few, so that an instance stays recognisable.
constexpr std::size_t primitive_entries = 3;

Error unclear(std::string message) { return {ErrorCode::invalid_value, std::move(message)}; }

Result<std::size_t> tensor_called(ProblemInfo const& info, std::string_view name, std::string_view option) {
    std::vector<std::string_view> names;
    for (std::size_t k = 0; k < info.tensors.size(); ++k) {
        if (info.tensors[k].name == name) return k;
        names.push_back(info.tensors[k].name);
    }
    return unclear(
        fmt::format("{}: {} has no tensor '{}', only {}", option, info.name, printable(name), fmt::join(names, ", ")));
}

/// Calls take(tensor, text, "--budget locs") for every "locs=text".
template <class Take>
Result<void> for_each_tensor(Texts const& pairs, std::string const& option, ProblemInfo const& info, Take const& take) {
    auto const parsed = parse_pairs(pairs, option);
    if (!parsed) return parsed.error();
    for (auto const& [name, text] : *parsed) {
        auto const tensor = tensor_called(info, name, option);
        if (!tensor) return tensor.error();
        if (Result<void> const ok = take(*tensor, text, fmt::format("{} {}", option, name)); !ok) return ok.error();
    }
    return {};
}

Result<Box> parse_box(std::string_view text, std::string const& where) {
    auto const colon = text.find(':');
    if (colon == std::string_view::npos)
        return unclear(fmt::format("{}: '{}' is not low:high", where, printable(text)));
    auto const low = parse_number(text.substr(0, colon), where);
    if (!low) return low.error();
    auto const high = parse_number(text.substr(colon + 1), where);
    if (!high) return high.error();
    return Box{*low, *high};
}

Result<void> read_moves(CounterfactualRequest const& request, ProblemInfo const& info, PerturbationOptions& moves) {
    moves.budgets.assign(info.tensors.size(), std::nullopt);
    moves.boxes.assign(info.tensors.size(), std::nullopt);
    moves.fixed.assign(info.tensors.size(), 0);
    auto const budgets =
        for_each_tensor(request.budgets, "--budget", info,
                        [&](std::size_t tensor, std::string const& text, std::string const& where) -> Result<void> {
                            auto const budget = parse_number(text, where);
                            if (!budget) return budget.error();
                            moves.budgets[tensor] = *budget;
                            return {};
                        });
    if (!budgets) return budgets.error();
    auto const boxes =
        for_each_tensor(request.boxes, "--box", info,
                        [&](std::size_t tensor, std::string const& text, std::string const& where) -> Result<void> {
                            auto const box = parse_box(text, where);
                            if (!box) return box.error();
                            moves.boxes[tensor] = *box;
                            return {};
                        });
    if (!boxes) return boxes.error();
    for (std::string const& name : request.fixed) {
        auto const tensor = tensor_called(info, name, "--fix");
        if (!tensor) return tensor.error();
        moves.fixed[*tensor] = 1;
    }
    return {};
}

Result<void> read_bound(CounterfactualRequest const& request, ProblemInfo const& info, CertificationOptions& options) {
    for (auto const& [name, bound] : request.bounds) {
        if (!bound) continue;
        if (name == info.bound_option) {
            options.bound = bound;
        } else if (name == info.cost_option) {
            options.cost_bound = bound;
        } else {
            return unclear(fmt::format("--{}: {} is bounded by --{}", name, info.name, info.bound_option));
        }
    }
    bool const keeps_one = options.mode == Certification::bound || options.mode == Certification::prefix;
    if ((!options.bound && !options.cost_bound) || keeps_one) return {};
    return unclear(fmt::format("--{} asks for a bounded solution, --certify {} for another; choose one",
                               options.bound ? info.bound_option : info.cost_option, name_of(options.mode)));
}

void move_primitives(CounterfactualOptions& options) {
    options.kind = ChangeKind::primitive;
    options.perturbation.sparse = primitive_entries;
    options.perturbation.toggles = true;
}

/// "op prize 0.5, budget 0.1, locs 0.3; tsp locs 0.3".
std::string usual_budgets() {
    std::vector<std::string> problems;
    for (Problem const* const problem : all_problems()) {
        std::vector<std::string> tensors;
        for (TensorInfo const& tensor : problem->info().tensors) {
            tensors.push_back(fmt::format("{} {}", tensor.name, tensor.budget));
        }
        problems.push_back(fmt::format("{} {}", problem->info().name, fmt::join(tensors, ", ")));
    }
    return fmt::format("{}", fmt::join(problems, "; "));
}

void describe_search(OptionTable& table, CounterfactualRequest& request) {
    CounterfactualOptions& options = request.options.search;
    PerturbationOptions& moves = options.perturbation;
    auto const sampler = [&] { request.wants_sampler = true; };
    table.choice("search", request.options.finder, "Where changes are looked for")
        .default_is("guided; sampler with --paper, --published, --shots, --count, --joint or --plain-loop")
        .then([&] { request.finder_given = true; });
    table.flag("one-number", request.options.one_number,
               "Only changes of one number, each of them tried in both directions (slow)");
    table.flag("off-map", request.options.off_map,
               "Guided changes may leave the generator's ranges (a customer off the map)");
    table.value("shots", options.shots, "M", "Random changes per decision").from(1).then(sampler);
    table.choice("state", options.fidelity.state, "Which state the policy is shown");
    table.choice("norm", options.norm, "What smallest means");
    table
        .value("budget", request.budgets, "TENSOR=RHO",
               "How far entries of a tensor may move; may be repeated. Random changes have a standard deviation of a "
               "third of it. Otherwise: " +
                   usual_budgets())
        .not_a_setting();
    table.setting("budgets", [&] {
        Json budgets = Json::object();
        for (std::size_t k = 0; request.problem != nullptr && k < moves.budgets.size(); ++k) {
            TensorInfo const& tensor = request.problem->tensors[k];
            budgets[std::string(tensor.name)] = moves.budgets[k].value_or(tensor.budget);
        }
        return budgets;
    });
    table.value("box", request.boxes, "TENSOR=LOW:HIGH", "Values that entries of a tensor may take; may be repeated")
        .as("boxes");
    table.value("fix", request.fixed, "TENSOR", "A tensor that is not touched (locs, say); may be repeated")
        .as("fixed");
    table.flag("joint", moves.joint, "Every shot moves all tensors, not one in turn").then(sampler);
    table.flag("integer", moves.integer, "Move by whole steps of the instance's own units");
    table
        .flag("primitive", request.primitive,
              "Move only what the instance really contains, a few entries at a time, and derive the rest (times and "
              "machines of operations, rather than the number of machines that a policy reads)")
        .on_or_off()
        .default_is("where tensors follow from others")
        .as("primitive", [&] { return Json(options.kind == ChangeKind::primitive); })
        .then([&] { move_primitives(options); });
    table
        .flag("paper", request.paper,
              "Exactly the paper's equation 4 and algorithm 1: random changes of the tensors that a policy reads, the "
              "smallest that flips, states replayed, no refinement")
        .without({"published"})
        .not_a_setting()
        .first()
        .then([&] {
            options.fidelity = CounterfactualFidelity::paper();
            options.norm = Norm::l1;
            request.options.refine = false;
        });
    table
        .flag("published", request.published,
              "What the paper's published code does: frozen states, truncated windows, its envelope")
        .first()
        .then([&] { options.fidelity = CounterfactualFidelity::published(); });
    table.flag("plain-loop", options.plain_loop, "Ask the policy about every shot; the same answers, slower")
        .then(sampler);
}

void describe_answers(OptionTable& table, CounterfactualRequest& request) {
    CounterfactualOptions& options = request.options.search;
    table.flag("refine", request.options.refine, "Few entries, moved no further than needed, to round values")
        .on_or_off();
    table.value("towards", options.towards, "ACTION", "Only a change to this action counts");
    table.value("count", options.count, "n", "Answers per decision, each of another action or family").then([&] {
        request.wants_sampler = true;
    });
    table.flag("per-family", request.per_family, "Also: how little of each constraint family flips the decision");
    table.flag("wachter", request.wachter, "Also: the share of unfiltered joint changes that make sense at all")
        .without({"step"}); // which counts whole episodes
}

void describe_certification(OptionTable& table, CounterfactualRequest& request) {
    CertificationOptions& options = request.options.certification;
    describe_bounds(table, request);
    table.choice("certify", options.mode, "What the changed instance must have", {Certification::bound});
    table.setting("bound", [&] { return options.bound ? Json(*options.bound) : Json(nullptr); });
    table.setting("cost_bound", [&] { return options.cost_bound ? Json(*options.cost_bound) : Json(nullptr); });
    table.flag("conflict", options.certifier.explain_conflict,
               "When refuted, find out which constraint families conflict");
    table.value("work", options.certifier.work, "W", "Steps of exact search per certificate");
    table.value("seconds", options.certifier.seconds, "S", "Wall clock per certificate, 0 = no limit");
}

} // namespace

void describe_bounds(OptionTable& table, CounterfactualRequest& request) {
    auto const describe_bound = [&](ProblemInfo const& info, std::string const& name, std::string_view help) {
        if (Option* const shared = table.find(name)) { // problems may bound the same thing
            shared->help = fmt::format("{}, {}", info.name, shared->help);
            return;
        }
        table.value(name, request.bounds[name], "BOUND", fmt::format("{}: the solution must have {}", info.name, help))
            .not_a_setting()
            .then([&options = request.options.certification] {
                if (options.mode == Certification::instance) options.mode = Certification::bound;
            });
    };
    for (Problem const* const problem : all_problems()) {
        ProblemInfo const& info = problem->info();
        describe_bound(info, std::string(info.bound_option), info.bound_help);
        if (!info.cost_option.empty()) describe_bound(info, std::string(info.cost_option), info.cost_help);
    }
}

void describe(OptionTable& table, CounterfactualRequest& request) {
    table.group("Search");
    describe_search(table, request);
    table.group("Answers");
    describe_answers(table, request);
    table.group("Certificate");
    describe_certification(table, request);
    table.group("");
}

Result<void> CounterfactualRequest::resolve(ProblemInfo const& info) {
    problem = &info;
    if (!finder_given && (paper || published || wants_sampler)) options.finder = FlipSearch::sampler;
    if (options.one_number && options.finder == FlipSearch::sampler) {
        return unclear("--one-number: only --search guided does that");
    }
    if (published && options.search.fidelity.state != StateMode::frozen) {
        return unclear("--published freezes states, --state replay does not; choose one");
    }
    bool const derived = std::ranges::any_of(info.tensors, &TensorInfo::derived);
    if (primitive && derived && !paper && !published) move_primitives(options.search);
    if (auto const ok = read_moves(*this, info, options.search.perturbation); !ok) return ok.error();
    if (auto const ok = read_bound(*this, info, options.certification); !ok) return ok.error();
    return check_options(info, options);
}

} // namespace cax
