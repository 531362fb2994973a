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
    flip.l1 = json.at("l1").get<double>();
    if (!json.contains("masses")) return flip;
    for (auto const& [name, masses] : json["masses"].items()) {
        auto const unit = unit_named(name);
        if (!unit) return unit.error();
        flip.masses[*unit] = per_family(problem, masses);
    }
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

/// Puts what a decision says of one decision where it belongs: one function for every kind of stage.
class DecisionReader {
public:
    DecisionReader(ProblemFindings const& problem, DecisionFinding& decision, Json const& json)
        : problem_(problem), decision_(decision), json_(json) {}

    Result<void> operator()(SingleStage stage) {
        switch (stage) {
        case SingleStage::attribution: return read_attribution();
        case SingleStage::sampler: return read_sampler();
        case SingleStage::curve: return read_curve();
        case SingleStage::thumb: read_thumb(decision_, json_); break;
        case SingleStage::episode:
        case SingleStage::multipliers:
        case SingleStage::wachter:
        case SingleStage::gap: break; // of the whole instance
        }
        return {};
    }
    Result<void> operator()(Search search) {
        auto flip = read_flip(problem_, json_);
        if (!flip) return flip.error();
        decision_.flips[search] = *std::move(flip);
        return {};
    }
    Result<void> operator()(SubsetVariant rule) {
        decision_.subsets[rule] = read_subset(json_);
        return {};
    }
    Result<void> operator()(Intervention intervention) {
        Json const& halves = json_.at("halves");
        if (!halves.empty()) decision_.truths[intervention] = read_truth(problem_, halves);
        return {};
    }
    Result<void> operator()(Asked asked) {
        for (auto const& [name, scores] : json_.at("scores").items()) {
            auto const method = parse_name<Method>("method", name);
            if (!method) return method.error();
            decision_.sayings[asked][*method] = per_family(problem_, scores);
        }
        if (asked == Asked::own && json_.contains("swap")) {
            decision_.exchanged = per_family(problem_, json_["swap"].at("single"));
        }
        return {};
    }

private:
    Result<void> read_attribution() {
        for (auto const& [name, family] : json_.at("top").items()) {
            auto const attributor = attributor_named(name);
            if (!attributor) return attributor.error();
            decision_.top[*attributor] = family_of(problem_, family);
        }
        if (!json_.at("dual").is_string()) return {};
        auto const dual = parse_name<TopFamily>("dual", json_["dual"].get<std::string>());
        if (!dual) return dual.error();
        decision_.dual = *dual;
        return {};
    }
    Result<void> read_sampler() {
        for (auto const& [name, family] : json_.at("family").items()) {
            auto const reading = parse_name<SamplerReading>("reading", name);
            if (!reading) return reading.error();
            decision_.sampler[*reading] = family_of(problem_, family);
        }
        return {};
    }
    Result<void> read_curve() {
        decision_.hidden = json_.at("families").get<std::vector<double>>();
        for (auto const& [name, curve] : json_.at("nodes").items()) {
            auto const method = parse_name<Method>("method", name);
            if (!method) return method.error();
            decision_.curves[*method] = {curve.at("deletion").get<double>(), curve.at("insertion").get<double>()};
        }
        return {};
    }

    ProblemFindings const& problem_;
    DecisionFinding& decision_;
    Json const& json_;
};

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
        auto const stage = stage_named(row.key.stage);
        if (!stage) return unreadable(row, "no stage has this name");
        try { // nlohmann's accessors throw; what they throw ends here
            auto const added = row.key.step == whole_instance ? add_instance(*problem, row.key, *stage, json)
                                                              : add_decision(*problem, row.key, *stage, json);
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
            ++same->decisions;
        } else {
            findings_.failures.push_back({row.key.problem, row.key.stage, 1, reason});
        }
    }
    Result<void> add_instance(ProblemFindings& problem, CellKey const& key, Stage const& stage, Json const& json) {
        auto& instances = problem.instances;
        if (instance_of_[&problem] != std::pair{key.seed, key.instance} || instances.empty()) {
            instances.emplace_back().seed = key.seed;
            instance_of_[&problem] = {key.seed, key.instance};
        }
        InstanceFinding& instance = instances.back();
        if (stage == Stage(SingleStage::wachter)) {
            instance.wachter_shots = json.at("shots").get<std::int64_t>();
            instance.wachter_passing = json.at("passing").get<std::int64_t>();
        } else if (stage == Stage(SingleStage::multipliers)) {
            Json const& lp = json.at("lambda").at("lp");
            bool const complete = std::ranges::all_of(lp, [](Json const& value) { return value.is_number(); });
            if (complete) instance.lambda = per_family(problem, lp);
            instance.entries = per_family(problem, json.at("entries"));
        } else if (stage == Stage(SingleStage::gap)) {
            instance.optimal = json.at("optimal").get<bool>();
            for (auto const& [name, entry] : json.at("decode").items()) {
                auto const way = parse_name<DecodeMode>("decode", name);
                if (!way) return way.error();
                Json const& gap = entry.at("gap");
                instance.gaps[*way] = gap.is_null() ? std::nullopt : std::optional(gap.get<double>());
            }
        }
        return {};
    }
    static Result<void> add_decision(ProblemFindings& problem, CellKey const& key, Stage const& stage,
                                     Json const& json) {
        auto const step = static_cast<std::size_t>(key.step);
        auto& decisions = problem.decisions;
        bool const known = !decisions.empty() && decisions.back().seed == key.seed &&
                           decisions.back().instance == key.instance && decisions.back().step == step;
        if (!known) decisions.push_back({.seed = key.seed, .instance = key.instance, .step = step});
        return std::visit(DecisionReader(problem, decisions.back(), json), stage);
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
