#include "cax/report/differences.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/words.hpp"

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

/// A name as part of a JSON pointer.
std::string escaped(std::string const& name) {
    std::string result;
    for (char const c : name) result += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return result;
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

/// Collects lines "what: a -> b".
class Differences {
public:
    void compare(std::string const& what, Json const& a, Json const& b) {
        if (a != b) add(fmt::format("{}: {} -> {}", what, shown(a), shown(b)));
    }
    void compare_share(std::string const& what, Json const& a, Json const& b) {
        if (a == b) return;
        auto const words = [](Json const& v) { return v.is_number() ? percent_words(v.get<double>()) : shown(v); };
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

/// What was decided, and where two episodes part.
void compare_actions(Json const& a, Json const& b, Differences& differences) {
    if (!a.is_array() || !b.is_array() || a == b) return;
    std::size_t step = 0;
    while (step < std::min(a.size(), b.size()) && a[step] == b[step]) ++step;
    differences.add(fmt::format("the decisions part at step {}; {} and {} steps in all", step + 1, a.size(), b.size()));
}

Json const* step_of(Json const& explanation, Json const& number) {
    for (Json const& step : explanation["steps"]) {
        if (step["step"] == number) return &step;
    }
    return nullptr;
}

void compare_flips(Json const& a, Json const& b, Differences& d) {
    d.compare("counterfactual", field(a, "/status"), field(b, "/status"));
    d.compare("it would", field(a, "/new/words"), field(b, "/new/words"));
    auto const conditions = [](Json const& flip) {
        Json list = Json::array();
        for (Json const& change : field(flip, "/changes")) list.push_back(field(change, "/words"));
        return list;
    };
    d.compare("if", conditions(a), conditions(b));
    d.compare("certificate", field(a, "/certificate/verdict"), field(b, "/certificate/verdict"));
}

Differences compare_steps(Json const& problem, Json const& a, Json const& b) {
    Differences d;
    d.compare("decision", field(a, "/words"), field(b, "/words"));
    d.compare_share("probability", field(a, "/probability"), field(b, "/probability"));
    d.compare("runner-up", field(a, "/runner_up/words"), field(b, "/runner_up/words"));
    d.compare("leading rule", field(a, "/attribution/top"), field(b, "/attribution/top"));
    for (Json const& family : problem["families"]) {
        std::string const at = "/attribution/families/" + escaped(family["name"]) + "/share";
        d.compare_share("share of " + shown(field(family, "/label")), field(a, at), field(b, at));
    }
    compare_flips(field(a, "/counterfactual"), field(b, "/counterfactual"), d);
    d.compare("sufficient nodes", field(a, "/subset/labels"), field(b, "/subset/labels"));
    Json const& other = field(a, "/why_not");
    Json const& another = field(b, "/why_not");
    Differences why_not;
    why_not.compare("asked about", field(other, "/label"), field(another, "/label"));
    why_not.compare("allowed", field(other, "/allowed"), field(another, "/allowed"));
    why_not.compare_share("probability", field(other, "/probability"), field(another, "/probability"));
    compare_flips(field(other, "/counterfactual"), field(another, "/counterfactual"), why_not);
    d.under("why not", why_not);
    return d;
}

Differences compare_explanations(Json const& a, Json const& b) {
    Differences d;
    d.compare("policy", field(a, "/policy/sha256"), field(b, "/policy/sha256"));
    d.compare("instance", field(a, "/instances_sha256"), field(b, "/instances_sha256"));
    d.compare("seed", field(a, "/seed"), field(b, "/seed"));
    d.compare(shown(field(a, "/problem/cost_word")), field(a, "/solution/cost"), field(b, "/solution/cost"));
    compare_actions(field(a, "/solution/actions"), field(b, "/solution/actions"), d);
    for (Json const& step : a["steps"]) {
        std::string const title = fmt::format("step {}", step["step"].get<std::size_t>() + 1);
        if (Json const* const other = step_of(b, step["step"])) {
            d.under(title, compare_steps(a["problem"], step, *other));
        } else {
            d.add(title + ": only in the first");
        }
    }
    for (Json const& step : b["steps"]) {
        if (step_of(a, step["step"]) != nullptr) continue;
        d.add(fmt::format("step {}: only in the second", step["step"].get<std::size_t>() + 1));
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
    d.compare("number of instances", first.size(), second.size());
    for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
        Differences part;
        part.compare("cost", field(first[i], "/cost"), field(second[i], "/cost"));
        part.compare("valid", field(first[i], "/valid"), field(second[i], "/valid"));
        compare_actions(field(first[i], "/actions"), field(second[i], "/actions"), part);
        for (char const* kind : {"/routes", "/tour", "/schedule"}) {
            if (field(first[i], kind) != field(second[i], kind)) {
                part.compare(kind + 1, field(first[i], kind), field(second[i], kind));
            }
        }
        d.under(fmt::format("instance {}", i), part);
    }
    return d;
}

/// Enough of the shape to go through it.
Result<void> check_shape(std::string const& name, Json const& json) {
    bool good = true;
    if (json["schema"] == "cax/explanation/1") {
        good = field(json, "/problem/families").is_array() && field(json, "/steps").is_array();
        for (Json const& step : field(json, "/steps")) good = good && field(step, "/step").is_number_unsigned();
        for (Json const& family : field(json, "/problem/families")) good = good && field(family, "/name").is_string();
    } else {
        good = field(json, "/instances").is_array();
    }
    if (good) return {};
    return Error{ErrorCode::file_malformed, fmt::format("{}: not a whole {}", name, shown(json["schema"]))};
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
    if (auto ok = check_shape(a.name, a.json); !ok) return ok.error();
    if (auto ok = check_shape(b.name, b.json); !ok) return ok.error();
    bool const explained = *schema == "cax/explanation/1";
    return (explained ? compare_explanations(a.json, b.json) : compare_solutions(a.json, b.json)).lines();
}

} // namespace cax::report
