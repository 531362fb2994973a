#include "workbench.hpp"

namespace cax::test {
namespace {

class Generate : public Workbench {};

TEST_F(Generate, WritesInstancesOfEveryProblem) {
    for (std::string const problem : {"cvrptw", "op", "fjsp"}) {
        Ran const ran = cax_ok({"generate", problem, "--size", small_size(problem), "--count", "3", "-o", "out.json"});
        EXPECT_NE(ran.out.find("out.json: 3 " + problem + " instances of size " + small_size(problem)),
                  std::string::npos)
            << ran.out;
        Json const json = json_of("out.json");
        EXPECT_EQ(json["schema"], "cax/instances/1");
        EXPECT_EQ(json["problem"], problem);
        EXPECT_EQ(json["instances"].size(), 3U);
    }
}

TEST_F(Generate, GivesTheSameBytesForTheSameSeedAndOthersForAnother) {
    for (std::string const name : {"a", "b"})
        cax_ok({"generate", "op", "--size", "9", "--seed", "5", "-o", name + ".npz"});
    cax_ok({"generate", "op", "--size", "9", "--seed", "6", "-o", "c.npz"});
    EXPECT_EQ(text_of("a.npz"), text_of("b.npz"));
    EXPECT_NE(text_of("a.npz"), text_of("c.npz"));
}

TEST_F(Generate, StartsALongerFileWithTheInstancesOfAShorterOne) {
    cax_ok({"generate", "cvrptw", "--size", "5", "--count", "2", "-o", "two.json"});
    cax_ok({"generate", "cvrptw", "--size", "5", "--count", "4", "-o", "four.json"});
    Json const two = json_of("two.json")["instances"];
    Json const four = json_of("four.json")["instances"];
    ASSERT_EQ(four.size(), 4U);
    EXPECT_EQ(two[0], four[0]);
    EXPECT_EQ(two[1], four[1]);
    EXPECT_NE(four[0], four[1]);
}

TEST_F(Generate, UsesTheUsualSizeUnlessToldOtherwise) {
    Ran const ran = cax_ok({"generate", "fjsp", "-o", "shop.json"});
    EXPECT_NE(ran.out.find("1 fjsp instance of size 10x5"), std::string::npos) << ran.out;
}

TEST_F(Generate, WritesTextFormatsForOneInstance) {
    cax_ok({"generate", "fjsp", "--size", "3x2", "-o", "shop.fjs"});
    Ran const ran = cax_ok({"inspect", "shop.fjs"});
    EXPECT_NE(ran.out.find("1 instance of fjsp"), std::string::npos) << ran.out;
}

} // namespace
} // namespace cax::test
