// Solomon's text format of instances with time windows.

#include "../errors.hpp"
#include "../fields.hpp"
#include "../routing/fleet/fleet.hpp"
#include "../text.hpp"
#include "problem.hpp"

#include "cax/problems/cvrptw/instance.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace cax::cvrptw {
namespace {

bool is_title(Line const& line, std::string_view title) {
    return line.words.size() == 1 && same_word(line.words[0], title);
}

bool recognises_solomon(std::string_view text) {
    LineReader lines(text.substr(0, 4096));
    auto line = lines.next();
    if (line && !is_title(*line, "VEHICLE")) line = lines.next();
    return line && is_title(*line, "VEHICLE");
}

/// All words of the line as numbers; there must be `count`.
Result<std::vector<double>> numbers_of(Line const& line, std::size_t count, std::string_view expected) {
    if (line.words.size() != count) {
        return error_at(line.number, "expected {}, found {} columns", expected, line.words.size());
    }
    std::vector<double> numbers;
    for (std::string_view const word : line.words) {
        auto const number = parse_number(word);
        if (!number) return error_at(line.number, "{} is not a number", quoted(word));
        numbers.push_back(*number);
    }
    return numbers;
}

/// The next line, if it is what is expected.
Result<Line> require_line(LineReader& lines, std::string_view expected, bool (*is_it)(Line const&)) {
    auto line = lines.require(expected);
    if (line && !is_it(*line)) return error_at(line->number, "expected {}, found {}", expected, quoted(line->text));
    return line;
}

/// Everything before the rows: name, fleet, capacity.
Result<Data> read_head(LineReader& lines) {
    Data data{.integral_windows = true};
    auto line = lines.require("a name");
    if (line && !is_title(*line, "VEHICLE")) {
        data.name = line->text;
        line = require_line(lines, "VEHICLE", [](Line const& next) { return is_title(next, "VEHICLE"); });
    }
    if (!line) return line.error();
    auto const header = require_line(lines, "NUMBER CAPACITY", [](Line const& next) {
        return next.words.size() == 2 && same_word(next.words[0], "NUMBER");
    });
    if (!header) return header.error();
    auto const fleet = lines.require("number and capacity of the vehicles");
    if (!fleet) return fleet.error();
    auto const numbers = numbers_of(*fleet, 2, "number and capacity of the vehicles");
    if (!numbers) return numbers.error();
    if (!((*numbers)[1] > 0)) {
        return error_at(fleet->number, "capacity is {}: expected a positive number", (*numbers)[1]);
    }
    data.capacity = static_cast<float>((*numbers)[1]);
    auto const customers = require_line(lines, "CUSTOMER", [](Line const& next) { return is_title(next, "CUSTOMER"); });
    if (!customers) return customers.error();
    auto const titles = lines.require("the column titles");
    if (!titles) return titles.error();
    if (!same_word(titles->words[0].substr(0, 4), "CUST")) {
        return error_at(titles->number, "expected the column titles (CUST NO. ...), found " + quoted(titles->text));
    }
    return data;
}

Result<void> append_row(Line const& line, Data& data) {
    auto const row = numbers_of(line, 7, "7 columns (id, x, y, demand, ready, due, service)");
    if (!row) return row.error();
    auto const& v = *row;
    if (v[0] != static_cast<double>(data.locs.size())) {
        return error_at(line.number, "node {} where {} was expected", v[0], data.locs.size());
    }
    if (data.locs.empty() && v[3] != 0) return error_at(line.number, "the depot has demand {}", v[3]);
    if (data.locs.empty() && v[4] != 0) {
        return error_at(line.number, "the depot opens at {}: vehicles leave at 0", v[4]);
    }
    if (!data.locs.empty()) data.demand.push_back(static_cast<float>(v[3] / double{data.capacity}));
    data.locs.push_back({static_cast<float>(v[1]), static_cast<float>(v[2])});
    data.time_windows.push_back({static_cast<float>(v[4]), static_cast<float>(v[5])});
    data.durations.push_back(static_cast<float>(v[6]));
    data.integral_windows = data.integral_windows && v[4] == std::trunc(v[4]) && v[5] == std::trunc(v[5]);
    return {};
}

Result<InstancePtr> read_solomon(std::string_view text, Options const& options) {
    if (auto ok = check_option_names(options, {}); !ok) return ok.error();
    LineReader lines(text);
    auto data = read_head(lines);
    if (!data) return data.error();
    while (auto const line = lines.next()) {
        if (auto ok = append_row(*line, *data); !ok) return ok.error();
        if (data->locs.size() > max_nodes) return error_at(line->number, "more than {} nodes", max_nodes);
    }
    if (data->locs.empty()) return error_at(lines.line_number(), "the file ends before the depot's row");
    return Instance::make_any(*std::move(data));
}

Result<std::string> write_solomon(cax::Instance const& any) {
    auto const* instance = dynamic_cast<Instance const*>(&any);
    if (instance == nullptr) return Error{ErrorCode::mismatch, "not a cvrptw instance"};
    Data const& data = instance->data();
    if (data.time_windows[0].open != 0) {
        return unsupported("depot: the window opens at {}, the format asks for 0", data.time_windows[0].open);
    }
    // The fleet is unlimited: as many vehicles as customers.
    std::string text = fmt::format("{}\n\nVEHICLE\nNUMBER     CAPACITY\n{:>6} {:>12}\n\nCUSTOMER\n",
                                   one_line(data.name), instance->customers(), data.capacity);
    text += "CUST NO.     XCOORD.     YCOORD.      DEMAND  READY TIME    DUE DATE SERVICE TIME\n\n";
    for (std::size_t i = 0; i < instance->nodes(); ++i) {
        double const units = i == 0 ? 0.0 : routing::demand_in_units(data, i);
        text += fmt::format("{:>8} {:>11} {:>11} {:>11} {:>11} {:>11} {:>12}\n", i, data.locs[i].x, data.locs[i].y,
                            units, data.time_windows[i].open, data.time_windows[i].close, data.durations[i]);
    }
    return text;
}

} // namespace

std::span<TextFormat const> text_formats() {
    static constexpr std::array<TextFormat, 1> formats{
        {{"solomon", ".txt", recognises_solomon, read_solomon, write_solomon}}};
    return formats;
}

} // namespace cax::cvrptw
