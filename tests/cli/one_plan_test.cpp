// The plan that is explained is the plan that `cax solve` prints: every command that follows a policy takes the same
// decisions, on instances of every problem and on other people's files.
#include "data.hpp"
#include "workbench.hpp"

#include <fmt/format.h>
#include <map>

namespace cax::test {
namespace {

using Plans = std::map<std::size_t, std::vector<std::size_t>>; ///< actions by number of instance

class OnePlanBase : public Workbench {
protected:
    Json result(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--json", "result.json"});
        cax_ok(arguments);
        return json_of("result.json");
    }
    Plans solved(std::string const& policy, std::string const& file) const {
        Plans plans;
        Json const json = result({"solve", policy, file});
        for (Json const& each : json["instances"]) {
            plans.emplace(plans.size(), each["actions"].get<std::vector<std::size_t>>());
        }
        return plans;
    }
    Plans attributed(std::string const& policy, std::string const& file) const {
        Plans plans;
        Json const json = result({"attribute", policy, file, "--backend", "proxy"});
        for (Json const& each : json["instances"]) {
            for (Json const& step : each["steps"]) plans[each["instance"]].push_back(step["action"]);
        }
        return plans;
    }
    /// Of commands whose results are decisions.
    Plans in_cells(std::vector<std::string> const& arguments) const {
        Plans plans;
        Json const json = result(arguments);
        for (Json const& decision : json["cells"]) plans[decision["instance"]].push_back(decision["action"]);
        return plans;
    }
    std::vector<std::size_t> explained(std::string const& policy, std::string const& file, std::size_t number) const {
        Json const json = result({"explain", policy, file, "--parts", "none", "--instance", fmt::format("{}", number)});
        return json["solution"]["actions"];
    }
};

class OnePlan : public OnePlanBase, public testing::WithParamInterface<char const*> {};

TEST_P(OnePlan, IsFollowedByEveryCommandOnAHundredInstances) {
    std::string const problem = GetParam();
    std::string const policy = this->policy(problem, small_size(problem));
    std::string const file = instances(problem, small_size(problem), 100);
    Plans const plans = solved(policy, file);
    ASSERT_EQ(plans.size(), 100U);
    EXPECT_EQ(attributed(policy, file), plans);
    EXPECT_EQ(in_cells({"counterfactual", policy, file, "--shots", "1"}), plans);
    EXPECT_EQ(in_cells({"subset", policy, file, "--samples", "1", "--k-max", "1"}), plans);
    for (std::size_t i = 0; i < plans.size(); i += 5) EXPECT_EQ(explained(policy, file, i), plans.at(i)) << i;
}

TEST_P(OnePlan, DiffersWhereAnotherDecodingIsAskedForAndTheResultSaysSo) {
    std::string const problem = GetParam();
    std::string const policy = this->policy(problem, small_size(problem));
    std::string const file = instances(problem, small_size(problem), 1);
    EXPECT_EQ(result({"explain", policy, file, "--parts", "none"})["settings"]["encode"], "once");
    Json const again = result({"explain", policy, file, "--parts", "none", "--encode", "each-step"});
    EXPECT_EQ(again["settings"]["encode"], "each-step");
    Json const published = result({"attribute", policy, file, "--published", "--backend", "proxy"});
    EXPECT_EQ(published["settings"]["encode"], "each-step");
    Json const both = result({"attribute", policy, file, "--published", "--encode", "once", "--backend", "proxy"});
    EXPECT_EQ(both["settings"]["encode"], "once");
}

INSTANTIATE_TEST_SUITE_P(Problems, OnePlan, testing::Values("op", "cvrptw", "cvrp", "fjsp"));

class OnePlanOfOthers : public OnePlanBase {
protected:
    void follow(std::string const& policy, std::string const& file) const {
        Plans const plans = solved(policy, file);
        double const cost = json_of("result.json")["instances"][0]["cost"];
        EXPECT_EQ(explained(policy, file, 0), plans.at(0)) << file;
        EXPECT_DOUBLE_EQ(json_of("result.json")["solution"]["cost"].get<double>(), cost) << file;
        EXPECT_EQ(attributed(policy, file), plans) << file;
    }
};

TEST_F(OnePlanOfOthers, IsInTheFilesOwnUnits) {
    CAX_REQUIRE_SHARED("benchmarks");
    auto const folder = shared_path("benchmarks");
    std::filesystem::path const models = CAX_MODELS;
    std::map<std::string, std::string> const policies{{".txt", models / "cvrptw-50-s0.safetensors"},
                                                      {".fjs", models / "fjsp-10x5-s0.safetensors"},
                                                      {".oplib", models / "op-20-s0.safetensors"}};
    std::size_t files = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
        std::string const name = entry.path().filename();
        auto const policy = policies.find(entry.path().extension());
        if (policy == policies.end() || name.starts_with("LICENSE") || name.find("zero-based") != std::string::npos) {
            continue;
        }
        follow(policy->second, entry.path());
        ++files;
    }
    EXPECT_GT(files, 5U);
}

} // namespace
} // namespace cax::test
