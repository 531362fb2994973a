#include "command_line.hpp"

#include <array>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace cax::fuzz {

MemoryFile::MemoryFile(Bytes bytes) : descriptor_(::memfd_create("cax-fuzz", 0)) {
    require(descriptor_ >= 0, "no file in memory");
    while (!bytes.empty()) {
        auto const written = ::write(descriptor_, bytes.data(), bytes.size());
        require(written > 0, "no room in memory");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

std::string MemoryFile::text() const {
    std::string text;
    std::array<char, 4096> part{};
    ::lseek(descriptor_, 0, SEEK_SET);
    for (ssize_t got = 0; (got = ::read(descriptor_, part.data(), part.size())) > 0;) {
        text.append(part.data(), static_cast<std::size_t>(got));
    }
    return text;
}

int run_cax(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "cax");
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    MemoryFile const out({});
    MemoryFile const err({});
    // Set to see what a sanitizer says, which goes to standard error, too.
    static bool const keep = std::getenv("CAX_FUZZ_SHOW") != nullptr;
    int const code = call_cax(argv, out.descriptor(), keep ? STDERR_FILENO : err.descriptor());
    require(code >= 0 && code <= 2, "exit code " + std::to_string(code) + ": " + err.text());
    if (keep) return code;
    std::string line = err.text();
    if (code != 2) {
        require(line.empty(), "success with an error: " + line);
        return code;
    }
    require(line.starts_with("cax: ") && line.ends_with('\n'), "no error line: " + line);
    line.pop_back();
    expect_readable(std::string_view(line));
    return code;
}

} // namespace cax::fuzz
