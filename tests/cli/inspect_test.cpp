#include "workbench.hpp"

#include "cax/core/sha256.hpp"

namespace cax::test {
namespace {

class Inspect : public Workbench {
protected:
    Json inspect(std::string const& file) {
        Ran const ran = cax_ok({"inspect", file, "--json", "what.json"});
        out_ = ran.out;
        Json json = json_of("what.json");
        EXPECT_EQ(json["schema"], "cax/inspect/1");
        EXPECT_EQ(json["sha256"], sha256_hex(text_of(file)));
        return json;
    }
    void expect_said(std::string const& words) const { EXPECT_NE(out_.find(words), std::string::npos) << out_; }

private:
    std::string out_;
};

TEST_F(Inspect, DescribesAPolicy) {
    Json const json = inspect(policy("op", "20"));
    expect_said("a policy for op, trained on size 20");
    expect_said("attention, width 16, 1 layers, 4 heads");
    EXPECT_EQ(json["kind"], "policy");
    EXPECT_EQ(json["problem"], "op");
    EXPECT_EQ(json["size"], "20");
    EXPECT_EQ(json["network"], "attention");
    EXPECT_GT(json["parameters"], 1000);
}

TEST_F(Inspect, DescribesInstancesInEveryFormat) {
    for (std::string const problem : {"cvrptw", "op", "fjsp"}) {
        for (std::string const extension : {".json", ".npz"}) {
            Json const json = inspect(instances(problem, small_size(problem), 3, extension));
            expect_said("3 instances of " + problem);
            EXPECT_EQ(json["kind"], "instances");
            EXPECT_EQ(json["count"], 3);
            EXPECT_EQ(json["format"], extension.substr(1));
            EXPECT_EQ(json["sizes"][2], small_size(problem));
            for (Json const& feature : json["features"]) EXPECT_LE(feature["smallest"], feature["largest"]);
        }
    }
}

TEST_F(Inspect, DescribesAResult) {
    cax_ok({"solve", policy("op"), instances("op", "8", 2), "--json", "result.json"});
    Json const json = inspect("result.json");
    expect_said("a result of cax, schema cax/solve/1");
    EXPECT_EQ(json["kind"], "result");
    EXPECT_EQ(json["counts"]["instances"], 2);
}

TEST_F(Inspect, DescribesBestKnownSolutions) {
    write("best.json", R"({"problems": {"op9": {"instances": [{"cost": 1, "optimal": true}, {"cost": 2}, 7]}}})");
    Json const json = inspect("best.json");
    expect_said("best known solutions");
    EXPECT_EQ(json["sets"][0]["name"], "op9");
    EXPECT_EQ(json["sets"][0]["instances"], 3);
    EXPECT_EQ(json["sets"][0]["optimal"], 1);
}

TEST_F(Inspect, DescribesAStudysStore) {
    policy("op", "6");
    write("tiny.json", R"({"instances": 1, "steps": 1, "shots": 4, "resamples": 10, "search_iterations": 10})");
    cax_ok({"study", "--policy", "op-policy.safetensors", "--settings", "tiny.json", "--shard", "0/2", "--db",
            "half.sqlite"});
    Json const json = inspect("half.sqlite");
    expect_said("a study's store");
    expect_said("shard 0/2");
    EXPECT_EQ(json["kind"], "study");
    EXPECT_GT(json["cells"], 5);
    EXPECT_EQ(json["policies"][0]["path"], "op-policy.safetensors");
    write("songs.sqlite", std::string("SQLite format 3\0 and nothing more", 34));
    Ran const ran = cax({"inspect", "songs.sqlite"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_TRUE(ran.err.starts_with("cax: songs.sqlite: ")) << ran.err;
}

TEST_F(Inspect, WritesNoTerminalEscapesOfAFile) {
    write("bad.json", R"({"schema":"cax/x\u001b[2J/1","\u001b[2J":1,"problem":"\u001b[2J"})");
    EXPECT_EQ(cax_ok({"inspect", "bad.json"}).out.find('\x1b'), std::string::npos);
}

TEST_F(Inspect, ListsTensorsThatAreNoPolicy) {
    std::string const header = R"({"thing":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    std::string file(8, '\0');
    file[0] = static_cast<char>(header.size());
    write("thing.safetensors", file + header + std::string(4, '\0'));
    Json const json = inspect("thing.safetensors");
    expect_said("1 tensors, not a policy");
    EXPECT_EQ(json["kind"], "tensors");
    EXPECT_EQ(json["tensors"][0]["name"], "thing");
}

} // namespace
} // namespace cax::test
