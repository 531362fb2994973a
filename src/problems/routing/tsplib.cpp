#include "tsplib.hpp"

#include "../errors.hpp"
#include "../fields.hpp"
#include "../text.hpp"

#include <array>
#include <fmt/format.h>
#include <set>

namespace cax::routing {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

Error missing_part(std::string_view what) { return {ErrorCode::file_malformed, fmt::format("{} is missing", what)}; }

/// Reads line by line; nodes stay in the order of their numbers until the end.
class TsplibReader {
public:
    explicit TsplibReader(TsplibKind const& kind) : kind_(kind), amounts_{.what = kind.what} {}

    Result<TsplibFile> read(std::string_view text) {
        LineReader lines(text);
        while (auto const line = lines.next()) {
            if (line->text == "EOF") break;
            if (auto ok = read_line(*line); !ok) return ok.error();
        }
        return finish();
    }

private:
    enum class Section { entries, coordinates, amounts, depot };
    /// A section with a row of numbers per node.
    struct Rows {
        std::string_view what;
        std::size_t width = 1;
        std::vector<std::optional<std::array<float, 2>>> by_node{};
    };

    std::optional<Section> section_named(std::string_view title) const {
        if (title == "NODE_COORD_SECTION") return Section::coordinates;
        if (!kind_.section.empty() && title == kind_.section) return Section::amounts;
        if (kind_.depot && title == "DEPOT_SECTION") return Section::depot;
        return std::nullopt;
    }

    Result<void> read_line(Line const& line) {
        std::size_t const colon = line.text.find(':');
        std::string_view const key = trimmed(line.text.substr(0, colon));
        if (auto const next = section_named(key)) {
            if (file_.dimension == 0) return error_at(line.number, "{} before DIMENSION", key);
            if (!seen_.insert(std::string(key)).second) return error_at(line.number, "a second {}", key);
            section_ = *next;
            return {};
        }
        if (colon != std::string_view::npos) {
            if (!seen_.insert(std::string(key)).second) {
                return error_at(line.number, "a second {}", quoted(key));
            }
            section_ = Section::entries;
            return read_entry(line, key, trimmed(line.text.substr(colon + 1)));
        }
        if (key.ends_with("_SECTION")) {
            return unsupported("line {}: {} is not supported", line.number, quoted(key));
        }
        if (section_ == Section::coordinates) return read_row(line, coordinates_);
        if (section_ == Section::amounts) return read_row(line, amounts_);
        if (section_ == Section::depot && line.text != "-1") return read_depot(line);
        if (section_ != Section::depot) {
            return error_at(line.number, "expected KEY : value, found " + quoted(line.text));
        }
        section_ = Section::entries;
        return {};
    }

    /// One "KEY : value" line.
    Result<void> read_entry(Line const& line, std::string_view key, std::string_view value) {
        if (key == "NAME") {
            file_.name = value;
        } else if (key == "TYPE") {
            if (value == kind_.type) return {};
            return error_at(line.number, "TYPE is {}, expected {}", quoted(value), kind_.type);
        } else if (key == "DIMENSION") {
            auto const dimension = parse_count(value, "DIMENSION", 2, max_nodes);
            if (!dimension) return error_at(line.number, dimension.error().message);
            file_.dimension = *dimension;
            coordinates_.by_node.resize(*dimension);
            amounts_.by_node.resize(*dimension);
        } else if (!kind_.number.empty() && key == kind_.number) {
            number_ = parse_number(value);
            if (!number_) return error_at(line.number, "{} {} is not a number", key, quoted(value));
        } else if (key == "EDGE_WEIGHT_TYPE") {
            if (value != "EUC_2D") {
                return unsupported("line {}: EDGE_WEIGHT_TYPE {}: only EUC_2D is supported", line.number,
                                   quoted(value));
            }
            euclidean_ = true;
        }
        return {}; // COMMENT, DISPLAY_DATA_TYPE and the like say nothing about the instance
    }

    Result<std::size_t> node_number(Line const& line, std::string_view word) const {
        auto const number = parse_count(word, "node", 1, file_.dimension);
        if (number) return *number - 1;
        return error_at(line.number, "{} is not a node (1 to {})", quoted(word), file_.dimension);
    }
    Result<void> read_row(Line const& line, Rows& rows) const {
        if (line.words.size() != 1 + rows.width) {
            return error_at(line.number, "expected {} columns (node, {}), found {}", 1 + rows.width, rows.what,
                            line.words.size());
        }
        auto const node = node_number(line, line.words[0]);
        if (!node) return node.error();
        if (rows.by_node[*node]) return error_at(line.number, "node {} is listed twice", *node + 1);
        auto& numbers = rows.by_node[*node].emplace();
        for (std::size_t c = 0; c < rows.width; ++c) {
            auto const number = parse_number(line.words[1 + c]);
            if (!number) return error_at(line.number, "{} is not a number", quoted(line.words[1 + c]));
            numbers[c] = static_cast<float>(*number);
        }
        return {};
    }

    Result<void> read_depot(Line const& line) {
        if (line.words.size() != 1) return error_at(line.number, "expected the number of the depot");
        auto const node = node_number(line, line.words[0]);
        if (!node) return node.error();
        if (depot_) {
            return unsupported("line {}: a second depot ({})", line.number, *node + 1);
        }
        depot_ = *node;
        return {};
    }

    Result<TsplibFile> finish() {
        if (file_.dimension == 0) return missing_part("DIMENSION");
        if (!kind_.number.empty() && !number_) return missing_part(kind_.number);
        if (!euclidean_) return missing_part("EDGE_WEIGHT_TYPE");
        if (kind_.depot && !depot_) return missing_part("DEPOT_SECTION");
        file_.number = number_.value_or(0);
        if (depot_) {
            if (auto ok = append(*depot_); !ok) return ok.error();
        }
        for (std::size_t node = 0; node < file_.dimension; ++node) {
            if (node == depot_) continue;
            if (auto ok = append(node); !ok) return ok.error();
        }
        return std::move(file_);
    }
    Result<void> append(std::size_t node) {
        auto const& place = coordinates_.by_node[node];
        if (!place) return missing_part(fmt::format("the coordinate of node {}", node + 1));
        if (!kind_.section.empty() && !amounts_.by_node[node]) {
            return missing_part(fmt::format("the {} of node {}", kind_.what, node + 1));
        }
        file_.places.push_back({(*place)[0], (*place)[1]});
        if (!kind_.section.empty()) file_.amounts.push_back((*amounts_.by_node[node])[0]);
        return {};
    }

    TsplibKind const& kind_;
    TsplibFile file_;
    Section section_ = Section::entries;
    std::set<std::string> seen_;
    std::optional<double> number_;
    bool euclidean_ = false; ///< the weight type was given
    Rows coordinates_{.what = "x, y", .width = 2};
    Rows amounts_;
    std::optional<std::size_t> depot_; ///< counted from 0
};

} // namespace

Result<TsplibFile> read_tsplib(std::string_view text, TsplibKind const& kind) { return TsplibReader(kind).read(text); }

std::string_view tsplib_type(std::string_view text) {
    LineReader lines(text.substr(0, 4096));
    while (auto const line = lines.next()) {
        std::size_t const colon = line->text.find(':');
        if (colon == std::string_view::npos) continue;
        if (trimmed(line->text.substr(0, colon)) == "TYPE") return trimmed(line->text.substr(colon + 1));
    }
    return {};
}

std::string tsplib_head(Instance const& instance, TsplibKind const& kind, std::string_view more) {
    return fmt::format("NAME : {}\nTYPE : {}\nDIMENSION : {}\n{}EDGE_WEIGHT_TYPE : EUC_2D\n", one_line(instance.name()),
                       kind.type, instance.nodes(), more);
}

std::string tsplib_places(Instance const& instance) {
    std::string text = "NODE_COORD_SECTION\n";
    for (std::size_t i = 0; i < instance.nodes(); ++i) {
        text += fmt::format("{} {} {}\n", i + 1, instance.places()[i].x, instance.places()[i].y);
    }
    return text;
}

} // namespace cax::routing
