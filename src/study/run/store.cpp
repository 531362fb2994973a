#include "cax/study/store.hpp"

#include "cax/core/printable.hpp"
#include "run/statement.hpp"
#include "run/store_schema.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace cax::study {

Result<Shard> shard_of(std::string_view text) {
    Shard shard;
    char const* const end = text.data() + text.size();
    auto const first = std::from_chars(text.data(), end, shard.index);
    bool valid = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    if (valid) {
        auto const second = std::from_chars(first.ptr + 1, end, shard.count);
        valid = second.ec == std::errc() && second.ptr == end && shard.index < shard.count && shard.count <= 1'000'000;
    }
    if (valid) return shard;
    return Error{ErrorCode::invalid_value,
                 fmt::format("shard: '{}' is not i/n with i from 0 to n - 1, such as 0/5", printable(text))};
}

void Store::Close::operator()(sqlite3* database) const { sqlite3_close(database); }
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Error Store::failure(std::string_view doing) const {
    int const code = database_ ? sqlite3_errcode(database_.get()) : SQLITE_NOMEM;
    std::string const where = path_.string();
    switch (code) {
    case SQLITE_FULL:
        return {ErrorCode::write_failed,
                fmt::format("{}: the disk is full while {}; every finished cell is kept: make room and run it again",
                            where, doing)};
    case SQLITE_READONLY:
    case SQLITE_PERM: return {ErrorCode::write_failed, fmt::format("{}: cannot be written while {}", where, doing)};
    case SQLITE_CANTOPEN:
        return {ErrorCode::file_not_found, fmt::format("{}: cannot be opened while {}", where, doing)};
    case SQLITE_NOTADB: return {ErrorCode::file_malformed, fmt::format("{}: is not an SQLite file", where)};
    case SQLITE_CORRUPT:
        return {ErrorCode::file_malformed, fmt::format("{}: the SQLite file is damaged, found while {}", where, doing)};
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return {ErrorCode::write_failed,
                fmt::format("{}: another process held the file for a minute while {}", where, doing)};
    case SQLITE_IOERR:
        return {ErrorCode::write_failed,
                fmt::format("{}: reading or writing failed ({}) while {}; every finished cell is kept", where,
                            sqlite3_errmsg(database_.get()), doing)};
    default:
        return {ErrorCode::file_malformed,
                fmt::format("{}: {} while {}", where, database_ ? sqlite3_errmsg(database_.get()) : "out of memory",
                            doing)};
    }
}

Result<void> Store::execute(char const* sql) const {
    if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
    return failure("preparing the store");
}

Result<void> Store::connect(int flags) {
    sqlite3* raw = nullptr;
    int const code = sqlite3_open_v2(path_.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    database_.reset(raw);
    if (code != SQLITE_OK) return failure("opening it");
    sqlite3_busy_timeout(raw, 60'000);
    return {};
}

Result<void> Store::connect_at_rest() {
    std::string uri = "file:";
    for (char const c : std::filesystem::absolute(path_).string()) {
        bool const special = c == '%' || c == '?' || c == '#';
        uri +=
            special ? fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c))) : std::string(1, c);
    }
    sqlite3* raw = nullptr;
    int const flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    int const code = sqlite3_open_v2((uri + "?immutable=1").c_str(), &raw, flags, nullptr);
    database_.reset(raw);
    if (code != SQLITE_OK) return failure("opening it");
    return {};
}

Result<void> Store::write_ahead() const {
    constexpr int patience = 6000; // of 10 ms: for the switch SQLite does not wait by itself
    for (int tries = 0; tries < patience; ++tries) {
        // NORMAL: a killed process loses nothing; a power cut may lose the last decisions, never the file.
        auto set = execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
        if (set || sqlite3_errcode(database_.get()) != SQLITE_BUSY) return set;
        sqlite3_sleep(10);
    }
    return failure("preparing the store");
}

Result<bool> Store::is_new() const {
    Statement count(database_.get(), "SELECT count(*) FROM sqlite_master");
    if (count.step() != SQLITE_ROW) return failure("reading it");
    return count.number(0) == 0;
}

Result<void> Store::create(StoreHeader const& header) {
    if (auto made = execute(store_schema); !made) return made;
    Statement meta(database_.get(), "INSERT INTO meta VALUES (?, ?)");
    std::string const shard = fmt::format("{}/{}", header.shard.index, header.shard.count);
    std::pair<std::string_view, std::string_view> const entries[] = {
        {"schema", store_schema_name}, {"version", header.version}, {"settings", header.settings}, {"shard", shard}};
    for (auto const& [key, value] : entries) {
        if (meta.bind(1, key).bind(2, value).step() != SQLITE_DONE) return failure("writing its head");
        meta.reset();
    }
    Statement policy(database_.get(), "INSERT INTO policies VALUES (?, ?, ?, ?, ?)");
    for (PolicyEntry const& p : header.policies) {
        policy.bind(1, p.problem).bind(2, static_cast<std::int64_t>(p.seed)).bind(3, p.name);
        if (policy.bind(4, p.sha256).bind(5, p.size).step() != SQLITE_DONE) return failure("writing its head");
        policy.reset();
    }
    return {};
}

Result<void> Store::read_header() {
    Statement meta(database_.get(), "SELECT key, value FROM meta");
    if (!meta.ok() && sqlite3_errcode(database_.get()) != SQLITE_ERROR) return failure("reading its head");
    std::string schema;
    std::string shard = "0/1";
    while (meta.step() == SQLITE_ROW) {
        std::string const key = meta.text(0);
        if (key == "schema") schema = meta.text(1);
        if (key == "version") header_.version = meta.text(1);
        if (key == "settings") header_.settings = meta.text(1);
        if (key == "shard") shard = meta.text(1);
    }
    if (schema != store_schema_name) {
        return Error{ErrorCode::mismatch,
                     fmt::format("{}: is not the store of a study ({}{})", path_.string(),
                                 schema.empty() ? "no " : printable(schema) + " instead of ", store_schema_name)};
    }
    auto const parsed = shard_of(shard);
    if (!parsed) return parsed.error().within(path_.string());
    header_.shard = *parsed;
    header_.policies.clear();
    Statement policies(database_.get(),
                       "SELECT problem, seed, name, sha256, size FROM policies ORDER BY problem, seed");
    int code = SQLITE_ROW;
    while ((code = policies.step()) == SQLITE_ROW) {
        header_.policies.push_back({policies.text(0), static_cast<std::size_t>(policies.number(1)), policies.text(2),
                                    policies.text(3), policies.text(4)});
    }
    if (code != SQLITE_DONE) return failure("reading its policies");
    return {};
}

Result<Store> Store::open(std::filesystem::path const& path, StoreHeader const& header) {
    Store store(path);
    if (auto opened = store.connect(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE); !opened) return opened.error();
    if (sqlite3_db_readonly(store.database_.get(), "main") == 1) {
        return Error{ErrorCode::write_failed, fmt::format("{}: cannot be written", path.string())};
    }
    auto const fresh = store.is_new();
    if (!fresh) return fresh.error();
    // Of a file that is not ours nothing is changed, not even its journal.
    auto const known = *fresh ? Result<void>() : store.read_header();
    if (!known) return known.error();
    if (auto set = store.write_ahead(); !set) return set.error();
    // Whoever gets the lock first writes the head; the others then find it.
    if (auto begun = store.execute("BEGIN IMMEDIATE"); !begun) return begun.error();
    auto const still_new = store.is_new();
    if (!still_new) return still_new.error();
    auto const made = *still_new ? store.create(header) : Result<void>();
    if (!made) return made.error();
    if (auto done = store.execute("COMMIT"); !done) return done.error();
    if (auto read = store.read_header(); !read) return read.error();
    if (auto const why = difference(store.header_, header)) {
        return Error{ErrorCode::mismatch,
                     fmt::format("{}: holds another study: {}; choose another --db", path.string(), *why)};
    }
    if (store.header_.shard != header.shard) {
        return Error{ErrorCode::mismatch,
                     fmt::format("{}: holds shard {}/{}, not {}/{}; give every shard its own --db", path.string(),
                                 store.header_.shard.index, store.header_.shard.count, header.shard.index,
                                 header.shard.count)};
    }
    return store;
}

Result<Store> Store::open_to_read(std::filesystem::path const& path) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) {
        return Error{ErrorCode::file_not_found, fmt::format("{}: no such file", path.string())};
    }
    Store store(path);
    if (auto opened = store.connect(SQLITE_OPEN_READONLY); !opened) return opened.error();
    auto const read = store.read_header();
    if (read) return store;
    // Write-ahead mode wants a file for shared memory beside the store, which a read-only folder cannot have. Without
    // a log nobody is writing, and the file can be read as it lies there.
    bool const at_rest = !std::filesystem::exists(path.string() + "-wal", ignored);
    if (!at_rest) return read.error();
    Store still(path);
    if (auto opened = still.connect_at_rest(); !opened) return opened.error();
    if (auto again = still.read_header(); !again) return again.error();
    return still;
}

Result<void> Store::insert(std::span<CellRow const> rows) {
    if (sqlite3_exec(database_.get(), "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) != SQLITE_OK) {
        return failure("writing a cell");
    }
    auto const give_up = [&] {
        Error error = failure("writing a cell");
        sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
        return error;
    };
    {
        Statement decision(database_.get(), "INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?, ?) "
                                        "ON CONFLICT (problem, policy, seed, instance, step, stage) DO NOTHING");
        if (!decision.ok()) return give_up();
        for (CellRow const& row : rows) {
            auto const policy = std::ranges::find_if(header_.policies, [&](PolicyEntry const& p) {
                return p.problem == row.key.problem && p.seed == row.key.seed;
            });
            if (policy == header_.policies.end()) {
                sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
                return Error{ErrorCode::mismatch,
                             fmt::format("{}: a cell is of {} seed {}, which has no policy", path_.string(),
                                         printable(row.key.problem), row.key.seed)};
            }
            decision.bind(1, row.key.problem).bind(2, policy->sha256).bind(3, static_cast<std::int64_t>(row.key.seed));
            decision.bind(4, static_cast<std::int64_t>(row.key.instance)).bind(5, std::int64_t{row.key.step});
            if (decision.bind(6, row.key.stage).bind(7, row.result).step() != SQLITE_DONE) return give_up();
            decision.reset();
        }
    }
    if (sqlite3_exec(database_.get(), "COMMIT", nullptr, nullptr, nullptr) != SQLITE_OK) return give_up();
    return {};
}

Result<void> Store::copy_to(std::filesystem::path const& path) const {
    std::string const target = path.string();
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) {
        return Error{ErrorCode::write_failed, fmt::format("{}: is there already; copy into a new file", target)};
    }
    Statement copy(database_.get(), "VACUUM INTO ?");
    if (copy.bind(1, target).step() != SQLITE_DONE) return failure("copying it to " + target);
    return {};
}

Result<void> Store::settle() {
    int const code = sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
    if (code != SQLITE_OK) return failure("moving its log into it");
    return {};
}

void Store::limit_pages(std::size_t pages) {
    std::string const sql = fmt::format("PRAGMA max_page_count = {}", pages);
    sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr);
}

} // namespace cax::study
