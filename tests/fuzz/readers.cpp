// Files of instances and solutions: JSON, the text formats, .sol, best known solutions.
#include "samples.hpp"
#include "targets.hpp"

#include "cax/core/json.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/json_pieces.hpp"
#include "cax/io/solutions.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"
#include "cax/problems/registry.hpp"

namespace cax::fuzz {
namespace {

/// The text cut into pieces and put together again must be what the parser makes of the whole.
void expect_same_in_pieces(std::string_view text, Json const& whole) {
    auto const pieces = io::JsonPieces::cut(text);
    require(pieces.has_value(), "JSON that cannot be cut");
    Json again;
    if (whole.is_object()) {
        again = Json::object();
        auto const members = pieces->members(pieces->whole());
        require(members.has_value(), "an object that cannot be cut");
        for (auto const& [key, piece] : *members) again[key] = *pieces->value(piece);
    } else if (whole.is_array()) {
        again = Json::array();
        auto elements = pieces->elements(pieces->whole());
        for (;;) {
            auto const piece = elements.next();
            require(piece.has_value(), "a list that cannot be cut");
            if (!*piece) break;
            again.push_back(*pieces->value(**piece));
        }
        require(*pieces->count(pieces->whole()) == whole.size(), "another number of elements");
    } else {
        return;
    }
    require(again == whole && dump(again) == dump(whole), "pieces that make another whole");
}

/// Pieces of what is not JSON: every way through them ends in an error.
void expect_broken_in_pieces(std::string_view text) {
    auto const pieces = io::JsonPieces::cut(text);
    if (!pieces) return expect_readable(pieces.error());
    require(!pieces->check(pieces->whole()), "broken JSON that is accepted");
    if (pieces->whole().is_object()) {
        auto const members = pieces->members(pieces->whole());
        bool broken = !members;
        if (members) {
            for (auto const& member : *members) broken = broken || !pieces->check(member.piece);
        }
        require(broken, "a broken object whose members are all whole");
    }
    if (pieces->whole().is_list()) require(!pieces->count(pieces->whole()), "a broken list that is counted");
}

void read_text_format(Problem const& problem, Bytes bytes) {
    for (TextFormat const& format : problem.exchange().text_formats()) {
        (void)format.recognises(text_of(bytes));
        auto const instance = format.read(text_of(bytes), {});
        if (!instance) {
            expect_readable(instance.error());
            continue;
        }
        use_instance(**instance, bytes.size());
        if (auto const written = format.write(**instance)) {
            auto const again = format.read(*written, {});
            require(again.has_value(), "what was written cannot be read: " + (again ? "" : again.error().message));
        }
    }
}

std::vector<std::string> text_format_seeds(Problem const& problem) {
    std::vector<std::string> seeds;
    for (TextFormat const& format : problem.exchange().text_formats()) {
        for (auto const& instance : some_instances(problem)) {
            if (auto text = format.write(*instance)) seeds.push_back(std::move(*text));
        }
    }
    return seeds;
}

Problem const& chosen_problem(Dial& dial) { return *all_problems()[dial.below(all_problems().size())]; }

/// The same seed for every problem, the number of the problem in front.
std::vector<std::string> numbered(auto const& seed_of) {
    std::vector<std::string> seeds;
    for (std::size_t i = 0; i < all_problems().size(); ++i) {
        seeds.push_back(static_cast<char>(i) + seed_of(*all_problems()[i]));
    }
    return seeds;
}

} // namespace

void run_json(Bytes bytes) {
    std::string_view const text = text_of(bytes);
    auto const ours = io::parse_json(text);
    Json const theirs = Json::parse(text, nullptr, false);
    if (ours) {
        require(*ours == theirs, "JSON that is read as something else");
        return expect_same_in_pieces(text, *ours);
    }
    expect_readable(ours.error());
    std::string const& why = ours.error().message;
    bool const out_of_proportion = why.starts_with("JSON nested") || why.starts_with("a JSON object with more");
    bool const has_zero = text.find('\0') != std::string_view::npos; // the end of the text, to them
    require(theirs.is_discarded() || out_of_proportion || has_zero, "JSON that is refused: " + why);
    if (theirs.is_discarded()) expect_broken_in_pieces(text);
}

std::vector<std::string> json_seeds() {
    return {R"({"a": [1, -2.5e3, true, null, "x\n\u00e9"], "b": {}, "a": 1})",
            "[[], {}, \"\", 0]",
            " [NaN] ",
            "{\"a\": -Infinity}",
            "\xEF\xBB\xBF[1]",
            "[1e999]"};
}

void run_instances(Bytes bytes) {
    auto const file = io::parse_instances(bytes);
    if (!file) return expect_readable(file.error());
    require(file->problem != nullptr && !file->instances.empty(), "instances of nothing");
    for (std::size_t i = 0; i < std::min<std::size_t>(file->instances.size(), 2); ++i) {
        use_instance(*file->instances[i], bytes.size());
    }
}

std::vector<std::string> instances_seeds() {
    std::vector<std::string> seeds;
    for (Problem const* problem : all_problems()) {
        seeds.push_back(dump(instances_json(*problem)));
        for (auto& text : text_format_seeds(*problem)) seeds.push_back(std::move(text));
    }
    return seeds;
}

/// The first byte chooses the problem; its formats say themselves whose text it is.
void run_formats(Bytes bytes) {
    Dial dial(bytes);
    Problem const& problem = chosen_problem(dial);
    read_text_format(problem, dial.rest());
}

std::vector<std::string> formats_seeds() {
    std::vector<std::string> seeds;
    for (std::size_t i = 0; i < all_problems().size(); ++i) {
        for (auto const& text : text_format_seeds(*all_problems()[i])) seeds.push_back(static_cast<char>(i) + text);
    }
    return seeds;
}

void run_sol(Bytes bytes) {
    auto const file = io::parse_sol(text_of(bytes));
    if (!file) return expect_readable(file.error());
    auto const again = io::parse_sol(io::format_sol(*file));
    require(again && again->routes.routes == file->routes.routes && again->cost == file->cost,
            "a .sol file that is written otherwise");
}

std::vector<std::string> sol_seeds() {
    return {io::format_sol({.routes = {{{3, 1, 5}, {2, 4}}}, .cost = 827.3}), "Route #1: 1\nCost: 1e9\n"};
}

void run_solution(Bytes bytes) {
    Dial dial(bytes);
    InstancePtr const instance = some_instances(chosen_problem(dial))[0];
    auto const json = io::parse_json(text_of(dial.rest()));
    if (!json) return expect_readable(json.error());
    auto const solution = solution_from_json(*instance, *json);
    if (!solution) return expect_readable(solution.error());
    for (std::string const& violation : instance->check(*solution).violations) expect_readable(violation);
    (void)check_answer(*instance, *solution, {.prefix = {1}, .bound = 2.0});
    auto const again = solution_from_json(*instance, solution_to_json(*instance, *solution));
    require(again.has_value() && *again == *solution, "a solution that is written otherwise");
}

std::vector<std::string> solution_seeds() {
    return numbered([](Problem const& problem) {
        auto const instance = some_instances(problem)[0];
        return dump(solution_to_json(*instance, some_solution(*instance)));
    });
}

void run_best_known(Bytes bytes) {
    Dial dial(bytes);
    auto const instances = some_instances(chosen_problem(dial));
    std::string_view const text = text_of(dial.rest());
    auto const best = io::parse_best_known(text, "small", instances);
    if (!best) return expect_readable(best.error());
    require(best->size() == instances.size(), "best known solutions of other instances");
    auto const count = io::count_best_known(text, "small");
    require(count.has_value() && *count >= best->size(), "entries that were read but not counted");
    for (std::size_t i = 0; i < best->size(); ++i) {
        if ((*best)[i].solution) (void)instances[i]->check(*(*best)[i].solution);
    }
}

std::vector<std::string> best_known_seeds() {
    return numbered([](Problem const& problem) { return dump(best_known_json(problem)); });
}

} // namespace cax::fuzz
