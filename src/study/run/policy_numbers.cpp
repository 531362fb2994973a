#include "cax/study/runner.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <set>

namespace cax::study {
namespace {

/// The number at the end of "op-20-s1.safetensors", by which policies of one problem are told apart.
std::optional<std::size_t> seed_in_name(std::string const& name) {
    std::string const stem = std::filesystem::path(name).stem().string();
    auto const mark = stem.rfind("-s");
    if (mark == std::string::npos) return std::nullopt;
    std::size_t seed = 0;
    auto const read = std::from_chars(stem.data() + mark + 2, stem.data() + stem.size(), seed);
    if (read.ec != std::errc() || read.ptr != stem.data() + stem.size() || seed > 1'000'000) return std::nullopt;
    return seed;
}

} // namespace

void number_policies(std::vector<StudyPolicy>& policies) {
    std::set<std::pair<std::string, std::size_t>> taken;
    bool distinct = true;
    for (StudyPolicy& policy : policies) {
        auto const seed = seed_in_name(policy.entry.name);
        distinct = distinct && seed && taken.emplace(policy.entry.problem, *seed).second;
        policy.entry.seed = seed.value_or(0);
    }
    if (distinct) return;
    std::map<std::string, std::size_t> next;
    for (StudyPolicy& policy : policies) policy.entry.seed = next[policy.entry.problem]++;
}

} // namespace cax::study
