#include "cax/study/settings.hpp"

#include "cax/core/json.hpp"
#include "cax/core/options.hpp"

#include <charconv>

namespace cax::study {

Settings quick_settings() {
    Settings settings;
    settings.instances = 3;
    settings.steps = 3;
    settings.shots = 32;
    settings.subset.instances = 1;
    settings.subset.k_max = 6;
    settings.one_number = {.instances = 1, .levels = 3, .rounds = 3};
    settings.judge = {.instances = 2, .curves = 1, .noise = 2, .redraws = 4, .shots = 4, .points = 4};
    settings.search_iterations = 2000;
    settings.certify_work = 2000;
    settings.resamples = 500;
    return settings;
}

void describe(OptionTable& table, Settings& settings) {
    table.value("instances", settings.instances, "B", "Instances per policy").range(1, 1'000'000);
    table.value("steps", settings.steps, "T", "The first so many decisions of each").range(1, 100'000);
    table.value("shots", settings.shots, "M", "Random changes per counterfactual").range(1, 10'000'000);
    table.value("seed", settings.seed, "S", "Names every random number of the study");
    SubsetSettings& subset = settings.subset;
    table.value("subset.policies", subset.policies, "n", "Subsets of the first so many policies of every problem")
        .range(0, 1000);
    table.value("subset.instances", subset.instances, "n", "And of the first so many instances of each")
        .range(0, 1'000'000);
    table.value("subset.epsilon", subset.epsilon, "E", "How much a decision may be lost").between(0, 1);
    table.value("subset.delta", subset.delta, "D", "Confidence is 1 - delta").between(0, 1);
    table.value("subset.sigma", subset.sigma, "S", "Standard deviation of the noise").between(0, 1e6);
    table.value("subset.k_max", subset.k_max, "k", "Largest subset to try").range(1, 100'000);
    JudgeSettings& judge = settings.judge;
    table.value("judge.instances", judge.instances, "n", "Explanations of the first so many instances are judged")
        .range(0, 1'000'000);
    table.value("judge.curves", judge.curves, "n", "Deletion and insertion curves on the first so many of them")
        .range(0, 1'000'000);
    table.value("judge.noise", judge.noise, "n", "Directions per size and half of the truth by noise")
        .range(1, 1'000'000);
    table.value("judge.redraws", judge.redraws, "n", "Fresh draws per half of the other truth").range(1, 1'000'000);
    table.value("judge.shots", judge.shots, "n", "Of sensitivity, per size").range(1, 1'000'000);
    table.value("judge.points", judge.points, "n", "Of integrated gradients").range(1, 1'000'000);
    OneNumberSettings& one_number = settings.one_number;
    table
        .value("one_number.instances", one_number.instances, "n",
               "Every number is tried alone on the first so many instances of every policy")
        .range(0, 1'000'000);
    table.value("one_number.levels", one_number.levels, "n", "Sizes, each four times the one before").range(1, 30);
    table.value("one_number.rounds", one_number.rounds, "n", "Of bisection below the first size that flips")
        .range(0, 60);
    table.value("guided_passes", settings.guided_passes, "n", "Forward passes of each guided search")
        .range(1, 1'000'000);
    table.value("search_iterations", settings.search_iterations, "n", "Of the search that gaps are measured against")
        .range(1, 1'000'000'000'000);
    table.value("certify_work", settings.certify_work, "W", "Steps of exact search per certificate")
        .range(1, 1'000'000'000'000);
    table.value("resamples", settings.resamples, "n", "Of every bootstrap").range(1, 100'000'000);
    table.value("confidence", settings.confidence, "C", "Of every interval").between(0, 1);
    table.value("sizes", settings.sizes, "SIZE", "Instance size per problem; otherwise what the policy was trained on");
    table.value("files", settings.files, "COUNT:SHA256", "One's own instances per problem; --instances writes it");
}

std::size_t instances_of(Settings const& settings, std::string_view problem) {
    auto const own = settings.files.find(problem);
    if (own == settings.files.end()) return settings.instances;
    std::size_t count = 0;
    std::from_chars(own->second.data(), own->second.data() + own->second.size(), count);
    return count;
}

Json to_json(Settings const& settings) {
    Settings own = settings;
    return table_of(own).json();
}

Result<Settings> settings_from_json(Json const& json, Settings const& base) {
    Settings settings = base;
    if (auto const ok = table_of(settings).read(json); !ok) return ok.error();
    return settings;
}

} // namespace cax::study
