// One target as a libFuzzer program; the build says which. With --seeds=DIR it writes the target's seeds there and
// stops.
#include "targets.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

void write_seeds(std::filesystem::path const& folder) {
    std::filesystem::create_directories(folder);
    auto const seeds = cax::fuzz::CAX_FUZZ_SEEDS();
    for (std::size_t i = 0; i < seeds.size(); ++i) {
        std::ofstream(folder / ("seed-" + std::to_string(i)), std::ios::binary) << seeds[i];
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    constexpr std::string_view option = "--seeds=";
    for (int i = 1; i < *argc; ++i) {
        std::string_view const argument = (*argv)[i];
        if (!argument.starts_with(option)) continue;
        write_seeds(argument.substr(option.size()));
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    cax::fuzz::Bytes const bytes{reinterpret_cast<std::byte const*>(data), size};
    try {
        cax::fuzz::set_current_input(bytes);
        cax::fuzz::CAX_FUZZ_RUN(bytes);
    } catch (cax::fuzz::Violation const& violation) {
        std::fprintf(stderr, "finding: %s\n", violation.what());
        std::abort();
    }
    return 0;
}
