// How far a study is: one store by its stages, or many shards of one study at once.
#include "common_options.hpp"
#include "must.hpp"
#include "study.hpp"
#include "table.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::cli {
namespace {

/// One store, summed up.
struct StoreStatus {
    std::string path;
    study::StoreHeader header;
    std::vector<study::StageStatus> stages;
    study::StageStatus all = {}; ///< of its stages together
};

StoreStatus status_of_file(std::string const& path) {
    auto const store = must(study::Store::open_to_read(path));
    auto const settings = must(study::settings_of(store), path);
    StoreStatus status{path, store.header(), must(study::status_of(store, settings), path)};
    for (study::StageStatus const& stage : status.stages) {
        status.all.done += stage.done;
        status.all.expected += stage.expected;
        status.all.failed += stage.failed;
    }
    return status;
}

/// Shards that no store is of; error if the stores are not of one study.
std::vector<std::size_t> absent_shards(std::vector<StoreStatus> const& stores) {
    study::StoreHeader const& first = stores.front().header;
    std::vector<std::size_t> seen(first.shard.count);
    for (StoreStatus const& store : stores) {
        auto why = study::difference(store.header, first);
        if (!why && store.header.shard.count != first.shard.count) {
            why = fmt::format("one of {} shards there, of {} in {}", store.header.shard.count, first.shard.count,
                              stores.front().path);
        }
        if (why) fail("{}: of another study: {}", store.path, *why);
        if (++seen[store.header.shard.index] > 1)
            fail("{}: shard {}/{} is there twice", store.path, store.header.shard.index, first.shard.count);
    }
    std::vector<std::size_t> absent;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (seen[i] == 0) absent.push_back(i);
    }
    return absent;
}

std::string stages_text(StoreStatus const& store) {
    Table table({"<problem", "seed", "<stage", "done", "of", "failed"});
    for (study::StageStatus const& s : store.stages) {
        table.add(s.problem, s.seed, s.stage, s.done, s.expected, s.failed);
    }
    return fmt::format("{}: cax {}, {} policies, shard {}/{}\n{}", store.path, store.header.version,
                       store.header.policies.size(), store.header.shard.index, store.header.shard.count, table.text());
}

std::string stores_text(std::vector<StoreStatus> const& stores, std::vector<std::size_t> const& absent) {
    Table table({"<store", "shard", "done", "of", "failed"});
    for (StoreStatus const& store : stores) {
        table.add(store.path, fmt::format("{}/{}", store.header.shard.index, store.header.shard.count), store.all.done,
                  store.all.expected, store.all.failed);
    }
    std::string text = table.text();
    if (!absent.empty()) {
        text += fmt::format("{} of {} shards are not there: {}\n", absent.size(), stores.front().header.shard.count,
                            fmt::join(absent, ", "));
    }
    return text;
}

Json status_json(std::vector<StoreStatus> const& stores, std::vector<std::size_t> const& absent, std::size_t done,
                 std::size_t missing) {
    Json json = app::result_with_head({.kind = "study-status", .command = "study status"}, Json::object());
    json["done"] = done;
    json["missing"] = missing;
    json["absent_shards"] = absent;
    json["stores"] = Json::array();
    for (StoreStatus const& store : stores) {
        Json stages = Json::array();
        for (study::StageStatus const& s : store.stages) {
            stages.push_back({{"problem", s.problem},
                              {"seed", s.seed},
                              {"stage", s.stage},
                              {"done", s.done},
                              {"expected", s.expected},
                              {"failed", s.failed}});
        }
        json["stores"].push_back({{"path", store.path},
                                  {"shard", store.header.shard.index},
                                  {"shards", store.header.shard.count},
                                  {"done", store.all.done},
                                  {"expected", store.all.expected},
                                  {"failed", store.all.failed},
                                  {"stages", std::move(stages)}});
    }
    return json;
}

} // namespace

Outcome show_status(StudyCommand const& options) {
    std::vector<StoreStatus> stores;
    for (std::string const& path : options.shards.empty() ? Texts{options.store()} : options.shards) {
        stores.push_back(status_of_file(path));
    }
    std::vector<std::size_t> const absent = options.shards.empty() ? std::vector<std::size_t>() : absent_shards(stores);
    fmt::print("{}", stores.size() > 1 ? stores_text(stores, absent) : stages_text(stores.front()));
    std::size_t done = 0;
    std::size_t missing = 0;
    for (StoreStatus const& store : stores) {
        done += store.all.done;
        missing += study::missing_cells(store.stages);
    }
    std::string const rest = missing > 0       ? fmt::format("{} missing", missing)
                             : !absent.empty() ? fmt::format("{} shards not begun", absent.size())
                                               : "complete";
    fmt::print("{} cells done, {}\n", done, rest);
    write_json(options.json, status_json(stores, absent, done, missing));
    return missing == 0 && absent.empty() ? Outcome::success : Outcome::answer_is_no;
}

} // namespace cax::cli
