#include "command_line.hpp"

#include <cstdio>
#include <unistd.h>

/// src/cli/main.cpp's main(), renamed by the build.
int cax_main(int argc, char** argv);

namespace cax::fuzz {
namespace {

/// Sends a standard stream elsewhere and back again.
class Diversion {
public:
    Diversion(std::FILE* stream, int to) : stream_(stream), kept_(::dup(::fileno(stream))) {
        std::fflush(stream_);
        ::dup2(to, ::fileno(stream_));
    }
    ~Diversion() {
        std::fflush(stream_);
        ::dup2(kept_, ::fileno(stream_));
        ::close(kept_);
    }
    Diversion(Diversion const&) = delete;
    Diversion& operator=(Diversion const&) = delete;

private:
    std::FILE* stream_;
    int kept_;
};

} // namespace

int call_cax(std::vector<char*> const& argv, int out, int err) {
    Diversion const quiet(stdout, out);
    Diversion const caught(stderr, err);
    std::vector<char*> own = argv;
    return cax_main(static_cast<int>(own.size() - 1), own.data());
}

} // namespace cax::fuzz
