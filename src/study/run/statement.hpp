#pragma once
// One prepared SQL statement: bind by position, step through rows, read columns. The only code that talks to SQLite's
// statement functions.
#include <sqlite3.h>

#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>

namespace cax::study {

class Statement {
public:
    /// If the statement cannot be prepared, ok() is false and the database holds the reason.
    Statement(sqlite3* database, std::string_view sql) {
        sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr);
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(Statement const&) = delete;
    Statement& operator=(Statement const&) = delete;

    [[nodiscard]] bool ok() const { return statement_ != nullptr; }

    /// Positions count from 1. The text must live until the next reset().
    Statement& bind(int position, std::string_view text) {
        // A null pointer would bind NULL.
        char const* const bytes = text.data() == nullptr ? "" : text.data();
        sqlite3_bind_text(statement_, position, bytes, static_cast<int>(text.size()), SQLITE_STATIC);
        return *this;
    }
    Statement& bind(int position, std::int64_t value) {
        sqlite3_bind_int64(statement_, position, value);
        return *this;
    }
    /// SQLITE_ROW, SQLITE_DONE, or an error code.
    int step() { return statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_); }
    void reset() {
        sqlite3_reset(statement_);
        sqlite3_clear_bindings(statement_);
    }

    /// Columns count from 0.
    [[nodiscard]] std::string text(int column) const {
        auto const* const bytes = sqlite3_column_blob(statement_, column);
        auto const length = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
        return bytes == nullptr ? std::string() : std::string(static_cast<char const*>(bytes), length);
    }
    [[nodiscard]] std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
    [[nodiscard]] int columns() const { return sqlite3_column_count(statement_); }
    [[nodiscard]] std::string name(int column) const { return sqlite3_column_name(statement_, column); }

private:
    sqlite3_stmt* statement_ = nullptr;
};

} // namespace cax::study
