// OPLib's text format, TSPLIB's manner: "KEY : value" lines, then sections of coordinates, scores and the depot.
//
// The depot becomes node 0 wherever it stands in the file; the other nodes become customers 1, 2, ... in the order of
// their numbers. With the depot first, as usual, node k of the file is customer k - 1.

#include "../fields.hpp"
#include "../text.hpp"
#include "problem.hpp"

#include "cax/problems/op/instance.hpp"

#include <array>
#include <fmt/format.h>
#include <set>

namespace cax::op {
namespace {

bool recognises_oplib(std::string_view text) { return text.find("NODE_SCORE_SECTION") != std::string_view::npos; }

/// The file as it stands, nodes in the order of their numbers.
struct OplibFile {
    std::string name;
    std::size_t dimension = 0;
    std::optional<double> cost_limit;
    bool euclidean = false; ///< the weight type was given
    std::vector<std::optional<Point>> coordinates;
    std::vector<std::optional<float>> scores;
    std::optional<std::size_t> depot; ///< counted from 0
};

/// The word as the number of a node, counted from 0.
Result<std::size_t> node_number(Line const& line, std::string_view word, std::size_t dimension) {
    auto const number = parse_count(word, "node", 1, dimension);
    if (!number) return error_at(line.number, fmt::format("{} is not a node (1 to {})", quoted(word), dimension));
    return *number - 1;
}

Result<float> number_in(Line const& line, std::string_view word) {
    auto const number = parse_number(word);
    if (!number) return error_at(line.number, fmt::format("{} is not a number", quoted(word)));
    return static_cast<float>(*number);
}

/// One "KEY : value" line.
Result<void> read_entry(Line const& line, std::string_view key, std::string_view value, OplibFile& file) {
    if (key == "NAME") {
        file.name = value;
    } else if (key == "TYPE") {
        if (value != "OP") return error_at(line.number, fmt::format("TYPE is {}, expected OP", quoted(value)));
    } else if (key == "DIMENSION") {
        auto const dimension = parse_count(value, "DIMENSION", 2, max_nodes);
        if (!dimension) return error_at(line.number, dimension.error().message);
        file.dimension = *dimension;
        file.coordinates.resize(*dimension);
        file.scores.resize(*dimension);
    } else if (key == "COST_LIMIT") {
        file.cost_limit = parse_number(value);
        if (!file.cost_limit) return error_at(line.number, fmt::format("COST_LIMIT {} is not a number", quoted(value)));
    } else if (key == "EDGE_WEIGHT_TYPE") {
        if (value != "EUC_2D") {
            return Error{ErrorCode::unsupported, fmt::format("line {}: EDGE_WEIGHT_TYPE {}: only EUC_2D is supported",
                                                             line.number, quoted(value))};
        }
        file.euclidean = true;
    }
    return {}; // COMMENT, DISPLAY_DATA_TYPE and the like say nothing about the instance
}

/// One row of NODE_COORD_SECTION or NODE_SCORE_SECTION.
Result<void> read_row(Line const& line, bool coordinates, OplibFile& file) {
    std::size_t const expected = coordinates ? 3 : 2;
    if (line.words.size() != expected) {
        return error_at(line.number, fmt::format("expected {} columns ({}), found {}", expected,
                                                 coordinates ? "node, x, y" : "node, score", line.words.size()));
    }
    auto const node = node_number(line, line.words[0], file.dimension);
    if (!node) return node.error();
    auto const first = number_in(line, line.words[1]);
    if (!first) return first.error();
    bool const twice = coordinates ? file.coordinates[*node].has_value() : file.scores[*node].has_value();
    if (twice) return error_at(line.number, fmt::format("node {} is listed twice", *node + 1));
    if (!coordinates) {
        file.scores[*node] = *first;
        return {};
    }
    auto const second = number_in(line, line.words[2]);
    if (!second) return second.error();
    file.coordinates[*node] = Point{*first, *second};
    return {};
}

Result<void> read_depot(Line const& line, OplibFile& file) {
    if (line.words.size() != 1) return error_at(line.number, "expected the number of the depot");
    auto const node = node_number(line, line.words[0], file.dimension);
    if (!node) return node.error();
    if (file.depot)
        return Error{ErrorCode::unsupported, fmt::format("line {}: a second depot ({})", line.number, *node + 1)};
    file.depot = *node;
    return {};
}

enum class Section { entries, coordinates, scores, depot };

std::optional<Section> section_named(std::string_view title) {
    if (title == "NODE_COORD_SECTION") return Section::coordinates;
    if (title == "NODE_SCORE_SECTION") return Section::scores;
    if (title == "DEPOT_SECTION") return Section::depot;
    return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

Result<OplibFile> parse(std::string_view text) {
    OplibFile file;
    Section section = Section::entries;
    std::set<std::string_view> seen;
    LineReader lines(text);
    while (auto const line = lines.next()) {
        if (line->text == "EOF") break;
        std::size_t const colon = line->text.find(':');
        std::string_view const key = trimmed(line->text.substr(0, colon));
        if (auto const next = section_named(key)) {
            if (file.dimension == 0) return error_at(line->number, fmt::format("{} before DIMENSION", key));
            if (!seen.insert(key).second) return error_at(line->number, fmt::format("a second {}", key));
            section = *next;
        } else if (colon != std::string_view::npos) {
            if (!seen.insert(key).second) return error_at(line->number, fmt::format("a second {}", quoted(key)));
            if (auto ok = read_entry(*line, key, trimmed(line->text.substr(colon + 1)), file); !ok) return ok.error();
            section = Section::entries;
        } else if (key.ends_with("_SECTION")) {
            return Error{ErrorCode::unsupported,
                         fmt::format("line {}: {} is not supported", line->number, quoted(key))};
        } else if (section == Section::coordinates || section == Section::scores) {
            if (auto ok = read_row(*line, section == Section::coordinates, file); !ok) return ok.error();
        } else if (section == Section::depot && line->text != "-1") {
            if (auto ok = read_depot(*line, file); !ok) return ok.error();
        } else if (section == Section::depot) {
            section = Section::entries;
        } else {
            return error_at(line->number, "expected KEY : value, found " + quoted(line->text));
        }
    }
    return file;
}

Result<Data> to_data(OplibFile const& file) {
    auto const missing = [](std::string_view what) {
        return Error{ErrorCode::file_malformed, fmt::format("{} is missing", what)};
    };
    if (file.dimension == 0) return missing("DIMENSION");
    if (!file.cost_limit) return missing("COST_LIMIT");
    if (!file.euclidean) return missing("EDGE_WEIGHT_TYPE");
    if (!file.depot) return missing("DEPOT_SECTION");
    Data data{.name = file.name, .max_length = static_cast<float>(*file.cost_limit)};
    auto const append = [&](std::size_t node) -> Result<void> {
        if (!file.coordinates[node]) return missing(fmt::format("the coordinate of node {}", node + 1));
        if (!file.scores[node]) return missing(fmt::format("the score of node {}", node + 1));
        data.locs.push_back(*file.coordinates[node]);
        data.prize.push_back(*file.scores[node]);
        return {};
    };
    if (auto ok = append(*file.depot); !ok) return ok.error();
    for (std::size_t node = 0; node < file.dimension; ++node) {
        if (node == *file.depot) continue;
        if (auto ok = append(node); !ok) return ok.error();
    }
    return data;
}

Result<InstancePtr> read_oplib(std::string_view text, Options const& options) {
    if (auto ok = check_option_names(options, {}); !ok) return ok.error();
    auto const file = parse(text);
    if (!file) return file.error();
    auto data = to_data(*file);
    if (!data) return data.error();
    auto instance = Instance::make(*std::move(data));
    if (!instance) return instance.error();
    return InstancePtr(*std::move(instance));
}

Result<std::string> write_oplib(cax::Instance const& any) {
    auto const* instance = dynamic_cast<Instance const*>(&any);
    if (instance == nullptr) return Error{ErrorCode::mismatch, "not an op instance"};
    Data const& data = instance->data();
    std::string text = fmt::format("NAME : {}\nTYPE : OP\nDIMENSION : {}\nCOST_LIMIT : {}\nEDGE_WEIGHT_TYPE : EUC_2D\n",
                                   one_line(data.name), instance->nodes(), data.max_length);
    text += "NODE_COORD_SECTION\n";
    for (std::size_t i = 0; i < instance->nodes(); ++i) {
        text += fmt::format("{} {} {}\n", i + 1, data.locs[i].x, data.locs[i].y);
    }
    text += "NODE_SCORE_SECTION\n";
    for (std::size_t i = 0; i < instance->nodes(); ++i) text += fmt::format("{} {}\n", i + 1, data.prize[i]);
    return text + "DEPOT_SECTION\n1\n-1\nEOF\n";
}

} // namespace

std::span<TextFormat const> text_formats() {
    static constexpr std::array<TextFormat, 1> formats{
        {{"oplib", ".oplib", recognises_oplib, read_oplib, write_oplib}}};
    return formats;
}

} // namespace cax::op
