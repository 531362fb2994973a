#pragma once
// Where a study keeps its decisions: one SQLite file, in write-ahead mode, that anyone can read with any SQLite tool
// (docs/study.md describes its tables and views). A decision is a row, so it is whole or absent; a study killed at any
// moment finds in here what it need not do again. A store belongs to one version, one set of policies and one set of
// settings, and refuses everything else.
#include "cax/core/json_fwd.hpp"
#include "cax/core/result.hpp"

#include <compare>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;

namespace cax::study {

/// A policy of the study. Several policies of one problem are told apart by their seed.
struct PolicyEntry {
    std::string problem;
    std::size_t seed = 0;
    std::string name; ///< of the file, without folders
    std::string sha256;
    std::string size; ///< of the instances it is asked about
    auto operator<=>(PolicyEntry const&) const = default;
};

/// Which share of the instances a process works on.
struct Shard {
    std::size_t index = 0; ///< below count
    std::size_t count = 1;
    auto operator<=>(Shard const&) const = default;
};
/// "0/5" is the first of five. Error names the text.
[[nodiscard]] Result<Shard> shard_of(std::string_view text);

/// What everything in a store has in common.
struct StoreHeader {
    std::string version;  ///< of cax
    std::string settings; ///< JSON text
    std::vector<PolicyEntry> policies;
    Shard shard;
    bool operator==(StoreHeader const&) const = default;
};

/// Why these two cannot share decisions, naming what differs, or nothing. Shards may differ.
[[nodiscard]] std::optional<std::string> difference(StoreHeader const& store, StoreHeader const& now);

constexpr int whole_instance = -1; ///< the step of decisions that speak of an instance and not of one decision

struct CellKey {
    std::string problem;
    std::size_t seed = 0; ///< of the policy
    std::size_t instance = 0;
    int step = 0;
    std::string stage;
    auto operator<=>(CellKey const&) const = default;
};

struct CellRow {
    CellKey key;
    std::string result; ///< JSON text
};

class Store {
public:
    /// Opens the file, or makes it. Error if it holds another study (the message says what differs), is no study, or
    /// cannot be written.
    [[nodiscard]] static Result<Store> open(std::filesystem::path const& path, StoreHeader const& header);
    /// An existing store, to be read. Nothing is written.
    [[nodiscard]] static Result<Store> open_to_read(std::filesystem::path const& path);

    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    [[nodiscard]] StoreHeader const& header() const { return header_; }

    /// Writes all of them or none, in one transaction. A decision that is there already stays as it is: two processes may
    /// compute the same one, and both get the same result. May be called by one thread at a time.
    [[nodiscard]] Result<void> insert(std::span<CellRow const> rows);
    /// A copy of what is there now, in a new file, whoever writes meanwhile.
    [[nodiscard]] Result<void> copy_to(std::filesystem::path const& path) const;
    /// Moves the write-ahead log into the file, which is then all there is. For a store that nobody else has open.
    [[nodiscard]] Result<void> settle();
    /// Which decisions of one instance are there.
    [[nodiscard]] Result<std::set<std::pair<std::string, int>>> present(std::string const& problem, std::size_t seed,
                                                                        std::size_t instance) const;
    /// All decisions of a stage (or of all stages, if empty) in the order of their keys.
    [[nodiscard]] Result<std::vector<CellRow>> rows(std::string_view stage = {}) const;
    /// Number of decisions.
    [[nodiscard]] Result<std::size_t> size() const;

    /// The names of tables and views that hold results (small letters and _ only, so that they can name files), and one
    /// of them as CSV (RFC 4180).
    [[nodiscard]] Result<std::vector<std::string>> relations() const;
    [[nodiscard]] Result<std::string> csv(std::string const& relation) const;

    /// For tests: the file may not grow beyond this many pages.
    void limit_pages(std::size_t pages);

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    explicit Store(std::filesystem::path path) : path_(std::move(path)) {}

    [[nodiscard]] Result<void> connect(int flags);
    [[nodiscard]] Result<void> connect_at_rest();
    [[nodiscard]] Result<void> execute(char const* sql) const;
    /// Write-ahead mode, which needs the file for itself for a moment.
    [[nodiscard]] Result<void> write_ahead() const;
    [[nodiscard]] Result<bool> is_new() const;
    [[nodiscard]] Result<void> create(StoreHeader const& header);
    [[nodiscard]] Result<void> read_header();
    [[nodiscard]] Error failure(std::string_view doing) const;

    friend class Statement;
    std::filesystem::path path_;
    std::unique_ptr<sqlite3, Close> database_;
    StoreHeader header_;
};

} // namespace cax::study
