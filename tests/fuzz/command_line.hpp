#pragma once
// The command line as a target calls it, on files that exist in memory only.
#include "target.hpp"

#include <string>
#include <vector>

namespace cax::fuzz {

/// Bytes under a path that can be opened as often as one likes, gone with this object.
class MemoryFile {
public:
    explicit MemoryFile(Bytes bytes);
    ~MemoryFile();
    MemoryFile(MemoryFile const&) = delete;
    MemoryFile& operator=(MemoryFile const&) = delete;
    [[nodiscard]] std::string path() const;
    [[nodiscard]] std::string text() const;
    [[nodiscard]] int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

/// Runs `cax` with these arguments, quietly. Violation if it does not end as every command has to: exit code 0, 1 or 2,
/// and with 2 one readable line on standard error, else nothing there.
int run_cax(std::vector<std::string> arguments);

/// How it is called: inside this process (call_inside.cpp, where libFuzzer has to see what is executed) or as the
/// binary that users have (call_binary.cpp). `argv` ends with a null; the streams go to the descriptors. The exit code;
/// above 128 for a signal.
int call_cax(std::vector<char*> const& argv, int out, int err);

} // namespace cax::fuzz
