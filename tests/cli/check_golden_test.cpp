#include "workbench.hpp"

#include "cax/io/tensor_files.hpp"
#include "data.hpp"

namespace cax::test {
namespace {

namespace fs = std::filesystem;

class CheckGoldenCommand : public Workbench {
protected:
    /// Copies the smallest golden folder of tests/data to "golden".
    void copy_golden() const {
        fs::path smallest;
        for (fs::directory_entry const& entry : fs::directory_iterator(data_path("rl4co-golden"))) {
            if (!fs::exists(entry.path() / "trace.safetensors")) continue;
            bool const smaller = smallest.empty() || fs::file_size(entry.path() / "weights.safetensors") <
                                                         fs::file_size(smallest / "weights.safetensors");
            if (smaller) smallest = entry.path();
        }
        ASSERT_FALSE(smallest.empty());
        fs::create_directories(path("golden"));
        for (fs::directory_entry const& entry : fs::directory_iterator(smallest)) {
            fs::copy_file(entry.path(), fs::path(path("golden")) / entry.path().filename());
            fs::permissions(fs::path(path("golden")) / entry.path().filename(), fs::perms::owner_write,
                            fs::perm_options::add);
        }
    }
};

TEST_F(CheckGoldenCommand, SaysThatAllAgree) {
    copy_golden();
    Ran const ran = cax_ok({"check-golden", "golden", "--json", "parity.json"});
    EXPECT_NE(ran.out.find("all agree"), std::string::npos) << ran.out;
    Json const json = json_of("parity.json");
    EXPECT_EQ(json["schema"], "cax/check-golden/1");
    EXPECT_EQ(json["passed"], true);
    ASSERT_EQ(json["folders"].size(), 1U);
    Json const& folder = json["folders"][0];
    EXPECT_GT(folder["decisions"], 0);
    EXPECT_GT(folder["states"]["compared"], 0);
    EXPECT_EQ(folder["states"]["unequal"], 0);
    EXPECT_LE(folder["log_probs64"]["largest"], 1e-9);
    EXPECT_EQ(folder["failure_count"], 0);
}

TEST_F(CheckGoldenCommand, SaysWhereTheNumbersDifferAndExitsWithOne) {
    copy_golden();
    auto file = io::read_safetensors(path("golden/trace.safetensors"));
    ASSERT_TRUE(file);
    Tensor& tensor = file->tensors.at("step01/logprobs64");
    auto values = tensor.to_doubles();
    for (double& value : values) value += 1e-6;
    tensor = Tensor::from_doubles(Dtype::f64, tensor.shape(), values);
    ASSERT_TRUE(io::write_safetensors(path("golden/trace.safetensors"), *file));
    Ran const ran = cax({"check-golden", "golden", "--json", "parity.json"});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_EQ(ran.err, "");
    EXPECT_NE(ran.out.find("step01/logprobs64"), std::string::npos) << ran.out;
    EXPECT_EQ(json_of("parity.json")["passed"], false);
}

TEST_F(CheckGoldenCommand, RefusesAFolderWithoutGoldenFiles) {
    Ran const ran = cax({"check-golden", "."});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_NE(ran.err.find("no golden folder"), std::string::npos) << ran.err;
}

} // namespace
} // namespace cax::test
