// Questions about single decisions, whole results as tables, and what a study found.
#include "run.hpp"
#include "values.hpp"

#include "cax/app/explain.hpp"
#include "cax/core/json.hpp"
#include "cax/records/tables.hpp"
#include "cax/study/plan.hpp"
#include "cax/study/tables.hpp"

#include <pybind11/stl.h>

namespace cax::python {
namespace {

Decision const& decision_at(EpisodeValue const& episode, std::size_t step) {
    if (step < episode.episode->decisions.size()) return episode.episode->decisions[step];
    throw py::index_error("step " + std::to_string(step) + ": the episode has " +
                          std::to_string(episode.episode->decisions.size()) + " decisions");
}

/// The options of one part, as its command has them. Error if there is no such part.
template <class Visit> void with_part(std::string const& name, Visit const& visit) {
    bool found = false;
    Parts::each_about_decisions([&]<class Part> {
        if (name != Part::name) return;
        found = true;
        visit.template operator()<Part>();
    });
    if (!found) throw py::value_error("there is no part " + name);
}

OptionTable table_of_part(ExplanationRequest& request, std::string const& name) {
    OptionTable table;
    with_part(name, [&]<class Part> { Part::describe(table, request.of<Part>()); });
    return table;
}

/// The cells of cax/swap/1 and its like: one part about these steps of an episode, which is not rolled out again.
py::object ask(PolicyValue const& policy, EpisodeValue const& episode, std::vector<std::size_t> const& steps,
               std::string const& part, Manner const& manner, py::dict const& keywords) {
    check_own_episode(policy, episode);
    ExplanationRequest request;
    with_part(part, [&]<class Part> { request.parts = ChosenParts::of<Part>(); });
    request.of<parts::Sensitivity>().reference = usual_reference(policy);
    request.decisions.encode = episode.episode->state.encode;
    OptionTable table = table_of_part(request, part);
    set_options(table, keywords);
    for (std::size_t const step : steps) (void)decision_at(episode, step);
    auto const found = run_result<Explanation>(manner.progress, [&](Watch& watch) -> Result<Explanation> {
        WatchedPolicy const watched(*policy.policy, watch);
        auto options = app::explain_options(
            request, policy, watched,
            {.seed = manner.seed, .threads = manner.threads, .measuring = watch.progress()});
        if (!options) return options.error();
        options->steps = steps;
        options->progress = watch.progress();
        return cax::explain(watched, *episode.episode, *options);
    });
    Json cells = Json::array();
    for (Step const& step : found.steps) cells.push_back(app::answer_json(found, step, 0, part));
    return to_python(cells);
}

/// One entry of cax/regret/1: of the whole episode, which is not rolled out again.
py::object regret(PolicyValue const& policy, EpisodeValue const& episode, Manner const& manner,
                  py::dict const& keywords) {
    ExplanationRequest request;
    request.parts = ChosenParts::of<parts::Regret>();
    OptionTable table = table_of_part(request, "regret");
    set_options(table, keywords);
    auto const found = run_result<Explanation>(manner.progress, [&](Watch& watch) -> Result<Explanation> {
        WatchedPolicy const watched(*policy.policy, watch);
        auto options = app::explain_options(request, policy, watched,
                                            {.seed = manner.seed, .threads = manner.threads, .measuring = {}});
        if (!options) return options.error();
        return cax::explain(watched, *episode.episode, *options);
    });
    return to_python(app::regret_entry(found, 0));
}

/// The names of the parts of an explanation, in the order of the list.
std::vector<std::string> part_names() {
    std::vector<std::string> names;
    for (std::string_view const name : Parts::names) names.emplace_back(name);
    return names;
}

/// Name, columns and rows of every table of a result, which is given as the text of its file.
py::list tables(std::string const& text) {
    py::list list;
    for (records::TidyTable const& table : records::tables_of(Json::parse(text))) {
        py::list rows;
        for (auto const& row : table.rows) {
            py::list values;
            for (Json const& value : row) values.append(to_python(value));
            rows.append(values);
        }
        list.append(py::make_tuple(table.name, table.columns, rows));
    }
    return list;
}

/// The tables of a finished study's store, as tables.json has them.
py::object study_tables(std::string const& path, bool published) {
    auto const found = [&]() -> Result<Json> {
        py::gil_scoped_release const unlocked;
        auto const store = study::Store::open_to_read(path);
        if (!store) return store.error();
        auto const settings = study::settings_of(*store);
        if (!settings) return settings.error().within(path);
        auto const made =
            study::make_tables(*store, *settings, published ? study::Reading::published : study::Reading::paper);
        if (!made) return made.error().within(path);
        return study::to_json(*made);
    }();
    return to_python(value_or_raise(found));
}

py::list options_in(OptionTable const& table) {
    py::list list;
    for (Option const& option : table.options()) {
        if (!option.typed || option.positional) continue;
        py::list words;
        for (OptionWord const& word : option.words()) words.append(std::string(word.name));
        py::dict entry;
        entry["name"] = keyword_of(option);
        entry["help"] = option.help;
        entry["default"] = option.default_text();
        entry["words"] = words;
        list.append(entry);
    }
    return list;
}

template <class Request> py::list options_of(Request request) { return options_in(table_of(request)); }

py::list options(std::string const& command) {
    if (command == "explain") return options_of(ExplanationRequest{});
    if (command == "attribute") return options_of(AttributionRequest{});
    if (command == "counterfactual") return options_of(CounterfactualRequest{});
    if (command == "subset") return options_of(SubsetRequest{});
    ExplanationRequest request;
    return options_in(table_of_part(request, command));
}

} // namespace

std::uint64_t usual_reference(PolicyValue const& policy) {
    return policy.sha256.empty() ? 0 : ReferenceOptions{}.decisions;
}

void bind_questions(py::module_& module) {
    module.def("ask", &ask);
    module.def("regret", &regret);
    module.def("part_names", &part_names);
    module.def("tables", &tables);
    module.def("study_tables", &study_tables);
    module.def("options", &options);
}

} // namespace cax::python
