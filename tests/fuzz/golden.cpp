// A golden folder, one of whose files is the input: recorded traces come from elsewhere, too.
#include "command_line.hpp"
#include "targets.hpp"

#include "../parity/golden_builder.hpp"
#include "cax/io/files.hpp"
#include "cax/io/tensor_files.hpp"

#include <array>
#include <filesystem>
#include <unistd.h>

namespace cax::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::array files{"trace.safetensors", "trace.json", "weights.safetensors", "env_random.safetensors"};

/// A good folder for the whole run.
class GoldenFolder {
public:
    static GoldenFolder const& get() {
        static GoldenFolder const folder;
        return folder;
    }
    GoldenFolder(GoldenFolder const&) = delete;
    GoldenFolder& operator=(GoldenFolder const&) = delete;

    [[nodiscard]] fs::path const& path() const { return path_; }
    [[nodiscard]] std::string const& good(std::size_t file) const { return good_[file]; }

private:
    GoldenFolder()
        : path_(fs::path(fs::exists("/dev/shm") ? "/dev/shm" : "/tmp") /
                ("cax-fuzz-golden-" + std::to_string(::getpid()))) {
        test::GoldenBuilder("op", 1).write(path_);
        for (std::size_t i = 0; i < files.size(); ++i) good_[i] = *io::read_text(path_ / files[i]);
    }
    ~GoldenFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    fs::path path_;
    std::array<std::string, files.size()> good_;
};

} // namespace

void run_golden(Bytes bytes) {
    Dial dial(bytes);
    std::size_t const file = dial.below(files.size());
    GoldenFolder const& folder = GoldenFolder::get();
    require(io::write_bytes(folder.path() / files[file], dial.rest()).has_value(), "the folder cannot be written");
    run_cax({"check-golden", folder.path().string(), "--threads", "1", "--precision", "float"});
    require(io::write_text(folder.path() / files[file], folder.good(file)).has_value(),
            "the folder cannot be restored");
}

std::vector<std::string> golden_seeds() {
    std::vector<std::string> seeds;
    for (std::size_t i = 0; i < files.size(); ++i) {
        seeds.push_back(static_cast<char>(i) + GoldenFolder::get().good(i));
    }
    return seeds;
}

} // namespace cax::fuzz
