// The text files of Dumas and others: a name after "!!", column titles, then a row per node, the depot first, closed by
// one with the number 999.
#include "../fields.hpp"
#include "../text.hpp"
#include "problem.hpp"

#include "cax/problems/tsptw/instance.hpp"

#include <cmath>
#include <fmt/format.h>

namespace cax::tsptw {
namespace {

constexpr std::string_view end_mark = "999";
constexpr std::size_t columns = 7;

bool is_titles(Line const& line) { return same_word(line.words[0].substr(0, 4), "CUST"); }

bool recognises_dumas(std::string_view text) {
    LineReader lines(text.substr(0, 4096));
    for (auto line = lines.next(); line; line = lines.next()) {
        if (same_word(line->words[0], "VEHICLE")) return false; // Solomon's, with a fleet
        if (is_titles(*line)) return true;
    }
    return false;
}

Result<void> append_row(Line const& line, Data& data) {
    if (line.words.size() != columns) {
        return error_at(line.number,
                        "expected {} columns (number, x, y, demand, ready, due, service), "
                        "found {}",
                        columns, line.words.size());
    }
    std::array<double, columns> v{};
    for (std::size_t c = 0; c < columns; ++c) {
        auto const number = parse_number(line.words[c]);
        if (!number) return error_at(line.number, "{} is not a number", quoted(line.words[c]));
        v[c] = *number;
    }
    if (v[0] != static_cast<double>(data.locs.size() + 1)) {
        return error_at(line.number, "node {} where {} was expected", v[0], data.locs.size() + 1);
    }
    if (v[6] != 0) {
        return Error{ErrorCode::unsupported,
                     fmt::format("line {}: service time {}: only 0 is supported", line.number, v[6])};
    }
    if (data.locs.empty() && v[4] != 0) {
        return error_at(line.number, "the depot opens at {}: the tour leaves at 0", v[4]);
    }
    data.locs.push_back({static_cast<float>(v[1]), static_cast<float>(v[2])});
    data.time_windows.push_back({static_cast<float>(v[4]), static_cast<float>(v[5])});
    data.whole_windows = data.whole_windows && v[4] == std::trunc(v[4]) && v[5] == std::trunc(v[5]);
    return {};
}

Result<InstancePtr> read_dumas(std::string_view text, Options const& options) {
    if (auto ok = check_option_names(options, {}); !ok) return ok.error();
    LineReader lines(text);
    Data data{.whole_windows = true};
    auto line = lines.require("a name or the column titles");
    if (!line) return line.error();
    if (line->words[0] == "!!" && line->words.size() > 1) data.name = line->words[1];
    while (!is_titles(*line)) {
        if (line->text.substr(0, 2) != "!!") {
            return error_at(line->number, "expected the column titles (CUST NO. ...), found " + quoted(line->text));
        }
        line = lines.require("the column titles (CUST NO. ...)");
        if (!line) return line.error();
    }
    while (auto const row = lines.next()) {
        if (row->words[0] == end_mark) break;
        if (auto ok = append_row(*row, data); !ok) return ok.error();
        if (data.locs.size() > routing::max_nodes) {
            return error_at(row->number, "more than {} nodes", routing::max_nodes);
        }
    }
    return Instance::make_any(data);
}

Result<std::string> write_dumas(cax::Instance const& any) {
    auto const* instance = dynamic_cast<Instance const*>(&any);
    if (instance == nullptr) return Error{ErrorCode::mismatch, "not a tsptw instance"};
    Data const& data = instance->data();
    if (data.time_windows[0].open != 0) {
        return Error{ErrorCode::unsupported,
                     fmt::format("depot: the window opens at {}, the format asks for 0", data.time_windows[0].open)};
    }
    std::string text = fmt::format("!! {}\n\n", one_line(data.name));
    text += "CUST NO.     XCOORD.     YCOORD.      DEMAND  READY TIME    DUE DATE SERVICE TIME\n\n";
    for (std::size_t i = 0; i < instance->nodes(); ++i) {
        text += fmt::format("{:>8} {:>11} {:>11} {:>11} {:>11} {:>11} {:>12}\n", i + 1, data.locs[i].x, data.locs[i].y,
                            0, data.time_windows[i].open, data.time_windows[i].close, 0);
    }
    return text + fmt::format("{:>8} {:>11} {:>11} {:>11} {:>11} {:>11} {:>12}\n", end_mark, 0, 0, 0, 0, 0, 0);
}

} // namespace

std::span<TextFormat const> text_formats() {
    static constexpr std::array<TextFormat, 1> formats{{{"dumas", ".txt", recognises_dumas, read_dumas, write_dumas}}};
    return formats;
}

} // namespace cax::tsptw
