#include "cax/report/differences.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/sentence.hpp"
#include "cax/records/explanation.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace cax::report {
namespace {

/// Text that comes from files, on one line of a terminal.
std::string one_line(std::string text) {
    for (char& c : text) {
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
    }
    return text;
}

Result<std::string> schema_of(std::string const& name, Json const& json) {
    if (json.is_object() && json.contains("schema") && json["schema"].is_string())
        return json["schema"].get<std::string>();
    return Error{ErrorCode::file_malformed, name + ": schema is missing: not a result of cax"};
}

/// The field, or null; results of other versions may lack one.
Json const& field(Json const& json, std::string const& pointer) {
    static Json const none;
    Json::json_pointer const place(pointer);
    return json.contains(place) ? json.at(place) : none;
}

std::string shown(Json const& value) {
    if (value.is_null()) return "none";
    if (value.is_number()) return number_words(value.get<double>());
    if (value.is_string()) return one_line(value.get<std::string>());
    if (!value.is_array()) return one_line(value.dump(-1, ' ', true, Json::error_handler_t::replace));
    std::string list;
    for (Json const& each : value) list += (list.empty() ? "" : ", ") + shown(each);
    return list.empty() ? "none" : list;
}

std::string shown(std::string const& text) { return one_line(text); }
std::string shown(double value) { return number_words(value); }
std::string shown(std::uint64_t value) { return number_words(static_cast<double>(value)); }
std::string shown(bool value) { return value ? "true" : "false"; }
std::string shown(CounterfactualStatus status) { return std::string(name_of(status)); }
std::string shown(Verdict verdict) { return std::string(name_of(verdict)); }
std::string shown(std::vector<std::string> const& list) {
    std::string text;
    for (std::string const& each : list) text += (text.empty() ? "" : ", ") + shown(each);
    return text.empty() ? "none" : text;
}
template <class T> std::string shown(std::optional<T> const& value) { return value ? shown(*value) : "none"; }

/// Collects lines "what: a -> b".
class Differences {
public:
    template <class T> void compare(std::string const& what, T const& a, T const& b) {
        if (a != b) add(fmt::format("{}: {} -> {}", what, shown(a), shown(b)));
    }
    void compare_share(std::string const& what, std::optional<double> a, std::optional<double> b) {
        auto const words = [](std::optional<double> share) { return share ? percent_words(*share) : "none"; };
        if (words(a) != words(b)) add(fmt::format("{}: {} -> {}", what, words(a), words(b)));
    }
    void add(std::string line) { lines_.push_back(std::move(line)); }
    void under(std::string const& title, Differences const& part) {
        if (part.lines_.empty()) return;
        lines_.push_back(title);
        for (std::string const& line : part.lines_) lines_.push_back("  " + line);
    }
    [[nodiscard]] std::vector<std::string> const& lines() const { return lines_; }

private:
    std::vector<std::string> lines_;
};

/// Where two episodes part.
template <class Actions> void compare_actions(Actions const& a, Actions const& b, Differences& differences) {
    if (a == b) return;
    std::size_t step = 0;
    while (step < std::min(a.size(), b.size()) && a[step] == b[step]) ++step;
    differences.add(fmt::format("the decisions part at step {}; {} and {} steps in all", step + 1, a.size(), b.size()));
}

void compare_flips(records::FlipRecord const& a, records::FlipRecord const& b, Differences& d) {
    d.compare("counterfactual", a.status, b.status);
    d.compare("it would", a.new_words, b.new_words);
    d.compare("if", a.conditions, b.conditions);
    d.compare("certificate", a.verdict, b.verdict);
}

Differences compare_steps(std::vector<records::ExplanationRecord::Family> const& families, records::StepRecord const& a,
                          records::StepRecord const& b) {
    Differences d;
    d.compare("decision", a.words, b.words);
    d.compare_share("probability", a.probability, b.probability);
    d.compare("runner-up", a.runner_up, b.runner_up);
    d.compare("leading rule", a.top, b.top);
    for (records::ExplanationRecord::Family const& family : families) {
        d.compare_share("share of " + shown(family.label), a.share_of(family.name), b.share_of(family.name));
    }
    compare_flips(a.counterfactual, b.counterfactual, d);
    d.compare("sufficient nodes", a.labels, b.labels);
    Differences why_not;
    why_not.compare("asked about", a.why_not.label, b.why_not.label);
    why_not.compare("allowed", a.why_not.allowed, b.why_not.allowed);
    why_not.compare_share("probability", a.why_not.probability, b.why_not.probability);
    compare_flips(a.why_not.counterfactual, b.why_not.counterfactual, why_not);
    d.under("why not", why_not);
    return d;
}

Differences compare_explanations(records::ExplanationRecord const& a, records::ExplanationRecord const& b) {
    Differences d;
    d.compare("policy", a.policy_sha256, b.policy_sha256);
    d.compare("instance", a.instances_sha256, b.instances_sha256);
    d.compare("seed", a.seed, b.seed);
    d.compare(shown(a.cost_word), a.cost, b.cost);
    if (a.actions && b.actions) compare_actions(*a.actions, *b.actions, d);
    for (records::StepRecord const& step : a.steps) {
        std::string const title = fmt::format("step {}", step.step + 1);
        if (records::StepRecord const* const other = b.find(step.step)) {
            d.under(title, compare_steps(a.families, step, *other));
        } else {
            d.add(title + ": only in the first");
        }
    }
    for (records::StepRecord const& step : b.steps) {
        if (a.find(step.step) == nullptr) d.add(fmt::format("step {}: only in the second", step.step + 1));
    }
    return d;
}

Differences compare_solutions(Json const& a, Json const& b) {
    Differences d;
    d.compare("policy", field(a, "/policy/sha256"), field(b, "/policy/sha256"));
    d.compare("instances", field(a, "/instances_sha256"), field(b, "/instances_sha256"));
    d.compare("mean cost", field(a, "/mean_cost"), field(b, "/mean_cost"));
    Json const& first = field(a, "/instances");
    Json const& second = field(b, "/instances");
    d.compare("number of instances", Json(first.size()), Json(second.size()));
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
        Differences part;
        part.compare("cost", field(first[i], "/cost"), field(second[i], "/cost"));
        part.compare("valid", field(first[i], "/valid"), field(second[i], "/valid"));
        Json const& actions = field(first[i], "/actions");
        Json const& others = field(second[i], "/actions");
        if (actions.is_array() && others.is_array()) compare_actions(actions, others, part);
        for (char const* kind : {"/routes", "/tour", "/schedule", "/packing"}) {
            if (field(first[i], kind) != field(second[i], kind)) {
                part.compare(kind + 1, field(first[i], kind), field(second[i], kind));
            }
        }
        d.under(fmt::format("instance {}", i), part);
    }
    return d;
}

/// Two files of one schema.
Result<Differences> compare_files(std::string const& schema, NamedResult const& a, NamedResult const& b) {
    if (schema == "cax/explanation/1") {
        auto const first = records::read_explanation(a.json);
        if (!first) return first.error().within(a.name);
        auto const second = records::read_explanation(b.json);
        if (!second) return second.error().within(b.name);
        return compare_explanations(*first, *second);
    }
    for (NamedResult const* each : {&a, &b}) {
        if (field(each->json, "/instances").is_array()) continue;
        return Error{ErrorCode::file_malformed, fmt::format("{}: not a whole {}", each->name, one_line(schema))};
    }
    return compare_solutions(a.json, b.json);
}

} // namespace

Result<std::vector<std::string>> differences(NamedResult const& a, NamedResult const& b) {
    auto const schema = schema_of(a.name, a.json);
    if (!schema) return schema.error();
    auto const other = schema_of(b.name, b.json);
    if (!other) return other.error();
    if (*schema != *other) {
        return Error{ErrorCode::mismatch, fmt::format("{} is {}, {} is {}: they cannot be compared", a.name,
                                                      one_line(*schema), b.name, one_line(*other))};
    }
    if (*schema != "cax/explanation/1" && *schema != "cax/solve/1" && *schema != "cax/solutions/1") {
        return Error{ErrorCode::unsupported, fmt::format("{}: schema is {}: explanations and solutions can be compared",
                                                         a.name, one_line(*schema))};
    }
    auto const found = compare_files(*schema, a, b);
    if (!found) return found.error();
    return found->lines();
}

} // namespace cax::report
