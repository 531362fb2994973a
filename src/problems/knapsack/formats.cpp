// OR-Library's text format for multidimensional knapsacks (mknap), as far as there is one instance of two resources in
// the file: the number of instances, then items, resources and the best known value (0: unknown), the values, what the
// items take of each resource, what there is of each. Line ends mean nothing after the second.
#include "../fields.hpp"
#include "../text.hpp"
#include "problem.hpp"

#include "../table/field.hpp"
#include "cax/problems/knapsack/instance.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace cax::knapsack {
namespace {

constexpr std::size_t resources = 2;

bool recognises_mknap(std::string_view text) {
    LineReader reader(text.substr(0, 4096));
    auto const count = reader.next();
    if (!count || count->words.size() != 1 || !parse_number(count->words[0])) return false;
    auto const sizes = reader.next();
    if (!sizes || sizes->words.size() != 3) return false;
    return std::ranges::all_of(sizes->words, [](std::string_view word) { return bool(parse_number(word)); });
}

/// The numbers of a text, one after the other.
class NumberReader {
public:
    explicit NumberReader(std::string_view text) : lines_(text) {}
    [[nodiscard]] Result<double> next(std::string_view what) {
        while (place_ == line_.words.size()) {
            auto line = lines_.require(what);
            if (!line) return line.error();
            line_ = *std::move(line);
            place_ = 0;
        }
        std::string_view const word = line_.words[place_++];
        if (auto const number = parse_number(word)) return *number;
        return error_at(line_.number, fmt::format("{}: {} is not a number", what, quoted(word)));
    }
    /// So many of them, as float32.
    [[nodiscard]] Result<std::vector<float>> list(std::size_t count, std::string_view what) {
        std::vector<float> numbers;
        for (std::size_t i = 0; i < count; ++i) {
            auto const number = next(what);
            if (!number) return number.error();
            numbers.push_back(static_cast<float>(*number));
        }
        return numbers;
    }
    [[nodiscard]] bool at_end() { return place_ == line_.words.size() && !lines_.next(); }
    [[nodiscard]] Error error(std::string_view message) const { return error_at(line_.number, message); }

private:
    LineReader lines_;
    Line line_{};
    std::size_t place_ = 0;
};

/// Of the second line: how many items there are.
Result<std::size_t> read_sizes(NumberReader& reader) {
    auto const instances = reader.list(1, "number of instances");
    if (!instances) return instances.error();
    if ((*instances)[0] != 1) return reader.error(fmt::format("{} instances: expected one", (*instances)[0]));
    auto const sizes = reader.list(3, "numbers of items and resources, and the best known value");
    if (!sizes) return sizes.error();
    float const items = (*sizes)[0];
    if (!(items >= 1 && items < static_cast<float>(table::max_nodes))) {
        return reader.error(fmt::format("{} items: expected 1 to {}", items, table::max_nodes - 1));
    }
    if ((*sizes)[1] != resources) {
        return reader.error(fmt::format("{} resources: expected {}, a weight and a volume", (*sizes)[1], resources));
    }
    return static_cast<std::size_t>(items);
}

Result<void> divide(std::vector<float>& amounts, float whole, std::string_view what) {
    if (!(whole > 0)) return Error{ErrorCode::invalid_value, fmt::format("{} is {}: not positive", what, whole)};
    for (float& amount : amounts) amount = static_cast<float>(double{amount} / double{whole});
    return {};
}

Result<InstancePtr> read_mknap(std::string_view text, Options const& options) {
    if (auto ok = check_option_names(options, {}); !ok) return ok.error();
    NumberReader reader(text);
    auto const items = read_sizes(reader);
    if (!items) return items.error();
    Data data;
    std::array<std::pair<std::vector<float>*, std::string_view>, 3> const columns{
        {{&data.values, "values"}, {&data.weights, "weights"}, {&data.volumes, "volumes"}}};
    for (auto const& [column, what] : columns) {
        auto numbers = reader.list(*items, what);
        if (!numbers) return numbers.error();
        *column = *std::move(numbers);
    }
    auto const there_is = reader.list(resources, "what there is of each resource");
    if (!there_is) return there_is.error();
    if (!reader.at_end()) return reader.error("more numbers than the instance has");
    data.max_weight = (*there_is)[0];
    data.max_volume = (*there_is)[1];
    if (auto ok = divide(data.weights, data.max_weight, "max_weight"); !ok) return ok.error();
    if (auto ok = divide(data.volumes, data.max_volume, "max_volume"); !ok) return ok.error();
    return Instance::make_any(data);
}

void append_shares(std::vector<float> const& shares, float whole, std::string& text) {
    for (float const share : shares) text += fmt::format("{} ", table::in_units(share, whole));
    text.back() = '\n';
}

Result<std::string> write_mknap(cax::Instance const& any) {
    auto const* instance = dynamic_cast<Instance const*>(&any);
    if (instance == nullptr) return Error{ErrorCode::mismatch, "not a knapsack instance"};
    Data const& data = instance->data();
    std::string text = fmt::format("1\n{} {} 0\n{}\n", instance->nodes(), resources, fmt::join(data.values, " "));
    append_shares(data.weights, data.max_weight, text);
    append_shares(data.volumes, data.max_volume, text);
    return text + fmt::format("{} {}\n", data.max_weight, data.max_volume);
}

} // namespace

std::span<TextFormat const> text_formats() {
    static constexpr std::array<TextFormat, 1> formats{
        {{"mknap", ".mknap", recognises_mknap, read_mknap, write_mknap}}};
    return formats;
}

} // namespace cax::knapsack
