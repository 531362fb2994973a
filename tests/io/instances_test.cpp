#include "cax/io/instances.hpp"

#include "bytes.hpp"
#include "cax/core/json.hpp"
#include "cax/core/sha256.hpp"
#include "cax/io/files.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>

namespace cax::io {
namespace {

std::vector<InstancePtr> generate(Problem const& problem, std::string_view size, std::uint32_t count) {
    std::vector<InstancePtr> instances;
    for (std::uint32_t i = 0; i < count; ++i) {
        Rng rng(7, i);
        auto instance = problem.generate(size, {}, rng);
        EXPECT_TRUE(instance) << instance.error().message;
        instances.push_back(*std::move(instance));
    }
    return instances;
}

std::string_view small_size(Problem const& problem) { return problem.info().size_hint == "N" ? "6" : "3x2"; }

void expect_same(std::vector<InstancePtr> const& got, std::vector<InstancePtr> const& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(to_json(*got[i]), to_json(*wanted[i])) << i;
}

/// Everything here holds for every problem of the registry.
class InstanceFiles : public test::InScratchFolder, public testing::WithParamInterface<Problem const*> {
protected:
    [[nodiscard]] static Problem const& problem() { return *GetParam(); }
    [[nodiscard]] static std::vector<InstancePtr> some(std::uint32_t count) {
        return generate(problem(), small_size(problem()), count);
    }
    /// Whose the file is if nobody says so: arrays have no head, and are the first problem's that reads them.
    [[nodiscard]] static Problem const& owner(std::string const& extension, std::span<InstancePtr const> instances) {
        if (extension != ".npz") return problem();
        auto const arrays = problem().exchange().to_tensors(instances);
        auto const reads = [&](Problem const* each) { return each->exchange().recognises(*arrays); };
        return **std::ranges::find_if(all_problems(), reads);
    }
};

INSTANTIATE_TEST_SUITE_P(Problems, InstanceFiles, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& chosen) { return std::string(chosen.param->info().name); });

TEST_P(InstanceFiles, ComeBackFromJson) {
    auto const instances = some(3);
    ASSERT_TRUE(write_instances(path("a.json"), instances));
    auto const file = read_instances(path("a.json"));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->problem, &problem());
    EXPECT_EQ(file->format, "json");
    EXPECT_EQ(file->sha256, sha256_hex(*read_text(path("a.json"))));
    expect_same(file->instances, instances);
}

TEST_P(InstanceFiles, OfDifferentSizesComeBackFromJson) {
    auto instances = some(1);
    instances.push_back(generate(problem(), problem().info().default_size, 1)[0]);
    ASSERT_TRUE(write_instances(path("a.json"), instances));
    auto const file = read_instances(path("a.json"), &problem());
    ASSERT_TRUE(file) << file.error().message;
    expect_same(file->instances, instances);
    EXPECT_FALSE(write_instances(path("a.npz"), instances));
}

TEST_P(InstanceFiles, ComeBackFromArrays) {
    auto const instances = some(3);
    ASSERT_TRUE(write_instances(path("a.npz"), instances));
    auto const file = read_instances(path("a.npz"), &problem());
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->problem, &problem());
    EXPECT_EQ(file->format, "npz");
    expect_same(file->instances, instances);
}

TEST_P(InstanceFiles, ComeBackFromTextFormats) {
    for (TextFormat const& format : problem().exchange().text_formats()) {
        auto const instances = some(2);
        auto const target = path("a" + std::string(format.extension));
        auto const both = write_instances(target, instances);
        ASSERT_FALSE(both);
        EXPECT_EQ(both.error().message,
                  target.string() + ": " + std::string(format.name) + " holds one instance, not 2");
        ASSERT_TRUE(write_instances(target, std::span(instances).first(1)));
        auto const file = read_instances(target);
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->problem, &problem());
        EXPECT_EQ(file->format, format.name);
        // Text formats know no padding and not every name; a second trip must be the identity.
        ASSERT_TRUE(write_instances(target, file->instances));
        auto const again = read_instances(target);
        ASSERT_TRUE(again) << again.error().message;
        expect_same(again->instances, file->instances);
        EXPECT_EQ(again->sha256, file->sha256);
        EXPECT_EQ(file->instances[0]->size(), instances[0]->size());
    }
}

TEST_P(InstanceFiles, AreRecognisedByContentNotByName) {
    auto const instances = some(1);
    std::vector<std::string> extensions{".json", ".npz"};
    for (TextFormat const& format : problem().exchange().text_formats()) extensions.emplace_back(format.extension);
    for (std::string const& extension : extensions) {
        ASSERT_TRUE(write_instances(path("a" + extension), instances));
        std::filesystem::rename(path("a" + extension), path("no-extension"));
        auto const file = read_instances(path("no-extension"));
        ASSERT_TRUE(file) << file.error().message;
        EXPECT_EQ(file->problem, &owner(extension, instances));
        auto const asked = read_instances(path("no-extension"), &problem());
        ASSERT_TRUE(asked) << asked.error().message;
        EXPECT_EQ(asked->problem, &problem());
    }
}

TEST_P(InstanceFiles, OfAnotherProblemAreRefused) {
    auto const instances = some(1);
    Problem const* const other = &problem() == all_problems()[0] ? all_problems()[1] : all_problems()[0];
    std::vector<std::string> extensions{".json", ".npz"};
    for (TextFormat const& format : problem().exchange().text_formats()) extensions.emplace_back(format.extension);
    for (std::string const& extension : extensions) {
        ASSERT_TRUE(write_instances(path("a" + extension), instances));
        auto const file = read_instances(path("a" + extension), other);
        ASSERT_FALSE(file);
        EXPECT_EQ(file.error().code, ErrorCode::mismatch);
        EXPECT_EQ(file.error().message, path("a" + extension).string() + ": holds " +
                                            std::string(owner(extension, instances).info().name) + " instances, not " +
                                            std::string(other->info().name));
    }
}

TEST_P(InstanceFiles, AreNotWrittenUnderUnknownExtensions) {
    auto const written = write_instances(path("a.xyz"), some(1));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message.find(path("a.xyz").string() + ": extension '.xyz' is not one of .json, .npz"),
              0U);
}

TEST_P(InstanceFiles, NameTheDamagedInstance) {
    auto const instances = some(2);
    ASSERT_TRUE(write_instances(path("a.json"), instances));
    auto json = Json::parse(*read_text(path("a.json")));
    json["instances"][1] = 5;
    auto const file = parse_instances(test::bytes_of(json.dump()));
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().message.find("instance 1: "), 0U) << file.error().message;
}

TEST_P(InstanceFiles, TakeNoOptionsUnlessTheyAreText) {
    ASSERT_TRUE(write_instances(path("a.npz"), some(1)));
    auto const file = read_instances(path("a.npz"), nullptr, {{"pad-to", "max"}});
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().message, path("a.npz").string() + ": option pad-to is for text formats, not for .npz files");
}

std::string text_refusal(std::string_view text) {
    auto const file = parse_instances(test::bytes_of(text));
    return file ? "accepted" : file.error().message;
}

TEST(InstanceText, OfNoKnownKindIsRefusedWithTheKindsThatAreKnown) {
    std::string const unknown = "not an instance file: neither JSON (cax/instances/1), rl4co .npz nor a known text "
                                "format (solomon, oplib, fjs, vrplib, tsplib, dumas, mknap)";
    EXPECT_EQ(text_refusal("hello"), unknown);
    EXPECT_EQ(text_refusal(""), unknown);
    EXPECT_EQ(text_refusal(std::string_view("\0\0\0\0", 4)), unknown);
}

TEST(InstanceText, ThatIsAPolicyIsNamedAsSuch) {
    TensorFile policy;
    policy.tensors.emplace("w", Tensor::from_doubles(Dtype::f32, {1}, std::vector{1.0}));
    EXPECT_EQ(text_refusal(test::text_of(format_safetensors(policy))),
              "a safetensors file (a policy?) where instances belong");
}

TEST(InstanceText, OfAnotherSchemaIsRefused) {
    EXPECT_EQ(text_refusal(R"({"schema":"cax/solve/1"})"), "schema is the string 'cax/solve/1', not cax/instances/1");
    EXPECT_EQ(text_refusal(R"({"schema":5})"), "schema is the number 5, not cax/instances/1");
    EXPECT_EQ(text_refusal("{}"), "JSON without a schema; instances have \"cax/instances/1\"");
    EXPECT_EQ(text_refusal("[1]"), "a list, not an object of schema cax/instances/1");
    EXPECT_EQ(text_refusal("{"), "not JSON at line 1, column 1");
}

TEST(InstanceText, NeedsAKnownProblemAndAList) {
    EXPECT_EQ(text_refusal(R"({"schema":"cax/instances/1"})"), "no problem name");
    EXPECT_EQ(text_refusal(R"({"schema":"cax/instances/1","problem":"bakery"})"),
              "problem is the string 'bakery'; known are " + problem_names());
    EXPECT_EQ(text_refusal(R"({"schema":"cax/instances/1","problem":"op"})"), "instances is not a list");
    EXPECT_EQ(text_refusal(R"({"schema":"cax/instances/1","problem":"op","instances":[]})"),
              "the list of instances is empty");
}

TEST(InstanceArrays, OfNoProblemAreListed) {
    NamedTensors tensors;
    tensors.emplace("foo", Tensor::from_doubles(Dtype::f32, {1}, std::vector{1.0}));
    EXPECT_EQ(text_refusal(test::text_of(format_npz(tensors))),
              "arrays (foo) of no known problem (" + problem_names() + ")");
}

TEST(InstanceLists, MustBeOfOneProblemAndNotEmpty) {
    EXPECT_EQ(write_instances("x.json", {}).error().message, "x.json: no instances to write");
    std::vector<InstancePtr> mixed = generate(*all_problems()[0], small_size(*all_problems()[0]), 1);
    mixed.push_back(generate(*all_problems()[1], small_size(*all_problems()[1]), 1)[0]);
    EXPECT_EQ(write_instances("x.json", mixed).error().message, "x.json: instances of different problems");
    EXPECT_FALSE(std::filesystem::exists("x.json"));
}

} // namespace
} // namespace cax::io
