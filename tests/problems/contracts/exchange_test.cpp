// Instances to and from files and generators.
#include "contract.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"

namespace cax::test {
namespace {

TEST_P(ProblemContract, CanBeFoundByItsName) {
    if (!registered()) GTEST_SKIP() << "a problem of tests alone";
    EXPECT_EQ(find_problem(info().name), &problem());
}

TEST_P(ProblemContract, GeneratesTheSameInstanceFromTheSameSeed) {
    EXPECT_EQ(to_json(*generated(1)).dump(), to_json(*generated(1)).dump());
    EXPECT_NE(to_json(*generated(1)).dump(), to_json(*generated(2)).dump());
    EXPECT_EQ(generated(1)->size(), info().default_size);
    EXPECT_FALSE(generated(1)->description().empty());
}

TEST_P(ProblemContract, RefusesUnknownGeneratorOptionsAndBadSizes) {
    Rng rng(1);
    auto const unknown = problem().generate(info().default_size, {{"no_such_option", "1"}}, rng);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("no_such_option"), std::string::npos) << unknown.error().message;
    for (char const* size : {"", "0", "-1", "x", "1e9", "99999999999999999999999", "0x0", "5x", "x5"}) {
        EXPECT_FALSE(problem().generate(size, {}, rng)) << size;
    }
}

TEST_P(ProblemContract, KnowsTheGeneratorOptionsItLists) {
    for (auto const& [name, meaning] : info().generator_options) {
        EXPECT_FALSE(meaning.empty()) << name;
        Rng rng(1);
        auto const refused = problem().generate(info().default_size, {{std::string(name), "no such value"}}, rng);
        ASSERT_FALSE(refused) << name;
        EXPECT_NE(refused.error().message.find(name), std::string::npos) << refused.error().message;
        EXPECT_EQ(refused.error().message.find("unknown"), std::string::npos) << refused.error().message;
    }
}

TEST_P(ProblemContract, KeepsAnInstanceThroughJson) {
    Rng rng(2);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        auto const instance = generated(seed);
        auto const read = problem().exchange().from_json(Json::parse(to_json(*instance).dump()));
        ASSERT_TRUE(read) << read.error().message;
        expect_same_behaviour(*instance, **read, rng);
        EXPECT_EQ(to_json(**read).dump(), to_json(*instance).dump());
    }
}

/// The same instance, number for number: then two problems may share their files.
bool says_the_same(Instance const& a, Instance const& b) { return to_json(a).dump() == to_json(b).dump(); }

TEST_P(ProblemContract, RefusesJsonOfWhichItWouldLoseANumber) {
    for (char const* text : {"null", "true", "7", "\"x\"", "[]", "{}", "{\"name\": 5}"}) {
        auto const read = problem().exchange().from_json(Json::parse(text));
        ASSERT_FALSE(read) << text;
        EXPECT_FALSE(read.error().message.empty());
        EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
    }
    for (Problem const* other : all_problems()) {
        if (other == &problem()) continue;
        Rng rng(3);
        auto const foreign = other->generate(other->info().default_size, {}, rng);
        ASSERT_TRUE(foreign);
        auto const read = problem().exchange().from_json(to_json(**foreign));
        EXPECT_TRUE(!read || says_the_same(**read, **foreign)) << other->info().name;
        if (!read) {
            EXPECT_FALSE(read.error().message.empty());
        }
    }
}

TEST_P(ProblemContract, KeepsInstancesThroughArraysThatOthersClaimOnlyIfTheyLoseNothing) {
    Rng rng(4);
    std::vector<InstancePtr> const instances{generated(1), generated(2), generated(3)};
    auto const tensors = problem().exchange().to_tensors(instances);
    ASSERT_TRUE(tensors) << tensors.error().message;
    EXPECT_TRUE(problem().exchange().recognises(*tensors));
    for (Problem const* other : all_problems()) {
        if (other == &problem() || !other->exchange().recognises(*tensors)) continue;
        auto const theirs = other->exchange().from_tensors(*tensors);
        ASSERT_TRUE(theirs) << other->info().name << ": " << theirs.error().message;
        for (std::size_t i = 0; i < instances.size(); ++i) {
            EXPECT_TRUE(says_the_same(*(*theirs)[i], *instances[i])) << other->info().name;
        }
    }
    auto const read = problem().exchange().from_tensors(*tensors);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), instances.size());
    for (std::size_t i = 0; i < instances.size(); ++i) expect_same_behaviour(*instances[i], *(*read)[i], rng);
}

TEST_P(ProblemContract, RefusesArraysWithAnyOneMissingOrOfAnotherShape) {
    EXPECT_FALSE(problem().exchange().recognises({}));
    EXPECT_FALSE(problem().exchange().from_tensors({}));
    EXPECT_FALSE(problem().exchange().to_tensors({}));
    std::vector<InstancePtr> const instances{generated(1)};
    auto const tensors = problem().exchange().to_tensors(instances);
    ASSERT_TRUE(tensors);
    for (auto const& [name, tensor] : *tensors) {
        NamedTensors without = *tensors;
        without.erase(name);
        auto const refused = problem().exchange().from_tensors(without); // an array that has a default may lack
        EXPECT_EQ(refused ? name + " is missing" : refused.error().message, name + " is missing");
        for (Shape const& shape : {Shape{}, Shape{0}, Shape{7}, Shape{1, 2, 3, 4}}) {
            NamedTensors damaged = *tensors;
            damaged[name] = Tensor::from_floats(shape, std::vector<float>(*checked_element_count(shape)));
            auto const misshapen = problem().exchange().from_tensors(damaged);
            ASSERT_FALSE(misshapen) << name << to_string(shape);
            EXPECT_TRUE(misshapen.error().message.starts_with(name + " h")) << misshapen.error().message; // has, holds
        }
    }
}

TEST_P(ProblemContract, RefusesToPutInstancesOfDifferentSizesIntoOneArray) {
    Rng rng(1);
    auto const small = problem().generate(info().size_hint == "N" ? "7" : "3x2", {}, rng);
    ASSERT_TRUE(small) << small.error().message;
    std::vector<InstancePtr> const mixed{generated(1), *small};
    auto const tensors = problem().exchange().to_tensors(mixed);
    ASSERT_FALSE(tensors);
    EXPECT_NE(tensors.error().message.find("instances of"), std::string::npos) << tensors.error().message;
    for (Problem const* other : all_problems()) {
        EXPECT_EQ(bool(other->exchange().to_tensors({&mixed[0], 1})), other == &problem()) << other->info().name;
    }
}

TEST_P(ProblemContract, WritesTextFormatsItRecognisesAndReads) {
    for (TextFormat const& format : problem().exchange().text_formats()) {
        auto const text = format.write(*generated(1));
        ASSERT_TRUE(text) << format.name << ": " << text.error().message;
        EXPECT_TRUE(format.recognises(*text)) << format.name;
        for (Problem const* other : all_problems()) {
            if (other == &problem()) continue;
            for (TextFormat const& foreign : other->exchange().text_formats()) {
                EXPECT_FALSE(foreign.recognises(*text)) << foreign.name << " claims " << format.name;
            }
        }
        auto const read = format.read(*text, {});
        ASSERT_TRUE(read) << format.name << ": " << read.error().message;
        auto const again = format.write(**read);
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, *text) << format.name;
        EXPECT_FALSE(format.read(*text, {{"no_such_option", "1"}})) << format.name;
        for (std::string_view const hostile :
             {"", "\n\n\n", "\0\1\2", "9999999999999999999 9999999999 1\n1 2 3", "-1 -1\n"}) {
            EXPECT_FALSE(format.read(hostile, {})) << format.name;
        }
    }
}

} // namespace
} // namespace cax::test
