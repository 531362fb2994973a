// How many questions about bounded resources can be settled, by whom, and at what price? For a set of instances with
// best-known solutions: is there a solution that needs one unit less, as much, or one unit more; and one that needs a
// unit more but begins at random? As a Markdown table (docs/methods.md shows it).
//
//   certificates INSTANCES BEST-KNOWN [COUNT] [WORK]
//
// Fails if a verdict contradicts the best-known solutions.
#include "cax/explain/certify.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/problems/questions.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <map>

namespace {

using namespace cax;

struct Outcome {
    std::map<std::string, int> counts; ///< by verdict and source or doubt
    std::vector<double> milliseconds;
    int contradictions = 0;
};

/// What the solution needs of the scarce resource.
double resource_of(Instance const& instance, io::BestKnown const& best) {
    if (instance.problem().info().bound_is_cost) return best.cost;
    auto const* routes = best.solution ? std::get_if<Routes>(&*best.solution) : nullptr;
    return routes == nullptr ? 0 : static_cast<double>(routes->routes.size());
}

/// A few random actions, as far as there are any.
std::vector<std::size_t> random_prefix(Instance const& instance, std::size_t steps, Rng rng) {
    std::vector<std::size_t> actions;
    StatePtr const state = instance.reset();
    while (actions.size() < steps && !state->done()) {
        std::vector<std::size_t> allowed;
        for (std::size_t a = 0; a < state->action_mask().size(); ++a) {
            if (state->action_mask()[a] != 0) allowed.push_back(a);
        }
        if (allowed.empty()) break;
        actions.push_back(allowed[rng.below(allowed.size())]);
        state->step(actions.back());
    }
    return actions;
}

/// Does the verdict fit what is known? `better` and `worse`: the bound asks for more or for less than the best known.
bool contradicts(Certificate const& certificate, bool optimal, bool better, bool has_prefix) {
    if (better) return optimal && certificate.verdict == Verdict::certified;
    return !has_prefix && certificate.verdict == Verdict::refuted;
}

Result<Outcome> ask(std::span<InstancePtr const> instances, std::span<io::BestKnown const> best, double units,
                    std::size_t prefix, std::uint64_t work) {
    Outcome outcome;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        Instance const& instance = *instances[i];
        ProblemInfo const& info = instance.problem().info();
        double const unit = info.bound_is_cost ? std::max(cost_grain_of(instance), 0.01) : 1;
        // More of a fleet or a horizon is easier, more of a prize is harder.
        double const easier = info.objective == Objective::minimise ? 1 : -1;
        Question question;
        question.bound = std::max(0.0, resource_of(instance, best[i]) + easier * units * unit);
        question.prefix = random_prefix(instance, prefix, Rng(1, static_cast<std::uint32_t>(i)));
        CertifyOptions options;
        options.work = work;
        options.seconds = 0;
        auto const start = std::chrono::steady_clock::now();
        auto const certificate = certify(instance, question, options);
        if (!certificate) return certificate.error();
        std::chrono::duration<double, std::milli> const spent = std::chrono::steady_clock::now() - start;
        outcome.milliseconds.push_back(spent.count());
        bool const decided = certificate->verdict != Verdict::undecided;
        ++outcome.counts[fmt::format("{} ({})", name_of(certificate->verdict),
                                     decided ? name_of(certificate->source) : name_of(certificate->doubt))];
        bool const proven = best[i].optimal && info.bound_is_cost;
        outcome.contradictions += contradicts(*certificate, proven, units<0, prefix> 0) ? 1 : 0;
    }
    std::ranges::sort(outcome.milliseconds);
    return outcome;
}

Result<int> run(std::string const& instance_path, std::string const& best_path, std::size_t count, std::uint64_t work) {
    auto const file = io::read_instances(instance_path);
    if (!file) return file.error();
    auto const text = io::read_text(best_path);
    if (!text) return text.error();
    std::string const set = std::filesystem::path(instance_path).stem().string();
    auto const best = io::parse_best_known(*text, set, file->instances);
    if (!best) return best.error();
    std::size_t const used = std::min(count, file->instances.size());
    fmt::print(
        "{}, {} instances, {} steps of work\n\n| question | verdicts | median ms | largest ms |\n|---|---|---|---|\n",
        set, used, work);
    int contradictions = 0;
    struct Row {
        char const* name;
        double units;
        std::size_t prefix;
    };
    for (auto const& [name, units, prefix] : {Row{"one unit better than the best known", -1, 0},
                                              {"as good", 0, 0},
                                              {"one unit worse", 1, 0},
                                              {"one unit worse, after 3 random actions", 1, 3}}) {
        auto const outcome =
            ask(std::span(file->instances).first(used), std::span(*best).first(used), units, prefix, work);
        if (!outcome) return outcome.error();
        std::string verdicts;
        for (auto const& [verdict, number] : outcome->counts) {
            verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", number, verdict);
        }
        fmt::print("| {} | {} | {:.1f} | {:.0f} |\n", name, verdicts, outcome->milliseconds[used / 2],
                   outcome->milliseconds.back());
        contradictions += outcome->contradictions;
    }
    fmt::print("\n{} contradictions\n", contradictions);
    return contradictions;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        fmt::print(stderr, "usage: certificates INSTANCES BEST-KNOWN [COUNT] [WORK]\n");
        return 2;
    }
    std::size_t const count = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1000;
    std::uint64_t const work = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 100'000;
    auto const contradictions = run(argv[1], argv[2], std::max<std::size_t>(count, 1), work);
    if (!contradictions) {
        fmt::print(stderr, "certificates: {}\n", contradictions.error().message);
        return 2;
    }
    return *contradictions == 0 ? 0 : 1;
}
