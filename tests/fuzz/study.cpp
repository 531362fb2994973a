// What a study reads: its settings, and the decisions that an earlier run, or somebody else, has put into a store.
#include "samples.hpp"
#include "targets.hpp"

#include "cax/core/json.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/registry.hpp"
#include "cax/study/runner.hpp"
#include "cax/study/settings.hpp"
#include "cax/study/store.hpp"
#include "cax/study/tables.hpp"
#include "random_policy.hpp"

#include <filesystem>
#include <optional>
#include <unistd.h>

namespace cax::fuzz {
namespace {

namespace fs = std::filesystem;

study::Settings tiny_settings() {
    study::Settings tiny = study::quick_settings();
    tiny.instances = 1;
    tiny.steps = 1;
    tiny.shots = 4;
    tiny.subset.k_max = 1;
    tiny.search_iterations = 5;
    tiny.certify_work = 100;
    tiny.resamples = 2;
    return tiny;
}

/// A store in memory, with nothing in it; gone with this object.
class CellStore {
public:
    CellStore()
        : path_(fs::path(fs::exists("/dev/shm") ? "/dev/shm" : "/tmp") /
                ("cax-fuzz-cells-" + std::to_string(::getpid()))) {
        remove();
        auto made = study::Store::open(path_, {.version = "1",
                                               .settings = study::to_json(tiny_settings()).dump(),
                                               .policies = {{"op", 0, "op.safetensors", std::string(64, 'a'), "3"}},
                                               .shard = {}});
        require(made.has_value(), made ? "" : made.error().message);
        store_.emplace(std::move(*made));
    }
    ~CellStore() {
        store_.reset();
        remove();
    }
    CellStore(CellStore const&) = delete;
    CellStore& operator=(CellStore const&) = delete;

    study::Store* operator->() { return &*store_; }
    study::Store& operator*() { return *store_; }

private:
    void remove() const {
        for (char const* suffix : {"", "-wal", "-shm"}) fs::remove(path_.string() + suffix);
    }
    fs::path path_;
    std::optional<study::Store> store_;
};

/// All decisions of a small study: of an incomplete one nothing but its size would be read.
std::vector<study::CellRow> const& good_cells() {
    static std::vector<study::CellRow> const decisions = [] {
        CellStore store;
        auto const policy = make_policy(
            test::random_policy("op", {.embed_dim = 4, .layers = 1, .heads = 1, .normalization = "instance"}, 1),
            {.threads = 1});
        study::StudyPolicy const entry{store->header().policies.front(), policy->get(), find_problem("op")};
        auto const ran = study::run(*store, tiny_settings(), std::span(&entry, 1), {.threads = 1});
        require(ran && ran->failed == 0, "no study to begin with");
        return *store->rows();
    }();
    return decisions;
}

} // namespace

void run_settings(Bytes bytes) {
    auto const json = io::parse_json(text_of(bytes));
    if (!json) return expect_readable(json.error());
    auto const settings = study::settings_from_json(*json);
    if (!settings) return expect_readable(settings.error());
    Json const written = study::to_json(*settings);
    auto const again = study::settings_from_json(written);
    require(again && study::to_json(*again) == written, "settings that are written otherwise");
}

std::vector<std::string> settings_seeds() {
    return {dump(study::to_json(study::Settings{})), R"({"sizes": {"op": "5"}, "subset": {"epsilon": 0.1}})"};
}

/// The first byte chooses a decision of a good study; the rest is what it says instead.
void run_cells(Bytes bytes) {
    Dial dial(bytes);
    std::vector<study::CellRow> rows = good_cells();
    rows[dial.below(rows.size())].result = std::string(text_of(dial.rest()));
    CellStore store;
    if (auto const written = store->insert(rows); !written) return expect_readable(written.error());
    auto const tables = study::make_tables(*store, tiny_settings());
    if (!tables) return expect_readable(tables.error());
    (void)dump(study::to_json(*tables));
    auto const relations = store->relations();
    require(relations.has_value(), "no relations");
    for (std::string const& relation : *relations) {
        if (auto const csv = store->csv(relation); !csv) expect_readable(csv.error());
    }
}

std::vector<std::string> cells_seeds() {
    std::vector<std::string> seeds;
    for (auto const& row : good_cells()) seeds.push_back(static_cast<char>(seeds.size()) + row.result);
    return seeds;
}

} // namespace cax::fuzz
