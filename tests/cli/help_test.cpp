#include "workbench.hpp"

#include <sstream>

namespace cax::test {
namespace {

class Help : public Workbench {};

TEST_F(Help, TeachesByExample) {
    Ran const ran = cax_ok({"--help"});
    for (std::string const word : {"generate", "inspect", "solve", "check-golden", "cax solve", "Exit codes"}) {
        EXPECT_NE(ran.out.find(word), std::string::npos) << word;
    }
}

TEST_F(Help, ExplainsEverySubcommandWithExamples) {
    for (std::string const command : {"generate", "inspect", "solve", "baseline", "gap", "attribute", "counterfactual",
                                      "subset", "explain", "swap", "sensitivity", "alternatives", "forbidden", "thumb", "regret", "report", "diff", "study", "study status", "study merge",
                                      "study export", "train", "check-golden", "completion", "manual"}) {
        std::vector<std::string> words;
        std::istringstream parts(command);
        for (std::string word; parts >> word;) words.push_back(word);
        words.emplace_back("--help");
        Ran const ran = cax_ok(words);
        EXPECT_NE(ran.out.find("Examples:\n  cax " + command), std::string::npos) << ran.out;
        EXPECT_NE(ran.out.find("Options:"), std::string::npos) << ran.out;
        std::istringstream lines(ran.out);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 130U) << line;
    }
}

TEST_F(Help, SaysHowStepsAndInstancesAreCounted) {
    EXPECT_NE(cax_ok({"--help"}).out.find("Steps count from 1"), std::string::npos);
}

TEST_F(Help, SiblingCommandsKnowTheSameWords) {
    for (std::string const command : {"attribute", "counterfactual", "subset", "explain"}) {
        std::string const text = cax_ok({command, "--help"}).out;
        for (std::string const option : {"--step LIST", "--steps T", "--instance LIST", "--encode WORD", "--seed S",
                                         "--threads n", "--precision WORD", "--read KEY=VALUE", "--json FILE"}) {
            EXPECT_NE(text.find(option), std::string::npos) << command << " " << option;
        }
    }
    for (std::string const command : {"counterfactual", "explain"}) {
        std::string const text = cax_ok({command, "--help"}).out;
        for (std::string const option : {"--fleet BOUND", "--horizon BOUND", "--min-prize BOUND", "--certify WORD",
                                         "--refine,--no-refine", "--fix TENSOR"}) {
            EXPECT_NE(text.find(option), std::string::npos) << command << " " << option;
        }
    }
}

TEST_F(Help, NamesTheVersionAndTheKernel) {
    Ran const ran = cax_ok({"--version"});
    EXPECT_TRUE(ran.out.starts_with("cax 0.")) << ran.out;
    EXPECT_NE(ran.out.find('('), std::string::npos) << ran.out;
}

} // namespace
} // namespace cax::test
