#include "workbench.hpp"

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
    for (std::string const command : {"generate", "inspect", "solve", "baseline", "gap", "check-golden"}) {
        Ran const ran = cax_ok({command, "--help"});
        EXPECT_NE(ran.out.find("Examples:\n  cax " + command), std::string::npos) << ran.out;
        EXPECT_NE(ran.out.find("Options:"), std::string::npos) << ran.out;
    }
}

TEST_F(Help, NamesTheVersionAndTheKernel) {
    Ran const ran = cax_ok({"--version"});
    EXPECT_TRUE(ran.out.starts_with("cax 0.")) << ran.out;
    EXPECT_NE(ran.out.find('('), std::string::npos) << ran.out;
}

} // namespace
} // namespace cax::test
