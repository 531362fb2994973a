#include "cax/app/reference.hpp"

#include "cax/core/json.hpp"
#include "cax/core/sha256.hpp"
#include "cax/io/files.hpp"
#include "cax/records/reference.hpp"

#include <cstdlib>

namespace cax::app {
namespace {

namespace fs = std::filesystem;

/// Empty if there is nowhere to keep anything.
fs::path cache_folder() {
    if (char const* const own = std::getenv("CAX_CACHE")) return own;
    if (char const* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != 0) {
        return fs::path(cache) / "cax";
    }
    if (char const* const home = std::getenv("HOME"); home != nullptr && *home != 0) {
        return fs::path(home) / ".cache" / "cax";
    }
    return {};
}

/// Null unless the file holds exactly this table.
std::shared_ptr<ReferenceTable const> kept(fs::path const& path, ReferenceIdentity const& wanted) {
    std::error_code ignored;
    if (path.empty() || !fs::is_regular_file(path, ignored)) return nullptr;
    auto const text = io::read_text(path);
    if (!text) return nullptr;
    Json const json = Json::parse(*text, nullptr, false);
    auto table = records::read_reference(json);
    if (!table || table->identity != wanted) return nullptr;
    return std::make_shared<ReferenceTable const>(*std::move(table));
}

/// Null if no decisions are wanted, or the problem cannot be measured.
Result<std::shared_ptr<ReferenceTable const>> reference_table(LoadedPolicy const& policy, Policy const& asked,
                                                              ReferenceOptions const& options) {
    if (options.decisions == 0) return std::shared_ptr<ReferenceTable const>();
    ReferenceIdentity const wanted = identity_of(*policy.problem, asked, options);
    fs::path path;
    if (!policy.sha256.empty()) {
        if (auto table = kept(fs::path(policy.path).replace_extension(".reference.json"), wanted)) return table;
        if (fs::path const folder = cache_folder(); !folder.empty()) {
            path = folder / ("reference-" + sha256_hex(wanted.text()).substr(0, 24) + ".json");
            if (auto table = kept(path, wanted)) return table;
        }
    }
    auto made = sensitivity_reference(*policy.problem, asked, options);
    if (!made && made.error().code == ErrorCode::unsupported) return std::shared_ptr<ReferenceTable const>();
    if (!made) return made.error();
    auto table = std::make_shared<ReferenceTable const>(*std::move(made));
    std::error_code failed;
    if (!path.empty()) fs::create_directories(path.parent_path(), failed);
    if (!path.empty() && !failed) {
        [[maybe_unused]] auto const written = io::write_text(path, records::reference_json(*table).dump() + "\n");
    }
    return table;
}

} // namespace

Result<void> add_reference(ExplainOptions& options, std::uint64_t decisions, StateOptions const& state,
                           LoadedPolicy const& policy, Policy const& asked, Progress const& progress) {
    if (!options.parts.has<parts::Sensitivity>()) return {};
    ReferenceOptions reference;
    reference.policy_sha256 = policy.sha256;
    reference.decisions = decisions;
    reference.sensitivity = options.of<parts::Sensitivity>().sampling;
    reference.state = state;
    reference.threads = options.threads;
    reference.progress = progress;
    auto table = reference_table(policy, asked, reference);
    if (!table) return table.error();
    options.of<parts::Sensitivity>().reference = *std::move(table);
    return {};
}

} // namespace cax::app
