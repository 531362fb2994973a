// --csv of every command that explains; policies by name; completion and manual pages.
#include "workbench.hpp"

#include "cax/problems/registry.hpp"

#include <algorithm>
#include <cstdlib>
#include <gmock/gmock.h>

namespace cax::test {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class Csv : public Workbench {
protected:
    [[nodiscard]] std::vector<std::string> files_in(std::string const& folder) const {
        std::vector<std::string> names;
        for (auto const& entry : fs::directory_iterator(path(folder))) names.push_back(entry.path().filename());
        std::ranges::sort(names);
        return names;
    }
    /// Lines after the first.
    [[nodiscard]] std::size_t rows_of(std::string const& name) const {
        std::string const text = text_of(name);
        return static_cast<std::size_t>(std::ranges::count(text, '\n')) - 1;
    }
};

TEST_F(Csv, HasTheTablesOfEveryCommandAndProblem) {
    for (Problem const* problem : all_problems()) {
        std::string const name(problem->info().name);
        std::string const weights = policy(name, small_size(name));
        std::string const file = instances(name, small_size(name), 2);
        auto const asked = [&](std::string const& command, std::vector<std::string> more = {}) {
            std::vector<std::string> words{command, weights, file, "--steps", "2", "--csv", name + "-" + command};
            words.insert(words.end(), more.begin(), more.end());
            cax_ok(words);
            return files_in(name + "-" + command);
        };
        using Names = std::vector<std::string>;
        std::size_t const families = problem->info().families.size();
        EXPECT_EQ(asked("attribute"), (Names{"attribution_nodes.csv", "attributions.csv"}));
        EXPECT_EQ(rows_of(name + "-attribute/attributions.csv"), 4 * families);
        EXPECT_EQ(asked("counterfactual", {"--shots", "16"}), (Names{"changes.csv", "counterfactuals.csv"}));
        EXPECT_EQ(rows_of(name + "-counterfactual/counterfactuals.csv"), 4u);
        EXPECT_EQ(asked("subset"), (Names{"subset_nodes.csv", "subsets.csv"}));
        EXPECT_EQ(asked("swap"), (Names{"swaps.csv"}));
        EXPECT_EQ(asked("sensitivity", {"--reference", "0"}), (Names{"sensitivities.csv"}));
        EXPECT_EQ(asked("alternatives", {"--regret", "policy"}), (Names{"alternatives.csv"}));
        auto const all = asked("explain", {"--shots", "16", "--reference", "0", "--regret", "policy"});
        for (char const* table : {"alternatives.csv", "attributions.csv", "changes.csv", "counterfactuals.csv",
                                  "decisions.csv", "lines.csv", "sensitivities.csv", "subsets.csv", "swaps.csv"}) {
            EXPECT_THAT(all, testing::Contains(table)) << name;
        }
    }
}

TEST_F(Csv, SaysTheSameAsTheResultFile) {
    cax_ok({"counterfactual", policy("op", "8"), instances("op", "8", 3), "--instance", "1,2", "--steps", "2",
            "--refine", "--csv", "tables/of/op", "--json", "all.json"});
    std::size_t changes = 0;
    Json const all = json_of("all.json");
    for (Json const& decision : all["cells"]) changes += decision["changes"].size();
    EXPECT_EQ(rows_of("tables/of/op/changes.csv"), changes);
    EXPECT_THAT(text_of("tables/of/op/counterfactuals.csv"), HasSubstr("\n1,0,"));
    EXPECT_THAT(text_of("tables/of/op/counterfactuals.csv"), HasSubstr("\n2,1,"));
}

TEST_F(Csv, GoesToAFolderThatCanBeMade) {
    write("taken", "a file");
    std::string const weights = policy("op", "8");
    auto const ran = cax({"swap", weights, instances("op", "8", 1), "--csv", "taken"});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.err, HasSubstr("--csv taken: "));
    EXPECT_EQ(text_of("taken"), "a file");
}

TEST_F(Csv, ReplacesItsOwnFilesAndLeavesOthers) {
    std::string const weights = policy("op", "8");
    std::string const file = instances("op", "8", 1);
    fs::create_directory(path("t"));
    write("t/mine.txt", "mine");
    cax_ok({"swap", weights, file, "--csv", "t"});
    std::string const once = text_of("t/swaps.csv");
    cax_ok({"swap", weights, file, "--csv", "t"});
    EXPECT_EQ(text_of("t/swaps.csv"), once);
    EXPECT_EQ(files_in("t"), (std::vector<std::string>{"mine.txt", "swaps.csv"}));
}

class ModelsByName : public Workbench {};

TEST_F(ModelsByName, AreFoundInTheFolderModels) {
    fs::create_directory(path("models"));
    fs::rename(path(policy("op", "8")), path("models/mine.safetensors"));
    std::string const file = instances("op", "8", 1);
    cax_ok({"solve", "mine", file, "--json", "a.json"});
    EXPECT_EQ(json_of("a.json")["policy"]["path"], "models/mine.safetensors");
    cax_ok({"solve", "mine.safetensors", file});
    auto const none = cax({"solve", "yours", file});
    EXPECT_EQ(none.exit_code, 2);
    EXPECT_THAT(none.err, HasSubstr("yours: no such file, and no trained policy of that name in models, "));
    write("mine", "a file of that name comes first");
    EXPECT_EQ(cax({"solve", "mine", file}).exit_code, 2);
}

class Completion : public Workbench {
protected:
    /// What bash offers for the last word.
    [[nodiscard]] std::string offered(std::string const& words) const {
        std::string const script = "source completion.bash; COMP_WORDS=(" + words +
                                   "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); compopt() { :; }; _cax; "
                                   "printf '%s ' \"${COMPREPLY[@]}\"";
        write("ask.bash", script);
        std::string const command = "cd '" + path("") + "' && bash ask.bash > offered.txt 2> complaints.txt";
        EXPECT_EQ(std::system(command.c_str()), 0) << text_of("complaints.txt");
        EXPECT_EQ(text_of("complaints.txt"), "");
        return text_of("offered.txt");
    }
};

TEST_F(Completion, OffersCommandsOptionsWordsAndFiles) {
    write("completion.bash", cax_ok({"completion", "--shell", "bash"}).out);
    EXPECT_EQ(offered("cax expl"), "explain ");
    EXPECT_EQ(offered("cax study mer"), "merge ");
    EXPECT_EQ(offered("cax explain --htm"), "--html ");
    EXPECT_EQ(offered("cax study merge --ou"), "--output ");
    EXPECT_EQ(offered("cax attribute --backend pr"), "proxy ");
    EXPECT_EQ(offered("cax explain --parts attribution,swa"), "attribution,swap ");
    write("city.json", "{}");
    EXPECT_EQ(offered("cax inspect cit"), "city.json ");
    fs::create_directory(path("models"));
    write("models/op-9-s1.safetensors", "");
    EXPECT_THAT(offered("cax explain op-9"), HasSubstr("op-9-s1 "));
}

TEST_F(Completion, KnowsEveryOptionOfEveryCommand) {
    for (std::string const shell : {"bash", "zsh"}) {
        std::string const script = cax_ok({"completion", "--shell", shell}).out;
        for (std::string const word : {"explain", "--why-not", "--no-refine", "--policy-command", "check-golden",
                                       "--search-work", "completion", "manual"}) {
            EXPECT_THAT(script, HasSubstr(word)) << shell;
        }
    }
}

TEST_F(Completion, IsAScriptThatZshCanRead) {
    if (std::system("command -v zsh > /dev/null") != 0) GTEST_SKIP() << "there is no zsh";
    write("_cax", cax_ok({"completion", "--shell", "zsh"}).out);
    std::string const load =
        "cd '" + path("") +
        "' && zsh -f -c 'fpath=($PWD $fpath); autoload -U compinit; compinit -D -u; "
        "print -r -- $_comps[cax]; zsh -n _cax && autoload +X _cax && whence -w _cax' > said.txt 2>&1";
    EXPECT_EQ(std::system(load.c_str()), 0) << text_of("said.txt");
    EXPECT_EQ(text_of("said.txt"), "_cax\n_cax: function\n");
}

TEST_F(Completion, ManualPagesHaveEveryCommandAndNoLineOfTheFormattersOwn) {
    cax_ok({"manual", "--folder", "man"});
    EXPECT_TRUE(fs::exists(path("man/cax.1")));
    EXPECT_TRUE(fs::exists(path("man/cax-study-merge.1")));
    std::string const page = text_of("man/cax-explain.1");
    for (char const* part :
         {".TH CAX\\-EXPLAIN 1", ".SH SYNOPSIS", "\\fB\\-\\-why\\-not\\fR \\fINODE\\fR", ".SH EXAMPLES"}) {
        EXPECT_THAT(page, HasSubstr(part));
    }
    if (std::system("command -v groff > /dev/null") != 0) GTEST_SKIP() << "there is no groff to format them";
    std::string const format =
        "cd '" + path("man") + "' && for f in *.1; do groff -man -Tutf8 -ww -z $f; done > ../complaints.txt 2>&1";
    EXPECT_EQ(std::system(format.c_str()), 0);
    EXPECT_EQ(text_of("complaints.txt"), "");
}

} // namespace
} // namespace cax::test
