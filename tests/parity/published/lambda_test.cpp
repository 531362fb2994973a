// Gradients, masses, multipliers and scores of the published code (reference-golden, README sections 1 to 3). Two
// problems lie in tests/data, all of them in the shared folder.
#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/parity/check_golden.hpp"

#include "data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cax::parity {
namespace {

namespace fs = std::filesystem;

/// A folder with the lambda part of one problem alone, beside the weights that belong to it; removed at the end.
class LambdaGolden : public testing::Test {
protected:
    ~LambdaGolden() override {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }
    void copy(fs::path const& set, std::string const& problem) {
        std::string const test = testing::UnitTest::GetInstance()->current_test_info()->name();
        root_ = fs::temp_directory_path() / fmt::format("cax-lambda-{}-{}-{}", test, problem, ::getpid());
        folder_ = root_ / "reference-golden" / problem;
        fs::create_directories(folder_);
        fs::create_directories(root_ / "rl4co-golden" / problem);
        for (char const* name : {"manifest.json", "lambda.safetensors"}) {
            fs::copy_file(set / "reference-golden" / problem / name, folder_ / name);
        }
        fs::copy_file(set / "rl4co-golden" / problem / "weights.safetensors",
                      root_ / "rl4co-golden" / problem / "weights.safetensors");
    }
    [[nodiscard]] GoldenFolder checked(GoldenOptions const& options = {}) const {
        auto const report = check_golden(folder_, options);
        EXPECT_TRUE(report) << report.error().message;
        return report ? report->folders.at(0) : GoldenFolder{};
    }
    void expect_agreement() const {
        GoldenFolder const found = checked();
        for (std::string const& failure : found.failures) ADD_FAILURE() << failure;
        EXPECT_TRUE(found.passed());
        EXPECT_EQ(found.format, "reference");
        EXPECT_EQ(found.decisions, 16U);
        EXPECT_LE(found.log_probs64.largest, 1e-9);
        EXPECT_LE(found.gradients64.largest, 1e-8);
        for (char const* name : {"masses 64", "masses 32", "node scores 32", "scores 64", "scores 32"}) {
            ASSERT_TRUE(found.differences.contains(name)) << name;
            EXPECT_LE(found.differences.at(name).largest, found.differences.at(name).tolerance) << name;
        }
        for (char const* name : {"LP objectives", "LP rows", "dual face ends", "multipliers", "recorded duals optimal",
                                 "subgradient", "tops", "score margins"}) {
            ASSERT_TRUE(found.counts.contains(name)) << name;
            EXPECT_GT(found.counts.at(name).compared, 0U) << name;
        }
        for (std::string const& name : found.not_compared) {
            EXPECT_NE(name.find("batched4/"), std::string::npos) << name << " was not compared";
        }
    }
    /// Adds to one number of a tensor of the lambda file.
    void disturb(std::string const& name, std::size_t index, double by) const {
        auto file = io::read_safetensors(folder_ / "lambda.safetensors");
        ASSERT_TRUE(file) << file.error().message;
        Tensor& tensor = file->tensors.at(name);
        auto values = tensor.to_doubles();
        values.at(index) += by;
        tensor = Tensor::from_doubles(tensor.dtype(), tensor.shape(), values);
        ASSERT_TRUE(io::write_safetensors(folder_ / "lambda.safetensors", *file));
    }

    fs::path root_;
    fs::path folder_;
};

TEST_F(LambdaGolden, AgreesOnOrienteering) {
    copy(test::data_path(""), "op");
    expect_agreement();
}

TEST_F(LambdaGolden, AgreesOnTheJobShop) {
    copy(test::data_path(""), "fjsp");
    expect_agreement();
}

TEST_F(LambdaGolden, AgreesOnRouting) {
    CAX_REQUIRE_SHARED("reference-golden/cvrptw/lambda.safetensors");
    copy(test::shared_path(""), "cvrptw");
    expect_agreement();
}

TEST_F(LambdaGolden, FindsNumbersThatWereChangedWhereverTheyAre) {
    copy(test::data_path(""), "op");
    disturb("mass_eq1_policy64", 3, 1e-3);
    disturb("mass_node_raw", 3, 0.1);
    disturb("node_scores_reference", 3, 0.1);
    disturb("grad64_raw/locs", 3, 1e-2);
    disturb("logp64_policy", 3, 1e-6);
    disturb("feature/prize", 3, 0.1);
    disturb("lp_objective", 3, 1e-3);
    disturb("lp_rows", 3, 1);
    disturb("lp_dual_face_min_sum", 3, 0.1);
    disturb("lp_dual/b0/budget", 0, 0.1);
    disturb("lp_multiplier/sum", 1, 0.1);
    disturb("subgrad_multiplier", 1, 0.1);
    disturb("lambda_eq1/proxy/scores", 3, 0.1);
    disturb("lambda_eq1/proxy/margin", 3, 0.1);
    disturb("lambda_ref/lp_shared_mean/scores", 3, 0.1);
    disturb("lambda_ref/lp_shared_mean/top", 3, 1);
    GoldenFolder const found = checked();
    EXPECT_FALSE(found.passed());
    EXPECT_EQ(found.gradients64.exceeded, 1U);
    EXPECT_EQ(found.log_probs64.exceeded, 1U);
    EXPECT_EQ(found.states.unequal, 1U);
    for (auto const& [name, difference] : found.differences) EXPECT_GE(difference.exceeded, 1U) << name;
    for (auto const& [name, count] : found.counts) EXPECT_GE(count.unequal, 1U) << name;
}

TEST_F(LambdaGolden, NamesWeightsThatAreMissing) {
    copy(test::data_path(""), "op");
    fs::remove_all(root_ / "rl4co-golden");
    auto const report = check_golden(folder_);
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("weights.safetensors"), std::string::npos) << report.error().message;
}

TEST_F(LambdaGolden, NamesAManifestThatMakesNoSense) {
    copy(test::data_path(""), "op");
    ASSERT_TRUE(io::write_text(folder_ / "manifest.json", R"({"problem": "chess"})"));
    auto const report = check_golden(folder_);
    ASSERT_FALSE(report);
    EXPECT_NE(report.error().message.find("chess"), std::string::npos) << report.error().message;
}

} // namespace
} // namespace cax::parity
