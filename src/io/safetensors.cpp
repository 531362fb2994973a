// safetensors: an 8-byte header length, a JSON header, the data. The header is read by a handler that knows its flat
// structure and stops at the first thing that does not belong there, so nothing hostile is ever built in memory.
#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/io/file_kind.hpp"
#include "cax/io/files.hpp"
#include "cax/io/tensor_files.hpp"
#include "malformed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <set>

namespace cax::io {
namespace {

constexpr std::uint64_t largest_header = 100'000'000;
constexpr std::string_view metadata_key = "__metadata__";

/// What the header says of one tensor.
struct Entry {
    std::string name;
    std::optional<Dtype> dtype;
    std::optional<Shape> shape;
    std::optional<std::vector<std::size_t>> offsets;
};

std::optional<Dtype> dtype_named(std::string_view name) {
    constexpr std::array all{Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64,
                             Dtype::i32, Dtype::i64,  Dtype::u8,  Dtype::boolean};
    auto const* const found = std::ranges::find(all, name, [](Dtype each) { return name_of(each); });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

/// Receives the header's tokens. `place_` is where in {name: {field: [...]}} we are.
class HeaderHandler final : public nlohmann::json_sax<Json> {
public:
    std::vector<Entry> entries;
    std::map<std::string, std::string, std::less<>> metadata;
    std::optional<Error> error;

    bool start_object(std::size_t) override {
        switch (place_) {
        case Place::outside: place_ = Place::top; return true;
        case Place::name: place_ = name_ == metadata_key ? Place::metadata : Place::tensor; return true;
        default: return unexpected("an object");
        }
    }
    bool key(string_t& text) override {
        if (place_ == Place::top) return start_entry(std::move(text));
        if (!fields_.insert(text).second)
            return fail(malformed(fmt::format("{}: '{}' occurs twice", where(), printable(text))));
        field_ = std::move(text);
        if (place_ == Place::metadata) {
            place_ = Place::metadata_value;
            return true;
        }
        place_ = Place::field;
        if (field_ == "dtype" || field_ == "shape" || field_ == "data_offsets") return true;
        return fail(malformed(fmt::format("{}: unknown field '{}'", where(), printable(field_))));
    }
    bool end_object() override {
        bool const was_top = place_ == Place::top;
        if (place_ == Place::tensor) {
            Entry const& entry = entries.back();
            for (auto const& [field, present] :
                 {std::pair{"dtype", entry.dtype.has_value()}, std::pair{"shape", entry.shape.has_value()},
                  std::pair{"data_offsets", entry.offsets.has_value()}}) {
                if (!present) return fail(malformed(fmt::format("{}: no {}", where(), field)));
            }
        }
        place_ = was_top ? Place::outside : Place::top;
        return true;
    }
    bool start_array(std::size_t) override {
        if (place_ != Place::field || field_ == "dtype") return unexpected("a list");
        (field_ == "shape" ? entries.back().shape : entries.back().offsets).emplace();
        place_ = Place::list;
        return true;
    }
    bool end_array() override {
        place_ = Place::tensor;
        return true;
    }
    bool number_unsigned(number_unsigned_t value) override {
        if (place_ != Place::list) return unexpected(std::to_string(value));
        auto& list = field_ == "shape" ? *entries.back().shape : *entries.back().offsets;
        if (list.size() == highest_rank) return fail(malformed(fmt::format("{}: {} is too long", where(), field_)));
        list.push_back(value);
        return true;
    }
    bool string(string_t& text) override {
        if (place_ == Place::metadata_value) {
            metadata.emplace(std::move(field_), std::move(text));
            place_ = Place::metadata;
            return true;
        }
        if (place_ != Place::field || field_ != "dtype") return unexpected("a string");
        entries.back().dtype = dtype_named(text);
        place_ = Place::tensor;
        if (entries.back().dtype) return true;
        return fail({ErrorCode::unsupported, fmt::format("{}: unknown dtype '{}'", where(), printable(text))});
    }
    bool null() override { return unexpected("null"); }
    bool boolean(bool value) override { return unexpected(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return unexpected(std::to_string(value)); }
    bool number_float(number_float_t, string_t const& text) override { return unexpected(printable(text)); }
    bool binary(binary_t&) override { return unexpected("binary data"); }
    bool parse_error(std::size_t position, std::string const&, nlohmann::detail::exception const&) override {
        return fail(malformed(fmt::format("the header is not JSON (at byte {} of it)", position)));
    }

private:
    enum class Place { outside, top, name, tensor, field, list, metadata, metadata_value };

    bool start_entry(std::string name) {
        if (!names_.insert(name).second)
            return fail(malformed(fmt::format("'{}' occurs twice in the header", printable(name))));
        name_ = std::move(name);
        fields_.clear();
        if (name_ != metadata_key) entries.push_back({.name = name_, .dtype = {}, .shape = {}, .offsets = {}});
        place_ = Place::name;
        return true;
    }
    [[nodiscard]] std::string where() const {
        if (name_ == metadata_key) return std::string(metadata_key);
        return fmt::format("tensor '{}'", printable(name_));
    }
    bool unexpected(std::string_view what) {
        switch (place_) {
        case Place::outside: return fail(malformed(fmt::format("the header is {}, not an object", what)));
        case Place::name: return fail(malformed(fmt::format("{}: {} where an object belongs", where(), what)));
        default: return fail(malformed(fmt::format("{}: {} cannot be {}", where(), printable(field_), what)));
        }
    }
    bool fail(Error failure) {
        error = std::move(failure);
        return false;
    }

    Place place_ = Place::outside;
    std::string name_;
    std::string field_;
    std::set<std::string, std::less<>> names_;
    std::set<std::string, std::less<>> fields_;
};

/// Range and size of every entry, then that the ranges tile the data: no overlap, no hole, nothing behind the last.
Result<void> check_layout(std::vector<Entry> const& entries, std::size_t data_size) {
    std::vector<Entry const*> order;
    for (Entry const& entry : entries) {
        auto const fail = [&](std::string const& what) {
            return malformed(fmt::format("tensor '{}': {}", printable(entry.name), what));
        };
        if (entry.offsets->size() != 2) return fail("data_offsets is not a pair");
        std::size_t const begin = (*entry.offsets)[0];
        std::size_t const end = (*entry.offsets)[1];
        if (begin > end || end > data_size) {
            return fail(fmt::format("data_offsets [{}, {}] lie outside the {} bytes of data", begin, end, data_size));
        }
        auto const count = checked_element_count(*entry.shape);
        if (!count || *count > end - begin || *count * size_of(*entry.dtype) != end - begin) {
            return fail(fmt::format("shape {} of {} does not fill data_offsets [{}, {}]", to_string(*entry.shape),
                                    name_of(*entry.dtype), begin, end));
        }
        order.push_back(&entry);
    }
    std::ranges::sort(
        order, {}, [](Entry const* entry) -> auto const& { return *entry->offsets; });
    std::size_t reached = 0;
    for (Entry const* entry : order) {
        if ((*entry->offsets)[0] != reached) {
            return malformed(fmt::format("tensor '{}': data begin at {}, but those before it end at {}",
                                         printable(entry->name), (*entry->offsets)[0], reached));
        }
        reached = (*entry->offsets)[1];
    }
    if (reached != data_size) return malformed(fmt::format("{} bytes behind the last tensor", data_size - reached));
    return {};
}

} // namespace

bool looks_like_safetensors(std::span<std::byte const> bytes) {
    std::uint64_t length = 0;
    if (bytes.size() <= sizeof length || bytes[sizeof length] != std::byte{'{'}) return false;
    std::memcpy(&length, bytes.data(), sizeof length);
    return length <= largest_header;
}

Result<TensorFile> parse_safetensors(std::span<std::byte const> bytes) {
    if (!looks_like_safetensors(bytes)) {
        if (auto what = mistaken_for(kind_of(bytes), "a safetensors file"); !what.empty()) return malformed(what);
    }
    std::uint64_t length = 0;
    if (bytes.size() < sizeof length) return malformed(fmt::format("{} bytes are no safetensors file", bytes.size()));
    std::memcpy(&length, bytes.data(), sizeof length);
    bytes = bytes.subspan(sizeof length);
    if (length > bytes.size()) return malformed(fmt::format("header length {} exceeds the file", length));
    if (length > largest_header)
        return malformed(fmt::format("header length {} exceeds the limit of {}", length, largest_header));

    std::string_view const header(reinterpret_cast<char const*>(bytes.data()), length);
    HeaderHandler handler;
    bool const parsed = Json::sax_parse(header, &handler);
    if (!parsed) return handler.error.value_or(malformed("the header is not JSON"));
    auto const data = bytes.subspan(length);
    if (auto const layout = check_layout(handler.entries, data.size()); !layout) return layout.error();

    TensorFile file{.tensors = {}, .metadata = std::move(handler.metadata)};
    for (Entry& entry : handler.entries) {
        auto const begin = data.begin() + static_cast<std::ptrdiff_t>((*entry.offsets)[0]);
        auto const end = data.begin() + static_cast<std::ptrdiff_t>((*entry.offsets)[1]);
        auto tensor = Tensor::from_bytes(*entry.dtype, std::move(*entry.shape), {begin, end});
        if (!tensor) return tensor.error().within(fmt::format("tensor '{}'", printable(entry.name)));
        file.tensors.emplace(std::move(entry.name), *std::move(tensor));
    }
    return file;
}

Result<TensorFile> read_safetensors(std::filesystem::path const& path) {
    auto const bytes = read_bytes(path);
    if (!bytes) return bytes.error();
    auto file = parse_safetensors(*bytes);
    if (!file) return file.error().within(path.string());
    return file;
}

std::vector<std::byte> format_safetensors(TensorFile const& file) {
    Json header = Json::object();
    if (!file.metadata.empty()) {
        Json& metadata = header[std::string(metadata_key)];
        for (auto const& [key, value] : file.metadata) metadata[key] = value;
    }
    std::size_t offset = 0;
    for (auto const& [name, tensor] : file.tensors) {
        std::size_t const end = offset + tensor.bytes().size();
        header[name] = {{"dtype", name_of(tensor.dtype())}, {"shape", tensor.shape()}, {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize((text.size() + 7) / 8 * 8, ' '); // data begin at a multiple of eight

    std::uint64_t const length = text.size();
    std::vector<std::byte> bytes(sizeof length + text.size() + offset);
    std::memcpy(bytes.data(), &length, sizeof length);
    auto out = std::ranges::copy(std::as_bytes(std::span(text)), bytes.begin() + sizeof length).out;
    for (auto const& [name, tensor] : file.tensors) out = std::ranges::copy(tensor.bytes(), out).out;
    return bytes;
}

Result<void> write_safetensors(std::filesystem::path const& path, TensorFile const& file) {
    return write_bytes(path, format_safetensors(file));
}

} // namespace cax::io
