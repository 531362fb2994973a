#include "mutator.hpp"

#include "cax/core/json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace cax::test {
namespace {

constexpr std::array<std::string_view, 22> absurd_words{"NaN",
                                                        "nan",
                                                        "inf",
                                                        "-inf",
                                                        "-1",
                                                        "0",
                                                        "-0",
                                                        "1e308",
                                                        "1e999",
                                                        "99999999999",
                                                        "1e-9",
                                                        "0.5",
                                                        "",
                                                        "4294967296",
                                                        "null",
                                                        "1000000",
                                                        "9999",
                                                        "0x10",
                                                        "18446744073709551615",
                                                        "-99999999999",
                                                        "1e10",
                                                        "a"};

constexpr std::array<std::uint64_t, 12> absurd_integers{
    0, 1, 2, 0x7F, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x80000000, 0xFFFFFFF0, ~0ULL, ~0ULL - 7, 0x8000000000000000ULL};

/// All parts of a value, the value itself first.
void collect(Json& value, std::vector<Json*>& parts) {
    parts.push_back(&value);
    if (!value.is_structured()) return;
    for (Json& part : value) collect(part, parts);
}

} // namespace

std::string Mutator::bytes(std::string text, std::string const& other) {
    for (std::size_t i = 0, count = 1 + below(3); i < count; ++i) damage_bytes(text, other);
    return text;
}

void Mutator::damage_bytes(std::string& text, std::string const& other) {
    std::size_t const at = below(text.size() + 1);
    std::size_t const length = std::min(below(16) == 0 ? below(text.size() + 1) : below(12), text.size() - at);
    switch (below(11)) {
    case 0: text.resize(at); break;
    case 1: text.erase(0, at); break;
    case 2:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1U << below(8)));
        break;
    case 3:
        for (std::size_t i = 0; i < length; ++i)
            text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), static_cast<char>(below(256)));
        break;
    case 4: text.erase(at, length); break;
    case 5: text.insert(below(text.size() + 1), text.substr(at, length)); break;
    case 6: { // swap two neighbouring sections
        std::string const section = text.substr(at, length);
        text.erase(at, length);
        text.insert(below(text.size() + 1), section);
        break;
    }
    case 7: {
        std::uint64_t const number = absurd_integers[below(absurd_integers.size())];
        std::size_t const size = std::min(std::size_t{1} << below(4), text.size() - at);
        std::memcpy(text.data() + at, &number, size);
        break;
    }
    case 8: {
        std::size_t const from = below(other.size() + 1);
        text.insert(at, other, from, below(64));
        break;
    }
    case 9: text.insert(at, std::string(below(4) == 0 ? 300 : 3, "[{(\"\n 9-"[below(8)])); break;
    default: damage_number(text);
    }
}

void Mutator::damage_number(std::string& text) {
    constexpr std::string_view digits = "0123456789.";
    std::size_t const from = text.find_first_of(digits, below(text.size() + 1));
    if (from == std::string::npos) return;
    std::size_t const to = std::min(text.find_first_not_of(digits, from), text.size());
    text.replace(from, to - from, absurd_words[below(absurd_words.size())]);
}

Json Mutator::absurd_json() {
    switch (below(16)) {
    case 0: return nullptr;
    case 1: return true;
    case 2: return "text";
    case 3: return std::string("\xFF\n\x1B", 3);
    case 4: return Json::array();
    case 5: return Json::object();
    case 6: return -1;
    case 7: return 0;
    case 8: return 1e308;
    case 9: return -1e308;
    case 10: return 99999999999;
    case 11: return ~std::uint64_t{0};
    case 12: return 1e-320;
    case 13: return 0.5;
    case 14: return std::vector<int>(below(50), 1);
    default: return static_cast<int>(below(2000));
    }
}

void Mutator::json(Json& value) {
    for (std::size_t i = 0, count = 1 + below(3); i < count; ++i) damage_json(value);
}

void Mutator::damage_json(Json& value) {
    std::vector<Json*> parts;
    collect(value, parts);
    Json& part = *parts[below(parts.size())];
    Json const other = *parts[below(parts.size())];
    switch (below(6)) {
    case 0: part = other; break;
    case 1:
        if (part.is_structured() && !part.empty())
            part.erase(std::next(part.begin(), static_cast<std::ptrdiff_t>(below(part.size()))));
        break;
    case 2:
        if (part.is_array())
            part.insert(part.begin(), other);
        else if (part.is_object())
            part["extra"] = other;
        break;
    case 3:
        if (part.is_object() && !part.empty())
            part.begin().value() = absurd_json();
        else if (part.is_array() && !part.empty())
            part[below(part.size())] = absurd_json();
        break;
    default: part = absurd_json();
    }
}

double Mutator::absurd_value() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::array<double, 14> const values{std::nan(""), infinity, -infinity, -1,    0,    1,   1e308,
                                        -1e308,       3.4e38,   1e-45,     0.999, 9999, 2e9, 1e18};
    return values[below(values.size())];
}

void Mutator::tensors(NamedTensors& tensors) {
    for (std::size_t i = 0, count = 1 + below(3); i < count; ++i) damage_tensors(tensors);
}

void Mutator::damage_tensors(NamedTensors& tensors) {
    if (tensors.empty()) return;
    auto const place = std::next(tensors.begin(), static_cast<std::ptrdiff_t>(below(tensors.size())));
    Tensor& tensor = place->second;
    Shape shape = tensor.shape();
    auto bytes = std::vector<std::byte>(tensor.bytes().begin(), tensor.bytes().end());
    Dtype dtype = tensor.dtype();
    switch (below(8)) {
    case 0: tensors.erase(place); return;
    case 1: { // another array's name
        Tensor moved = std::move(tensor);
        tensors.erase(place);
        tensors.insert_or_assign(
            tensors.empty() ? "x"
                            : std::next(tensors.begin(), static_cast<std::ptrdiff_t>(below(tensors.size())))->first,
            std::move(moved));
        return;
    }
    case 2: shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(below(shape.size() + 1)), below(3)); break;
    case 3:
        if (!shape.empty()) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(below(shape.size())));
        break;
    case 4:
        if (!shape.empty()) shape[below(shape.size())] = below(12);
        break;
    case 5: {
        constexpr std::array all{Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64,
                                 Dtype::i32, Dtype::i64,  Dtype::u8,  Dtype::boolean};
        dtype = all[below(all.size())];
        break;
    }
    default: { // values: some of them, in their own bytes
        for (std::size_t i = 0, count = 1 + below(4); i < count && tensor.size() > 0; ++i) {
            double const value = absurd_value();
            bool const floating =
                dtype == Dtype::f16 || dtype == Dtype::bf16 || dtype == Dtype::f32 || dtype == Dtype::f64;
            Tensor const one =
                Tensor::from_doubles(dtype, {}, std::array{floating ? value : static_cast<double>(below(300)) - 20});
            std::memcpy(bytes.data() + below(tensor.size()) * size_of(dtype), one.bytes().data(), size_of(dtype));
        }
    }
    }
    auto const count = checked_element_count(shape);
    if (!count || *count > 10'000) return;
    bytes.resize(*count * size_of(dtype));
    tensor = *Tensor::from_bytes(dtype, shape, std::move(bytes));
}

} // namespace cax::test
