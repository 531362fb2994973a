#include "cax/study/plan.hpp"
#include "cax/study/runner.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::study {
namespace {

Result<void> check_shards(std::span<Store const* const> shards) {
    StoreHeader const& first = shards.front()->header();
    std::vector<std::size_t> seen(first.shard.count);
    for (Store const* const store : shards) {
        StoreHeader const& header = store->header();
        if (auto const why = difference(header, first)) {
            return Error{ErrorCode::mismatch, fmt::format("shard {}/{} is of another study: {}", header.shard.index,
                                                          header.shard.count, *why)};
        }
        if (header.shard.count != first.shard.count) {
            return Error{ErrorCode::mismatch, fmt::format("shards of {} and of {} parts do not belong together",
                                                          first.shard.count, header.shard.count)};
        }
        if (seen[header.shard.index]++ > 0) {
            return Error{ErrorCode::mismatch,
                         fmt::format("shard {}/{} is there twice", header.shard.index, header.shard.count)};
        }
    }
    auto const absent = std::ranges::find(seen, 0U);
    if (absent == seen.end()) return {};
    return Error{ErrorCode::mismatch, fmt::format("shard {}/{} is missing", absent - seen.begin(), seen.size())};
}

} // namespace

Result<void> merge(std::span<Store const* const> shards, Settings const& settings, Store& into) {
    if (shards.empty()) return Error{ErrorCode::invalid_value, "there are no shards to merge"};
    if (auto checked = check_shards(shards); !checked) return checked;
    for (Store const* const store : shards) {
        auto const status = status_of(*store, settings);
        if (!status) return status.error();
        Shard const& shard = store->header().shard;
        if (std::size_t const missing = missing_cells(*status); missing > 0) {
            return Error{ErrorCode::mismatch,
                         fmt::format("shard {}/{} lacks {} cells: finish it first", shard.index, shard.count, missing)};
        }
        auto const rows = store->rows();
        if (!rows) return rows.error();
        auto const before = into.size();
        if (!before) return before.error();
        if (auto written = into.insert(*rows); !written) return written;
        auto const after = into.size();
        if (!after) return after.error();
        if (*after != *before + rows->size()) {
            return Error{ErrorCode::mismatch, fmt::format("shard {}/{} has {} cells that are there already",
                                                          shard.index, shard.count, *before + rows->size() - *after)};
        }
    }
    return into.settle();
}

Result<void> merge_files(std::span<std::string const> shards, std::filesystem::path const& into) {
    std::vector<Store> stores;
    for (std::string const& path : shards) {
        auto store = Store::open_to_read(path);
        if (!store) return store.error();
        stores.push_back(std::move(*store));
    }
    if (stores.empty()) return Error{ErrorCode::invalid_value, "there are no shards to merge"};
    std::error_code ignored;
    if (std::filesystem::exists(into, ignored)) {
        return Error{ErrorCode::write_failed,
                     fmt::format("{}: is there already; merge into a new file", into.string())};
    }
    auto const settings = settings_of(stores.front());
    if (!settings) return settings.error().within(shards.front());
    // Into a file beside it first: a merge that is refused leaves nothing.
    std::string const unfinished = into.string() + ".unfinished";
    auto const remove_unfinished = [&] {
        for (char const* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(unfinished + suffix, ignored);
    };
    remove_unfinished();
    Result<void> merged;
    {
        StoreHeader header = stores.front().header();
        header.shard = {};
        auto joined = Store::open(unfinished, header);
        if (!joined) return joined.error();
        std::vector<Store const*> parts;
        for (Store const& store : stores) parts.push_back(&store);
        merged = merge(parts, *settings, *joined);
    }
    if (!merged) {
        remove_unfinished();
        return merged;
    }
    std::error_code failed;
    std::filesystem::rename(unfinished, into, failed);
    if (failed) return Error{ErrorCode::write_failed, fmt::format("{}: {}", into.string(), failed.message())};
    return {};
}

} // namespace cax::study
