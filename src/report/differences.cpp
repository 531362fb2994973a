#include "cax/report/differences.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/parts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <utility>

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

Json const& value_of(Json const& object, std::string const& name) {
    static Json const none;
    return object.is_object() && object.contains(name) ? object.at(name) : none;
}

std::string shown(Json const& value) {
    if (value.is_null()) return "none";
    if (value.is_object()) return "there";
    if (value.is_number()) return number_words(value.get<double>());
    if (value.is_string()) return one_line(value.get<std::string>());
    if (!value.is_array()) return one_line(value.dump(-1, ' ', true, Json::error_handler_t::replace));
    std::string list;
    for (Json const& each : value) list += (list.empty() ? "" : ", ") + shown(each);
    return list.empty() ? "none" : list;
}

/// "0.25", and as many digits as it takes to tell two numbers apart.
std::pair<std::string, std::string> both_shown(Json const& a, Json const& b) {
    std::pair<std::string, std::string> words{shown(a), shown(b)};
    if (words.first == words.second) words = {one_line(a.dump()), one_line(b.dump())}; // as many digits as there are
    return words;
}

/// Collects lines "what: a -> b".
class Differences {
public:
    void compare(std::string const& what, Json const& a, Json const& b) {
        if (a == b) return;
        auto const [from, to] = both_shown(a, b);
        add(fmt::format("{}: {} -> {}", what, from, to));
    }
    void compare_share(std::string const& what, Json const& a, Json const& b) {
        auto const words = [](Json const& share) {
            return share.is_number() ? percent_words(share.get<double>()) : std::string("none");
        };
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
void compare_actions(Json const& a, Json const& b, Differences& differences) {
    if (a == b) return;
    std::size_t step = 0;
    while (step < std::min(a.size(), b.size()) && a[step] == b[step]) ++step;
    differences.add(fmt::format("the decisions part at step {}; {} and {} steps in all", step + 1, a.size(), b.size()));
}

/// How something is drawn, and what it cost to find out, is no difference between two explanations.
bool is_compared(std::string const& field) {
    constexpr std::array left_out{"mark", "drawing", "scene", "moment", "forward_passes", "work"};
    return std::ranges::find(left_out, field) == left_out.end();
}

/// Every field that differs, whatever the part is made of.
void compare_values(std::string const& at, Json const& a, Json const& b, Differences& d) {
    if (a == b) return;
    bool const lists = a.is_array() && b.is_array() && a.size() == b.size();
    bool const structured = lists && std::ranges::any_of(a, [](Json const& each) { return each.is_structured(); });
    if (structured) {
        for (std::size_t i = 0; i < a.size(); ++i) compare_values(fmt::format("{}[{}]", at, i), a[i], b[i], d);
        return;
    }
    if (!a.is_object() || !b.is_object()) {
        d.compare(at, a, b);
        return;
    }
    std::set<std::string> names;
    for (Json const* each : {&a, &b})
        for (auto const& item : each->items()) names.insert(item.key());
    for (std::string const& name : names) {
        std::string const place = at.empty() ? one_line(name) : at + "." + one_line(name);
        if (is_compared(name)) compare_values(place, value_of(a, name), value_of(b, name), d);
    }
}

Differences compare_steps(Json const& a, Json const& b) {
    Differences d;
    d.compare("decision", field(a, "/words"), field(b, "/words"));
    d.compare_share("probability", field(a, "/probability"), field(b, "/probability"));
    d.compare("runner-up", field(a, "/runner_up/words"), field(b, "/runner_up/words"));
    Parts::each_about_decisions([&]<class Part> {
        std::string const name(Part::name);
        Differences part;
        compare_values("", value_of(a, name), value_of(b, name), part);
        d.under(name, part);
    });
    return d;
}

/// What parts say of the whole plan.
void compare_plans(Json const& a, Json const& b, Differences& d) {
    Parts::each([&]<class Part> {
        Differences part;
        for (std::string_view const each : Part::record_fields) {
            std::string const name(each);
            compare_values(name, value_of(a, name), value_of(b, name), part);
        }
        d.under(std::string(Part::name), part);
    });
}

/// The step of that number, or null.
Json const* find_step(Json const& explanation, Json const& number) {
    for (Json const& each : explanation["steps"])
        if (field(each, "/step") == number) return &each;
    return nullptr;
}

Differences compare_explanations(Json const& a, Json const& b) {
    Differences d;
    d.compare("policy", field(a, "/policy/sha256"), field(b, "/policy/sha256"));
    d.compare("instance", field(a, "/instances_sha256"), field(b, "/instances_sha256"));
    d.compare("seed", field(a, "/seed"), field(b, "/seed"));
    d.compare(shown(field(a, "/problem/cost_word")), field(a, "/solution/cost"), field(b, "/solution/cost"));
    Json const& actions = field(a, "/solution/actions");
    Json const& others = field(b, "/solution/actions");
    if (actions.is_array() && others.is_array()) compare_actions(actions, others, d);
    compare_plans(a, b, d);
    for (Json const& step : a["steps"]) {
        std::string const title = fmt::format("step {}", step["step"].get<std::size_t>() + 1);
        if (Json const* const other = find_step(b, step["step"]))
            d.under(title, compare_steps(step, *other));
        else
            d.add(title + ": only in the first");
    }
    for (Json const& step : b["steps"]) {
        if (find_step(a, step["step"]) != nullptr) continue;
        d.add(fmt::format("step {}: only in the second", step["step"].get<std::size_t>() + 1));
    }
    return d;
}

/// Error if it is no explanation, or only a part of one.
Result<void> is_explanation(Json const& json) {
    Error const incomplete{ErrorCode::file_malformed, "not a whole cax/explanation/1"};
    if (!field(json, "/problem/families").is_array() || !field(json, "/steps").is_array()) return incomplete;
    for (std::size_t i = 0; i < json["steps"].size(); ++i) {
        if (field(json["steps"][i], "/step").is_number_unsigned()) continue;
        return Error{ErrorCode::file_malformed, "step: is not a number"}.within(fmt::format("steps[{}]", i));
    }
    return {};
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
        for (NamedResult const* each : {&a, &b})
            if (auto const ok = is_explanation(each->json); !ok) return ok.error().within(each->name);
        return compare_explanations(a.json, b.json);
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
