// What only commands read: results, the store of a study, and the words of options.
#include "command_line.hpp"
#include "samples.hpp"
#include "targets.hpp"

#include "cax/core/json.hpp"
#include "cax/explain/multipliers.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/registry.hpp"
#include "cax/study/settings.hpp"
#include "cax/study/store.hpp"
#include "random_policy.hpp"

#include <array>
#include <filesystem>
#include <unistd.h>

namespace cax::fuzz {
namespace {

namespace fs = std::filesystem;

/// Files that stay for the whole run: a small policy, two instances, and good results to compare with.
class Bench {
public:
    static Bench const& get() {
        static Bench const bench;
        return bench;
    }
    Bench(Bench const&) = delete;
    Bench& operator=(Bench const&) = delete;

    [[nodiscard]] std::string path(std::string const& name) const { return (folder_ / name).string(); }
    [[nodiscard]] std::string text(std::string const& name) const { return *io::read_text(folder_ / name); }

private:
    Bench() : folder_(fs::temp_directory_path() / ("cax-fuzz-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
        Problem const& problem = *find_problem("op");
        test::RandomPolicy const shape{.embed_dim = 4, .layers = 1, .heads = 1, .normalization = "instance"};
        require(io::write_safetensors(folder_ / "policy", test::random_policy("op", shape, 1)).has_value(), "policy");
        require(io::write_text(folder_ / "two.json", dump(instances_json(problem))).has_value(), "instances");
        std::string const policy = path("policy");
        std::string const two = path("two.json");
        int failed = run_cax({"solve", policy, two, "--json", path("solve")});
        failed += run_cax({"explain", policy, two, "--step", "1", "--shots", "8", "--json", path("explain")});
        failed += run_cax({"baseline", two, "--iterations", "10", "--json", path("baseline")});
        require(failed == 0, "there are no results to begin with");
    }
    ~Bench() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    fs::path folder_;
};

std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty() && words.size() < 12) {
        auto const end = std::min(text.find('\n'), text.size());
        std::string word(text.substr(0, end));
        std::erase(word, '\0'); // an argument cannot hold one
        words.push_back(std::move(word));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

} // namespace

/// The first byte decides which command reads the rest.
void run_results(Bytes bytes) {
    Dial dial(bytes);
    std::size_t const command = dial.below(5);
    MemoryFile const file(dial.rest());
    Bench const& bench = Bench::get();
    switch (command) {
    case 0: run_cax({"inspect", file.path()}); break;
    case 1: run_cax({"report", file.path(), "-o", "/dev/null"}); break;
    case 2: run_cax({"diff", file.path(), bench.path("explain")}); break;
    case 3: run_cax({"diff", bench.path("solve"), file.path()}); break;
    default: run_cax({"gap", bench.path("policy"), bench.path("two.json"), "--best-known", file.path()});
    }
}

std::vector<std::string> results_seeds() {
    Bench const& bench = Bench::get();
    return {'\0' + bench.text("explain"), '\1' + bench.text("explain"),  '\2' + bench.text("explain"),
            '\3' + bench.text("solve"),   '\4' + bench.text("baseline"), '\0' + bench.text("baseline")};
}

void run_store(Bytes bytes) {
    // SQLite wants a real file, with room for others beside it.
    static fs::path const path =
        fs::path(fs::exists("/dev/shm") ? "/dev/shm" : "/tmp") / ("cax-fuzz-store-" + std::to_string(::getpid()));
    require(io::write_bytes(path, bytes).has_value(), "the store cannot be written");
    run_cax({"inspect", path.string()});
    run_cax({"study", "status", "--db", path.string()});
    fs::remove(path);
}

std::vector<std::string> store_seeds() {
    fs::path const path = fs::temp_directory_path() / ("cax-fuzz-seed-" + std::to_string(::getpid()));
    {
        study::StoreHeader header;
        header.version = "1";
        header.settings = study::to_json(study::quick_settings()).dump();
        header.policies = {{"op", 0, "op.safetensors", std::string(64, 'a'), "5"}};
        auto store = study::Store::open(path, header);
        require(store.has_value(), store ? "" : store.error().message);
        std::array const rows{study::CellRow{.key = {"op", 0, 0, -1, "walk"}, .result = R"({"status":"ok"})"}};
        require(store->insert(rows).has_value() && store->settle().has_value(), "no seed for the store");
    }
    std::string const seed(text_of(*io::read_bytes(path)));
    for (char const* suffix : {"", "-wal", "-shm"}) fs::remove(path.string() + suffix);
    return {seed};
}

/// Words of options, a line each. Commands read all of them before they look for their instances, which are missing.
void run_options(Bytes bytes) {
    constexpr std::array commands{"attribute", "counterfactual", "subset", "explain", "solve"};
    Dial dial(bytes);
    std::size_t const command = dial.below(commands.size() + 1);
    auto words = words_in(text_of(dial.rest()));
    if (command < commands.size()) {
        std::vector<std::string> arguments{commands[command], Bench::get().path("policy"), "/nowhere/instances.json"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        int const code = run_cax(std::move(arguments));
        require(code == 2 || std::ranges::find(words, "--help") != words.end() ||
                    std::ranges::find(words, "-h") != words.end(),
                "success without instances");
        return;
    }
    words.resize(3);
    for (Problem const* problem : all_problems()) {
        if (auto const given = parse_given(problem->info(), words[0]); !given) expect_readable(given.error());
        Rng rng(1);
        Options const options{{words[1], words[2]}};
        auto const instance = problem->generate(words[0], words[1].empty() ? Options{} : options, rng);
        if (!instance) expect_readable(instance.error());
    }
    if (auto const shard = study::shard_of(words[0]); !shard) expect_readable(shard.error());
}

std::vector<std::string> options_seeds() {
    std::string const zero(1, '\0');
    return {zero + "--lambda\nprize=1,spatial=0.2\n--steps\n3",
            "\1--box\nlocs=0:1\n--budget\nprize=0.2\n--fix\nmax_length\n--min-prize\n1.5\n--work\n1000",
            "\2--k-max\n3\n--samples\n10\n--sigma\n0.1",
            "\3--step\n1-3\n--parts\nattribution,subset\n--why-not\n2",
            "\4--decode\nsample\n--samples\n4\n--read\na=b",
            "\0055x3\nmin-ops\n2",
            "\0052/5\ncapacity\n3"};
}

} // namespace cax::fuzz
