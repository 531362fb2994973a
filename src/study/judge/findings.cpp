#include "judge/findings.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/registry.hpp"
#include "cax/records/counterfactual.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::study {
namespace {

FamilyIndex family_of(ProblemFindings const& problem, Json const& name) {
    if (!name.is_string()) return std::nullopt;
    auto const found = std::ranges::find(problem.families, name.get<std::string>());
    if (found == problem.families.end()) return std::nullopt;
    return static_cast<std::size_t>(found - problem.families.begin());
}

std::vector<double> per_family(ProblemFindings const& problem, Json const& values) {
    std::vector<double> found;
    for (std::string const& family : problem.families) found.push_back(values.at(family).get<double>());
    return found;
}

Result<FlipFinding> read_flip(ProblemFindings const& problem, Json const& json) {
    FlipFinding flip;
    flip.flip = json.at("flip").get<bool>();
    if (!flip.flip) return flip;
    flip.family = family_of(problem, json.at("family"));
    Json const certificates = json.value("certificate", Json::object());
    auto const instance = records::read_verdict(certificates.value("instance", Json()));
    if (!instance) return instance.error();
    auto const prefix = records::read_verdict(certificates.value("prefix", Json()));
    if (!prefix) return prefix.error();
    flip.instance_verdict = *instance;
    flip.prefix_verdict = *prefix;
    if (!json.contains("masses")) return flip;
    for (auto const& [norm, masses] : json["masses"].items()) flip.masses[norm] = per_family(problem, masses);
    flip.dimensions = per_family(problem, json.at("dimensions"));
    return flip;
}

SubsetFinding read_subset(Json const& json) {
    SubsetFinding subset;
    subset.accepted = json.at("accepted").get<bool>();
    subset.size = json.at("size").get<double>();
    subset.rate = json.at("rate").get<double>();
    subset.lower_bound = json.at("lower_bound").get<double>();
    subset.samples = json.at("samples").get<std::int64_t>();
    if (json.at("margin").is_number()) subset.margin = json["margin"].get<double>();
    return subset;
}

/// Nothing where a method was not asked or refused.
Truth read_truth(ProblemFindings const& problem, Json const& halves) {
    Truth truth;
    for (std::size_t h = 0; h < truth.size(); ++h) {
        truth[h] = {per_family(problem, halves.at(h).at("score")), per_family(problem, halves.at(h).at("flip"))};
    }
    return truth;
}

void read_thumb(DecisionFinding& decision, Json const& json) {
    if (!json.at("choice").get<bool>()) return;
    decision.chosen = json.at("action").get<std::size_t>();
    for (auto const& [rule, verdict] : json.at("rules").items()) {
        decision.allowed = verdict.at("allowed").get<std::size_t>();
        decision.thumb[rule] = {verdict.at("agrees").get<bool>(),
                                verdict.at("equal").get<double>() / static_cast<double>(decision.allowed)};
    }
}

void read_judged(ProblemFindings const& problem, DecisionFinding& decision, CellKey const& key, Json const& json) {
    if (key.stage.starts_with("truth/")) {
        Json const& halves = json.at("halves");
        if (!halves.empty()) decision.truths[key.stage.substr(6)] = read_truth(problem, halves);
    } else if (key.stage.starts_with("judged/")) {
        std::string const asked = key.stage.substr(7);
        for (auto const& [method, scores] : json.at("scores").items()) {
            decision.sayings[asked][method] = per_family(problem, scores);
        }
        if (asked == "own" && json.contains("swap")) {
            decision.exchanged = per_family(problem, json["swap"].at("single"));
        }
    } else if (key.stage == "curve") {
        decision.hidden = json.at("families").get<std::vector<double>>();
        for (auto const& [method, curve] : json.at("nodes").items()) {
            decision.curves[method] = {curve.at("deletion").get<double>(), curve.at("insertion").get<double>()};
        }
    } else if (key.stage == "thumb") {
        read_thumb(decision, json);
    }
}

/// Puts rows where they belong. Rows come in the order of keys, so decisions and instances do, too.
class Reader {
public:
    explicit Reader(Store const& store) {
        for (Problem const* const known : all_problems()) {
            ProblemFindings problem;
            problem.name = known->info().name;
            problem.families.assign(known->info().families.begin(), known->info().families.end());
            for (PolicyEntry const& p : store.header().policies) {
                if (p.problem == problem.name) problem.seeds.push_back(p.seed);
            }
            if (!problem.seeds.empty()) findings_.problems.push_back(std::move(problem));
        }
    }

    Result<void> add(CellRow const& row) {
        Json const json = Json::parse(row.result, nullptr, false);
        auto const problem = std::ranges::find(findings_.problems, row.key.problem, &ProblemFindings::name);
        if (!json.is_object() || problem == findings_.problems.end()) return unreadable(row, "no JSON object");
        if (json.contains("failed")) {
            note_failure(row, json["failed"].dump());
            return {};
        }
        try { // nlohmann's accessors throw; what they throw ends here
            if (row.key.step == whole_instance) {
                add_instance(*problem, row.key, json);
                return {};
            }
            auto const added = add_decision(*problem, row.key, json);
            return added ? Result<void>() : unreadable(row, added.error().message);
        } catch (Json::exception const& wrong) {
            std::string_view const words = wrong.what(); // "[json.exception...] key 'flip' not found"
            return unreadable(row, std::string(words.substr(std::min(words.size(), words.find("] ") + 2))));
        }
    }
    Findings take() { return std::move(findings_); }

private:
    static Error unreadable(CellRow const& row, std::string const& why) {
        return {ErrorCode::file_malformed,
                fmt::format("cell {} seed {} instance {} step {} {}: {}", row.key.problem, row.key.seed,
                            row.key.instance, row.key.step, row.key.stage, why)};
    }
    void note_failure(CellRow const& row, std::string const& reason) {
        auto const same = std::ranges::find_if(findings_.failures, [&](Failure const& f) {
            return f.problem == row.key.problem && f.stage == row.key.stage;
        });
        if (same != findings_.failures.end()) {
            ++same->cells;
        } else {
            findings_.failures.push_back({row.key.problem, row.key.stage, 1, reason});
        }
    }
    void add_instance(ProblemFindings& problem, CellKey const& key, Json const& json) {
        auto& instances = problem.instances;
        if (instance_of_[&problem] != std::pair{key.seed, key.instance} || instances.empty()) {
            instances.emplace_back().seed = key.seed;
            instance_of_[&problem] = {key.seed, key.instance};
        }
        if (key.stage == "wachter") {
            instances.back().wachter_shots = json.at("shots").get<std::int64_t>();
            instances.back().wachter_passing = json.at("passing").get<std::int64_t>();
        }
        if (key.stage == "multipliers") {
            Json const& lp = json.at("lambda").at("lp");
            bool const complete = std::ranges::all_of(lp, [](Json const& value) { return value.is_number(); });
            if (complete) instances.back().lambda = per_family(problem, lp);
            instances.back().entries = per_family(problem, json.at("entries"));
        }
        if (key.stage != "gap") return;
        instances.back().optimal = json.at("optimal").get<bool>();
        for (auto const& [way, entry] : json.at("decode").items()) {
            Json const& gap = entry.at("gap");
            instances.back().gaps[way] = gap.is_null() ? std::nullopt : std::optional(gap.get<double>());
        }
    }
    static Result<void> add_decision(ProblemFindings& problem, CellKey const& key, Json const& json) {
        auto const step = static_cast<std::size_t>(key.step);
        auto& decisions = problem.decisions;
        bool const known = !decisions.empty() && decisions.back().seed == key.seed &&
                           decisions.back().instance == key.instance && decisions.back().step == step;
        if (!known) decisions.push_back({.seed = key.seed, .instance = key.instance, .step = step});
        DecisionFinding& decision = decisions.back();
        if (key.stage == "attribution") {
            for (auto const& [source, family] : json.at("top").items()) {
                decision.top[source] = family_of(problem, family);
            }
            if (!json.at("dual").is_string()) return {};
            auto const dual = parse_name<TopFamily>("dual", json["dual"].get<std::string>());
            if (!dual) return dual.error();
            decision.dual = *dual;
        } else if (key.stage.starts_with("counterfactual/")) {
            auto flip = read_flip(problem, json);
            if (!flip) return flip.error();
            decision.flips[key.stage.substr(15)] = *std::move(flip);
        } else if (key.stage.starts_with("subset/")) {
            decision.subsets[key.stage.substr(7)] = read_subset(json);
        } else {
            read_judged(problem, decision, key, json);
        }
        return {};
    }

    Findings findings_;
    std::map<ProblemFindings*, std::pair<std::size_t, std::size_t>> instance_of_;
};

} // namespace

Result<Findings> read_findings(Store const& store) {
    auto const rows = store.rows();
    if (!rows) return rows.error();
    Reader reader(store);
    for (CellRow const& row : *rows) {
        if (auto added = reader.add(row); !added) return added.error();
    }
    return reader.take();
}

} // namespace cax::study
