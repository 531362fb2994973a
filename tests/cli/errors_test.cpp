// Everything that can be wrong with what a person gives: exit code 2, one line on stderr that names the thing.
#include "workbench.hpp"

#include "cax/io/tensor_files.hpp"
#include "random_policy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cax::test {
namespace {

class Errors : public Workbench {
protected:
    /// Exit code 2, nothing on stdout, one line on stderr with all of these words in it.
    void expect_error(std::vector<std::string> const& arguments, std::vector<std::string> const& words) const {
        Ran const ran = cax(arguments);
        EXPECT_EQ(ran.exit_code, 2) << ran.out << ran.err;
        EXPECT_EQ(ran.out, "");
        EXPECT_TRUE(ran.err.starts_with("cax: ")) << ran.err;
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
        for (std::string const& word : words) {
            EXPECT_NE(ran.err.find(word), std::string::npos) << "no '" << word << "' in: " << ran.err;
        }
    }

    /// The instance file with one thing changed.
    std::string changed(std::string const& file, std::string const& name, auto const& change) const {
        Json json = json_of(file);
        change(json["instances"][0]);
        write(name, json.dump());
        return name;
    }
};

TEST_F(Errors, MissingFile) {
    expect_error({"solve", "nowhere.safetensors", "nothing.json"}, {"nowhere.safetensors"});
    expect_error({"solve", policy("op"), "nothing.json"}, {"nothing.json"});
    expect_error({"inspect", "nothing.json"}, {"nothing.json"});
    expect_error({"check-golden", "nowhere"}, {"nowhere"});
}

TEST_F(Errors, DirectoryInPlaceOfAFile) {
    std::filesystem::create_directory(path("folder"));
    expect_error({"inspect", "folder"}, {"folder: is a folder, not a file"});
    expect_error({"solve", "folder", instances("op", "5", 1)}, {"folder: is a folder, not a file"});
    expect_error({"solve", policy("op"), "folder"}, {"folder: is a folder, not a file"});
}

TEST_F(Errors, TruncatedPolicy) {
    std::string const name = policy("op");
    std::string const whole = text_of(name);
    for (std::size_t const length : {std::size_t{0}, std::size_t{5}, std::size_t{200}, whole.size() - 1}) {
        write("cut.safetensors", whole.substr(0, length));
        expect_error({"solve", "cut.safetensors", instances("op", "5", 1)}, {"cut.safetensors"});
        expect_error({"inspect", "cut.safetensors"}, {"cut.safetensors"});
    }
}

TEST_F(Errors, WeightsThatAreNotNumbers) {
    for (double const bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        TensorFile file = random_policy("op", 16, 1, 1);
        std::string const name = "decoder.pointer.project_out.weight";
        auto values = file.tensors.at(name).to_doubles();
        values[7] = bad;
        file.tensors[name] = Tensor::from_doubles(Dtype::f32, file.tensors.at(name).shape(), values);
        ASSERT_TRUE(io::write_safetensors(path("bad.safetensors"), file));
        expect_error({"solve", "bad.safetensors", instances("op", "5", 1)}, {"bad.safetensors", name});
    }
}

TEST_F(Errors, WeightsOfAnotherShape) {
    TensorFile file = random_policy("cvrptw", 16, 1, 1);
    std::string const name = "encoder.net.layers.0.0.module.out_proj.weight";
    file.tensors[name] = Tensor::from_doubles(Dtype::f32, {8, 32}, file.tensors.at(name).to_doubles());
    ASSERT_TRUE(io::write_safetensors(path("bad.safetensors"), file));
    expect_error({"inspect", "bad.safetensors"}, {"bad.safetensors", name, "[8, 32]"});
}

TEST_F(Errors, NegativeDemand) {
    auto const file = changed(instances("cvrptw", "5", 2), "negative.json",
                              [](Json& json) { json["customers"][2]["demand"] = -0.25; });
    expect_error({"solve", policy("cvrptw"), file}, {"negative.json", "instance 0", "customer 3", "demand", "-0.25"});
}

TEST_F(Errors, WindowThatClosesBeforeItOpens) {
    auto const file = changed(instances("cvrptw", "5", 2), "inverted.json", [](Json& json) {
        json["customers"][3]["window"] = Json::array({77, 33});
    });
    expect_error({"solve", policy("cvrptw"), file}, {"inverted.json", "instance 0", "77", "33"});
}

TEST_F(Errors, FieldThatIsNotThere) {
    auto const file =
        changed(instances("op", "5", 1), "without.json", [](Json& json) { json["customers"][1].erase("prize"); });
    expect_error({"inspect", file}, {"without.json", "prize"});
}

TEST_F(Errors, PolicyForAnotherProblem) {
    expect_error({"solve", policy("op"), instances("cvrptw", "5", 1)},
                 {"cvrptw-instances.json", "cvrptw", "op-policy.safetensors", "op"});
    expect_error({"solve", policy("fjsp"), instances("op", "5", 1, ".npz")}, {"op-instances.npz", "fjsp"});
}

TEST_F(Errors, PolicyWhereInstancesBelongAndTheOtherWayRound) {
    expect_error({"solve", policy("op"), policy("op")}, {"op-policy.safetensors", "where instances belong"});
    for (std::string const extension : {".json", ".npz", ".oplib"}) {
        std::string const five = instances("op", "5", 1, extension);
        expect_error({"solve", five, policy("op")}, {five, "1 op instance, not a policy", "the policy comes first"});
        expect_error({"explain", five, policy("op")}, {five, "the policy comes first"});
    }
}

TEST_F(Errors, CheckpointsOfPyTorch) {
    std::string const zip("PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10\0\0\0", 30);
    write("model.ckpt", zip + "archive/data.pkl and then the rest");
    write("old.pt", std::string("\x80\x02\x8A\nlF\xF9\x20", 8) + "and then the rest");
    for (std::string const name : {"model.ckpt", "old.pt"}) {
        expect_error({"solve", name, instances("op", "5", 1)}, {name, "a PyTorch checkpoint", "cax.convert"});
        EXPECT_NE(cax_ok({"inspect", name}).out.find("a PyTorch checkpoint"), std::string::npos);
        expect_error({"solve", policy("op"), name}, {name, "a PyTorch checkpoint"});
        expect_error({"train", "op", "--from", name}, {name, "a PyTorch checkpoint"});
    }
}

TEST_F(Errors, NumbersThatOnlyPythonWrites) {
    std::string const good = text_of(instances("op", "5", 1));
    auto const with = [&](std::string const& number) {
        std::string text = good;
        std::size_t const at = text.find("\"x\":") + 4;
        text.replace(at, text.find_first_of(",}", at) - at, number);
        write("python.json", text);
    };
    for (std::string const number : {"NaN", "Infinity", "-Infinity"}) {
        with(number);
        expect_error({"inspect", "python.json"}, {"python.json", "line 2", number + " is no number of JSON", "Python"});
        expect_error({"solve", policy("op"), "python.json"}, {"python.json", number});
    }
    with("1e999");
    expect_error({"inspect", "python.json"}, {"1e999 is out of range"});
}

TEST_F(Errors, TextThatIsNotUtf8) {
    write("latin.json", "{\"schema\": \"cax/instances/1\", \"problem\": \"M\xFCnchen\"}");
    expect_error({"inspect", "latin.json"}, {"latin.json", "line 1", "not UTF-8"});
    write("wide.json", std::string("\xFF\xFE{\0\"\0", 6));
    expect_error({"inspect", "wide.json"}, {"wide.json"});
}

TEST_F(Errors, LinksThatLeadNowhere) {
    std::filesystem::create_symlink("round", path("round"));
    std::filesystem::create_symlink("gone.json", path("dangling"));
    expect_error({"inspect", "round"}, {"round: is a link that leads round in a circle"});
    expect_error({"solve", "round", "round"}, {"round: is a link that leads round in a circle"});
    expect_error({"inspect", "dangling"}, {"dangling: is a link to gone.json, which does not exist"});
}

TEST_F(Errors, AbsurdSize) {
    for (std::string const problem : {"cvrptw", "op", "fjsp"}) {
        expect_error({"generate", problem, "--size", "100000000", "-o", "huge.json"}, {"100000000"});
        expect_error({"generate", problem, "--size", "99999999999999999999999", "-o", "huge.json"},
                     {"99999999999999999999999"});
        for (std::string const size : {"0", "-3", "x", "5.5", "3x", "1e3"}) {
            expect_error({"generate", problem, "--size=" + size, "-o", "odd.json"}, {size});
        }
    }
    expect_error({"generate", "fjsp", "--size", "100000x100000", "-o", "huge.json"}, {"100000x100000"});
    expect_error({"generate", "op", "--count", "99999999999", "-o", "huge.json"}, {"--count"});
}

TEST_F(Errors, NegativeNumberForAnyOption) {
    auto const op = policy("op");
    auto const five = instances("op", "5", 1);
    using Words = std::vector<std::string>;
    std::vector<std::pair<std::string, Words>> const options{
        {"generate", {"--count", "--seed"}},
        {"solve", {"--samples", "--limit"}},
        {"baseline", {"--iterations", "--seconds"}},
        {"attribute", {"--points", "--steps", "--why-not"}},
        {"counterfactual", {"--shots", "--towards", "--count", "--work", "--step", "--steps"}},
        {"subset", {"--k-max", "--samples", "--budget", "--points", "--steps"}},
        {"explain", {"--shots", "--instance"}},
    };
    for (auto const& [command, names] : options) {
        Words files{op, five};
        if (command == "generate") files = {"op", "-o", "out.json"};
        if (command == "baseline") files = {five};
        for (auto const& name : names) {
            Words arguments{command};
            arguments.insert(arguments.end(), files.begin(), files.end());
            arguments.insert(arguments.end(), {name, "-3"});
            expect_error(arguments, {name, "-3"});
        }
    }
}

TEST_F(Errors, CountsThatAreNone) {
    auto const op = policy("op");
    auto const five = instances("op", "5", 1);
    expect_error({"counterfactual", op, five, "--work", "1e30"}, {"--work: 1e30 is too large"});
    expect_error({"counterfactual", op, five, "--work", "2.5"}, {"--work: 2.5 is not a whole number"});
    expect_error({"counterfactual", op, five, "--count", "many"}, {"--count: 'many' is not a whole number"});
    expect_error({"baseline", five, "--iterations", "1.5"}, {"--iterations: 1.5 is not a whole number"});
    expect_error({"generate", "op", "--count", "0", "-o", "x.json"}, {"--count: 0 is not a whole number from 1"});
    cax_ok({"counterfactual", op, five, "--steps", "1", "--shots", "8", "--work", "1e18", "--json", "r.json"});
    EXPECT_EQ(json_of("r.json")["settings"]["work"], 1'000'000'000'000'000'000U);
}

TEST_F(Errors, UnknownWords) {
    expect_error({"generate", "mtsp", "-o", "out.json"}, {"mtsp", "cvrptw, op, fjsp, cvrp"});
    expect_error({"generate", "op", "--set", "prize", "-o", "out.json"}, {"--set", "prize"});
    expect_error({"generate", "op", "--set", "colour=red", "-o", "out.json"}, {"colour"});
    expect_error({"generate", "op", "-o", "out.xyz"}, {"out.xyz"});
    expect_error({"solve", policy("op"), instances("op", "5", 1), "--decode", "psychic"},
                 {"--decode", "psychic", "greedy, multistart, sample"});
    expect_error({"solve", policy("op"), instances("op", "5", 1), "--precision", "quad"},
                 {"--precision", "quad", "float, double"});
}

TEST_F(Errors, Usage) {
    expect_error({}, {"cax --help"});
    expect_error({"divine"}, {"divine", "--help"});
    expect_error({"solve"}, {"POLICY", "cax solve --help"});
    expect_error({"inspect", "a", "--shiny"}, {"--shiny", "cax inspect --help"});
    expect_error({"generate", "op", "--seed", "minus one", "-o", "x.json"}, {"--seed", "minus one"});
    expect_error({"solve", policy("op"), instances("op", "5", 1), "--limit", "0"}, {"--limit"});
    expect_error({"solve", policy("op"), instances("op", "5", 1), "--threads", "-1"}, {"--threads"});
    expect_error({"inspect", "line\nbreak.json"}, {"line break.json"});
}

TEST_F(Errors, OutputThatCannotBeWritten) {
    expect_error({"generate", "op", "--size", "5", "-o", "no/such/folder/out.json"}, {"no/such/folder/out.json"});
    Ran const ran = cax({"solve", policy("op"), instances("op", "5", 1), "--json", "no/such/folder/out.json"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_NE(ran.err.find("no/such/folder/out.json"), std::string::npos) << ran.err;
}

TEST_F(Errors, MoreThanOneInstanceWhereOneIsTold) {
    expect_error({"solve", policy("op"), instances("op", "5", 3), "--narrate"}, {"--narrate", "3", "--limit 1"});
    expect_error({"generate", "fjsp", "--size", "3x2", "--count", "2", "-o", "two.fjs"}, {"two.fjs", "2"});
}

TEST_F(Errors, FilesThatAreNothing) {
    write("empty.json", "");
    write("noise.npz", "PK\x03\x04 and then nothing sensible");
    write("nested.json", std::string(100000, '['));
    write("list.json", "[1, 2, 3]");
    write("text.txt", "It was a dark and stormy night\n");
    for (std::string const name : {"empty.json", "noise.npz", "nested.json", "list.json", "text.txt"}) {
        expect_error({"inspect", name}, {name});
        expect_error({"solve", policy("op"), name}, {name});
    }
}

} // namespace
} // namespace cax::test
