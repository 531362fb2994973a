#include "study_fixture.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <map>

namespace cax::test {

study::Settings StudyTest::tiny() {
    study::Settings settings = study::quick_settings();
    settings.instances = 3;
    settings.steps = 2;
    settings.shots = 8;
    settings.subset.k_max = 2;
    settings.search_iterations = 50;
    settings.certify_work = 200;
    settings.resamples = 100;
    return settings;
}

void StudyTest::use(std::vector<std::string> const& problems) {
    std::map<std::string, std::size_t> seeds;
    for (std::string const& name : problems) {
        std::size_t const seed = seeds[name]++;
        auto policy = make_policy(random_policy(name, RandomPolicy{}, seed + 1), {.threads = 1});
        ASSERT_TRUE(policy) << policy.error().message;
        loaded_.push_back(std::move(*policy));
        Problem const* const problem = find_problem(name);
        // The smallest sizes of the CLI tests: letters of the size hint say what a size looks like.
        std::string const size = problem->info().size_hint == "N" ? "8" : "4x3";
        policies_.push_back({{name, seed, name + "-s" + std::to_string(seed), std::string(64, 'a'), size},
                             loaded_.back().get(),
                             problem});
    }
    std::ranges::sort(policies_, {}, [](auto const& p) { return std::pair(p.entry.problem, p.entry.seed); });
}

study::StoreHeader StudyTest::header(study::Shard shard) const {
    study::StoreHeader header{
        .version = "test", .settings = study::to_json(settings_).dump(), .policies = {}, .shard = shard};
    for (study::StudyPolicy const& policy : policies_) header.policies.push_back(policy.entry);
    return header;
}

Result<study::Store> StudyTest::open(std::string const& name, study::Shard shard) const {
    return study::Store::open(folder_ / name, header(shard));
}

study::RunReport StudyTest::run(study::Store& store, study::RunOptions const& options) const {
    auto const report = study::run(store, settings_, policies_, options);
    EXPECT_TRUE(report) << report.error().message;
    return report ? *report : study::RunReport{};
}

Result<study::RunReport> StudyTest::run_result(study::Store& store) const {
    return study::run(store, settings_, policies_, {});
}

std::string StudyTest::tables(study::Store const& store) const {
    auto const made = study::make_tables(store, settings_);
    EXPECT_TRUE(made) << made.error().message;
    return made ? study::to_json(*made).dump(1) : "";
}

std::string StudyTest::tables_of_run(std::string const& name, study::RunOptions const& options) const {
    auto store = open(name);
    EXPECT_TRUE(store) << store.error().message;
    run(*store, options);
    return tables(*store);
}

} // namespace cax::test
