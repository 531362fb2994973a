#pragma once
// The decisions of a table by the names of its columns: for whoever shows tables and computes nothing.
#include "cax/study/tables.hpp"

#include <algorithm>
#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cax::study {

/// Rows of a table by column name.
class Columns {
public:
    explicit Columns(Table const& table) : table_(table) {}
    [[nodiscard]] std::size_t rows() const { return table_.rows.size(); }
    [[nodiscard]] std::string text(std::size_t row, std::string_view column) const {
        auto const* const words = std::get_if<std::string>(&at(row, column));
        return words == nullptr ? "" : *words;
    }
    [[nodiscard]] std::optional<double> number(std::size_t row, std::string_view column) const {
        Value const& value = at(row, column);
        if (auto const* real = std::get_if<double>(&value)) return *real;
        if (auto const* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
        return std::nullopt;
    }
    /// Distinct words of a column, in order.
    [[nodiscard]] std::vector<std::string> distinct(std::string_view column) const {
        std::vector<std::string> found;
        for (std::size_t row = 0; row < rows(); ++row) {
            std::string word = text(row, column);
            if (std::ranges::find(found, word) == found.end()) found.push_back(std::move(word));
        }
        return found;
    }

private:
    [[nodiscard]] Value const& at(std::size_t row, std::string_view column) const {
        auto const place = std::ranges::find(table_.columns, column);
        assert(place != table_.columns.end());
        return table_.rows[row][static_cast<std::size_t>(place - table_.columns.begin())];
    }
    Table const& table_;
};

} // namespace cax::study
