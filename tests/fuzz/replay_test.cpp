// Every target without libFuzzer, in every build: first what is kept in tests/data/fuzz (each input there once broke
// something), then the seeds, then both damaged, a fixed number of times.
#include "../io/allocation_guard.hpp"
#include "../io/mutator.hpp"
#include "data.hpp"
#include "target.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

namespace cax::fuzz {
namespace {

namespace fs = std::filesystem;

struct Input {
    std::string name;
    std::string bytes;
};

std::vector<Input> kept_inputs(Target const& target) {
    std::vector<Input> inputs;
    fs::path const folder = test::data_path("fuzz") / target.name;
    if (!fs::is_directory(folder)) return inputs;
    for (auto const& entry : fs::directory_iterator(folder)) {
        std::ifstream stream(entry.path(), std::ios::binary);
        inputs.push_back({entry.path().filename().string(), {std::istreambuf_iterator<char>(stream), {}}});
    }
    std::ranges::sort(inputs, {}, &Input::name);
    return inputs;
}

/// How often: programs run inside the target take milliseconds, readers microseconds.
std::uint32_t rounds(Target const& target) {
    constexpr std::array<std::string_view, 4> through_the_binary{"results", "store", "golden", "options"};
    if (std::ranges::find(through_the_binary, target.name) != through_the_binary.end()) return 300;
    if (target.name == "live_session") return 500; // each asks a policy
    return target.name == "certify" ? 1500 : 4000;
}

class Fuzz : public testing::TestWithParam<Target> {
protected:
    static void run(Input const& input) {
        try {
            test::AllocationGuard const guard;
            set_current_input(bytes_of(input.bytes));
            GetParam().run(bytes_of(input.bytes));
        } catch (std::exception const& finding) {
            std::string const kept = "fuzz-" + std::string(GetParam().name) + "-" + input.name;
            std::ofstream(fs::temp_directory_path() / kept, std::ios::binary) << input.bytes;
            FAIL() << finding.what() << "\nthe input is in " << fs::temp_directory_path() / kept;
        }
    }
};

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, testing::ValuesIn(all_targets().begin(), all_targets().end()),
                         [](auto const& chosen) { return std::string(chosen.param.name); });

TEST_P(Fuzz, SurvivesWhatIsKeptAndDamageToIt) {
    std::vector<Input> inputs = kept_inputs(GetParam());
    for (std::string& seed : GetParam().seeds()) {
        inputs.push_back({"seed-" + std::to_string(inputs.size()), std::move(seed)});
    }
    for (Input const& input : inputs) {
        run(input);
        if (HasFatalFailure()) return;
    }
    for (std::uint32_t round = 0; round < rounds(GetParam()); ++round) {
        test::Mutator mutator(20, round);
        Input const& one = inputs[mutator.below(inputs.size())];
        Input const& other = inputs[mutator.below(inputs.size())];
        run({"round-" + std::to_string(round), mutator.bytes(one.bytes, other.bytes)});
        if (HasFatalFailure()) return;
    }
}

} // namespace
} // namespace cax::fuzz
