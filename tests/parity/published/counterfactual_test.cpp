// Counterfactuals of the published code on recorded noise (reference-golden, README section 4). Two problems lie in
// tests/data, all of them in the shared folder.
#include "cax/io/tensor_files.hpp"
#include "cax/parity/check_golden.hpp"

#include "data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cax::parity {
namespace {

namespace fs = std::filesystem;

constexpr char const* exact_parts[] = {"base actions", "shots: feasible", "shots: action", "shots: flipped", "winners"};
constexpr char const* close_parts[] = {"shots: L1", "shots: applied L1", "winners: L1"};

/// A folder with one problem's counterfactuals and what they stand on, removed at the end.
class CounterfactualGolden : public testing::TestWithParam<char const*> {
protected:
    ~CounterfactualGolden() override {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }
    void copy(fs::path const& set, std::string const& problem) {
        root_ = fs::temp_directory_path() / fmt::format("cax-counterfactual-{}-{}", problem, ::getpid());
        folder_ = root_ / "reference-golden" / problem;
        fs::create_directories(folder_);
        fs::create_directories(root_ / "rl4co-golden" / problem);
        for (char const* name : {"manifest.json", "lambda.safetensors", "counterfactual.safetensors"}) {
            fs::copy_file(set / "reference-golden" / problem / name, folder_ / name);
        }
        fs::copy_file(set / "rl4co-golden" / problem / "weights.safetensors",
                      root_ / "rl4co-golden" / problem / "weights.safetensors");
    }
    [[nodiscard]] GoldenFolder checked() const {
        auto const report = check_golden(folder_);
        EXPECT_TRUE(report) << report.error().message;
        return report ? report->folders.at(0) : GoldenFolder{};
    }
    void expect_agreement() const {
        GoldenFolder const found = checked();
        for (std::string const& failure : found.failures) ADD_FAILURE() << failure;
        EXPECT_TRUE(found.passed());
        // 4 instances, 4 steps, 32 shots, two precisions.
        EXPECT_EQ(found.counts.at("shots: feasible").compared, 1024U);
        EXPECT_GT(found.counts.at("shots: action").compared, 900U);
        EXPECT_EQ(found.counts.at("winners").compared, 96U);
        for (char const* name : close_parts) EXPECT_LE(found.differences.at(name).largest, 1e-5) << name;
    }
    /// Adds to a number, or turns a flag over.
    void disturb(std::string const& name, std::size_t index, double by = 1) const {
        auto file = io::read_safetensors(folder_ / "counterfactual.safetensors");
        ASSERT_TRUE(file) << file.error().message;
        Tensor& tensor = file->tensors.at(name);
        auto values = tensor.to_doubles();
        bool const flag = tensor.dtype() == Dtype::boolean;
        values.at(index) = flag ? 1 - values.at(index) : values.at(index) + by;
        tensor = Tensor::from_doubles(tensor.dtype(), tensor.shape(), values);
        ASSERT_TRUE(io::write_safetensors(folder_ / "counterfactual.safetensors", *file));
    }

    fs::path root_;
    fs::path folder_;
};

TEST_P(CounterfactualGolden, AgreesShotByShot) {
    fs::path const file = fs::path("reference-golden") / GetParam() / "counterfactual.safetensors";
    bool const kept = fs::exists(test::data_path(file));
    if (!kept) CAX_REQUIRE_SHARED(file);
    copy(kept ? test::data_path("") : test::shared_path(""), GetParam());
    expect_agreement();
}
INSTANTIATE_TEST_SUITE_P(Set, CounterfactualGolden, testing::Values("cvrptw", "op", "fjsp"),
                         [](auto const& test) { return std::string(test.param); });

class CounterfactualGoldenOfOne : public CounterfactualGolden {};
TEST_P(CounterfactualGoldenOfOne, NoticesNumbersThatWereChanged) {
    copy(test::data_path(""), GetParam());
    disturb("base_action", 1);
    disturb("shot/feasible", 5);
    disturb("shot/action", 5);
    disturb("shot/flipped", 5);
    disturb("shot/l1", 5, 0.01);
    disturb("shot/applied_l1", 5, 0.01);
    disturb("winner_action", 2);
    disturb("winner_l1", 2, 0.01);
    GoldenFolder const found = checked();
    EXPECT_FALSE(found.passed());
    for (char const* name : exact_parts) EXPECT_GE(found.counts.at(name).unequal, 1U) << name;
    for (char const* name : close_parts) EXPECT_GE(found.differences.at(name).exceeded, 1U) << name;
}
INSTANTIATE_TEST_SUITE_P(Set, CounterfactualGoldenOfOne, testing::Values("op"));

} // namespace
} // namespace cax::parity
