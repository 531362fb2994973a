#include "workbench.hpp"

#include "cax/io/tensor_files.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cax::test {
namespace {

std::string slurp(std::filesystem::path const& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// In the child: standard output and error to files, then the program. Does not return.
[[noreturn]] void become(std::vector<char*> const& argv, std::string const& folder, std::string const& out,
                         std::string const& err, Surroundings const& surroundings) {
    std::string const& device = surroundings.out.empty() ? out : surroundings.out;
    int const to_out = open(device.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int const to_err = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (to_out < 0 || to_err < 0 || chdir(folder.c_str()) != 0) _exit(126);
    dup2(to_out, STDOUT_FILENO);
    dup2(to_err, STDERR_FILENO);
    if (surroundings.close_out) close(STDOUT_FILENO);
    rlimit const limit{surroundings.memory_kb * 1024, surroundings.memory_kb * 1024};
    if (surroundings.memory_kb > 0 && setrlimit(RLIMIT_AS, &limit) != 0) _exit(126);
    // A BLAS with threads, which CLP loads where there is one, reserves more for each than is allowed here in all.
    if (surroundings.memory_kb > 0) setenv("OPENBLAS_NUM_THREADS", "1", 1);
    execv(argv[0], argv.data());
    _exit(127);
}

} // namespace

Workbench::Workbench() {
    std::string name = (std::filesystem::temp_directory_path() / "cax-cli-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary folder";
    folder_ = name;
}

Workbench::~Workbench() { std::filesystem::remove_all(folder_); }

Ran Workbench::cax(std::vector<std::string> const& arguments) const { return cax(arguments, {}); }

Ran Workbench::cax(std::vector<std::string> const& arguments, Surroundings const& surroundings) const {
    std::vector<std::string> words{CAX_BINARY};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    std::string const out = path(".out");
    std::string const err = path(".err");
    pid_t const child = fork();
    if (child == 0) become(argv, folder_.string(), out, err, surroundings);
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), slurp(out), slurp(err)};
}

Ran Workbench::cax_ok(std::vector<std::string> const& arguments) const {
    Ran ran = cax(arguments);
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_EQ(ran.err, "");
    return ran;
}

Ran Workbench::cax_solved(std::string_view problem, std::vector<std::string> const& arguments) const {
    Ran ran = cax(arguments);
    bool const broken = find_problem(problem)->info().may_be_unsolvable && ran.exit_code == 1;
    EXPECT_TRUE(ran.exit_code == 0 || (broken && ran.out.find("INVALID") != std::string::npos)) << ran.out << ran.err;
    EXPECT_EQ(ran.err, "");
    return ran;
}

std::string Workbench::text_of(std::string const& name) const { return slurp(folder_ / name); }

Json Workbench::json_of(std::string const& name) const {
    Json json = Json::parse(text_of(name), nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << name << " is not JSON";
    return json;
}

void Workbench::write(std::string const& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
}

std::string Workbench::policy(std::string_view problem, std::string const& size) const {
    std::string name = fmt::format("{}-policy.safetensors", problem);
    RandomPolicy const shape{.embed_dim = 16, .layers = 1, .size = size};
    EXPECT_TRUE(io::write_safetensors(folder_ / name, random_policy(problem, shape, 1)));
    return name;
}

std::string Workbench::instances(std::string const& problem, std::string const& size, std::size_t count,
                                 std::string const& extension) const {
    std::string name = problem + "-instances" + extension;
    cax_ok({"generate", problem, "--size", size, "--count", std::to_string(count), "--seed", "3", "-o", name});
    return name;
}

std::vector<std::string> every_problem() {
    std::vector<std::string> names;
    for (Problem const* problem : all_problems()) names.emplace_back(problem->info().name);
    return names;
}

std::string small_size(std::string_view problem) {
    return find_problem(problem)->info().size_hint == "JxM" ? "4x3" : "8";
}

Json without_wall_time(Json json) {
    EXPECT_TRUE(json.contains("wall_seconds"));
    json.erase("wall_seconds");
    return json;
}

} // namespace cax::test
