// Files written by others: numpy's npz, torch's safetensors. Each is read, written by us, and read again.
#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"
#include "data.hpp"

#include <algorithm>

namespace cax::io {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_below(fs::path const& folder, std::string_view extension) {
    std::vector<fs::path> files;
    for (auto const& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == extension) files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

void expect_same(NamedTensors const& got, NamedTensors const& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (auto const& [name, tensor] : wanted) {
        ASSERT_TRUE(got.contains(name)) << name;
        EXPECT_EQ(got.at(name).dtype(), tensor.dtype()) << name;
        EXPECT_EQ(got.at(name).shape(), tensor.shape()) << name;
        EXPECT_TRUE(std::ranges::equal(got.at(name).bytes(), tensor.bytes())) << name;
    }
}

void expect_safetensors_survive(fs::path const& folder) {
    auto const files = files_below(folder, ".safetensors");
    EXPECT_FALSE(files.empty()) << folder;
    for (fs::path const& path : files) {
        auto const file = read_safetensors(path);
        ASSERT_TRUE(file) << file.error().message;
        auto const again = parse_safetensors(format_safetensors(*file));
        ASSERT_TRUE(again) << path << ": " << again.error().message;
        EXPECT_EQ(again->metadata, file->metadata);
        expect_same(again->tensors, file->tensors);
    }
}

void expect_npz_survive(fs::path const& folder) {
    auto const files = files_below(folder, ".npz");
    EXPECT_FALSE(files.empty()) << folder;
    for (fs::path const& path : files) {
        auto const tensors = read_npz(path);
        ASSERT_TRUE(tensors) << tensors.error().message;
        for (bool const deflate : {false, true}) {
            auto const again = parse_npz(format_npz(*tensors, deflate));
            ASSERT_TRUE(again) << path << ": " << again.error().message;
            expect_same(*again, *tensors);
        }
        auto const instances = read_instances(path);
        ASSERT_TRUE(instances) << instances.error().message;
        auto const arrays = instances->problem->exchange().to_tensors(instances->instances);
        ASSERT_TRUE(arrays) << arrays.error().message;
        expect_same(*arrays, *tensors);
    }
}

TEST(RealFiles, KeptWithTheTestsSurviveARoundTrip) {
    expect_safetensors_survive(test::data_path("rl4co-golden"));
    expect_npz_survive(test::data_path("validation"));
}

TEST(RealFiles, SafetensorsOfTheGoldenSetsSurviveARoundTrip) {
    CAX_REQUIRE_SHARED("rl4co-golden");
    expect_safetensors_survive(test::shared_path("rl4co-golden"));
    expect_safetensors_survive(test::shared_path("reference-golden"));
    expect_safetensors_survive(test::shared_path("third-party"));
}

TEST(RealFiles, NumpyArraysSurviveARoundTrip) {
    CAX_REQUIRE_SHARED("validation");
    expect_npz_survive(test::shared_path("rl4co-golden"));
    expect_npz_survive(test::shared_path("validation"));
}

TEST(RealFiles, WeightsHaveTheShapesOfTheirNetwork) {
    CAX_REQUIRE_SHARED("rl4co-golden");
    auto const file = read_safetensors(test::shared_path("rl4co-golden/cvrptw/weights.safetensors"));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->metadata.at("env_name"), "cvrptw");
    EXPECT_EQ(file->metadata.at("num_heads"), "8");
    EXPECT_EQ(file->tensors.at("encoder.init_embedding.init_embed.weight").shape(), (Shape{128, 6}));
    EXPECT_EQ(file->tensors.at("encoder.net.layers.2.2.module.lins.0.weight").shape(), (Shape{512, 128}));
    auto const halves = read_safetensors(test::shared_path("rl4co-golden/fjsp_default/weights.safetensors"));
    ASSERT_TRUE(halves) << halves.error().message;
    EXPECT_EQ(halves->tensors.at("decoder.dummy").dtype(), Dtype::f16);
}

TEST(RealFiles, ValidationSetsAreInstancesOfTheirProblems) {
    CAX_REQUIRE_SHARED("validation");
    struct Expected {
        char const* file;
        char const* problem;
        char const* size;
        std::size_t count;
    };
    for (Expected const& expected :
         {Expected{"cvrptw50.npz", "cvrptw", "50", 128}, Expected{"op20.npz", "op", "20", 256},
          Expected{"fjsp10x5.npz", "fjsp", "10x5", 64}}) {
        auto const file = read_instances(test::shared_path("validation") / expected.file);
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->problem->info().name, expected.problem);
        ASSERT_EQ(file->instances.size(), expected.count);
        for (auto const& instance : file->instances) EXPECT_EQ(instance->size(), expected.size);
    }
}

TEST(RealFiles, JobShopsWrittenByRl4coAreThoseOfTheTrace) {
    CAX_REQUIRE_SHARED("rl4co-golden/fjsp");
    auto const trace = read_safetensors(test::shared_path("rl4co-golden/fjsp/trace.safetensors"));
    ASSERT_TRUE(trace) << trace.error().message;
    NamedTensors arrays;
    for (char const* key : {"start_op_per_job", "end_op_per_job", "proc_times", "pad_mask"}) {
        arrays.emplace(key, trace->tensors.at(std::string("instance/") + key));
    }
    for (std::size_t i = 0; i < 2; ++i) {
        auto const text = read_instances(test::shared_path("rl4co-golden/fjsp/instance" + std::to_string(i) + ".fjs"));
        ASSERT_TRUE(text) << text.error().message;
        auto const traced = text->problem->exchange().from_tensors(arrays);
        ASSERT_TRUE(traced) << traced.error().message;
        EXPECT_EQ(to_json(*text->instances[0])["jobs"], to_json(*(*traced)[i])["jobs"]);
    }
}

} // namespace
} // namespace cax::io
