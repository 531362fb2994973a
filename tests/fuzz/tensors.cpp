// Files of arrays: safetensors and .npz, as containers and as instances.
#include "samples.hpp"
#include "targets.hpp"

#include "../io/zip_builder.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace cax::fuzz {
namespace {

bool same(NamedTensors const& a, NamedTensors const& b) {
    return std::ranges::equal(a, b, [](auto const& x, auto const& y) {
        return x.first == y.first && x.second.dtype() == y.second.dtype() && x.second.shape() == y.second.shape() &&
               std::ranges::equal(x.second.bytes(), y.second.bytes());
    });
}

/// The names of all arrays that any problem has.
std::vector<std::string> const& array_names() {
    static std::vector<std::string> const names = [] {
        std::set<std::string> all;
        for (Problem const* problem : all_problems()) {
            auto const tensors = problem->exchange().to_tensors(some_instances(*problem));
            if (!tensors) continue;
            for (auto const& [name, tensor] : *tensors) all.insert(name);
        }
        return std::vector(all.begin(), all.end());
    }();
    return names;
}

std::string as_string(std::span<std::byte const> bytes) { return std::string(text_of(bytes)); }

} // namespace

void run_safetensors(Bytes bytes) {
    auto const file = io::parse_safetensors(bytes);
    if (!file) return expect_readable(file.error());
    auto const again = io::parse_safetensors(io::format_safetensors(*file));
    require(again && same(again->tensors, file->tensors) && again->metadata == file->metadata,
            "a file that is written otherwise");
}

std::vector<std::string> safetensors_seeds() {
    TensorFile file;
    file.metadata = {{"env_name", "op"}, {"note", "x"}};
    file.tensors["a"] = Tensor::from_floats({2, 2}, std::array{1.F, 2.F, 3.F, 4.F});
    file.tensors["b"] = Tensor::from_ints(Dtype::i64, {1}, std::array<std::int64_t, 1>{7});
    file.tensors["c"] = Tensor::from_doubles(Dtype::f16, {0, 3}, {});
    return {as_string(io::format_safetensors(file)), as_string(io::format_safetensors({}))};
}

/// The first byte decides: the rest is the archive, or one array in a good archive (whose checksum is then right).
void run_npz(Bytes bytes) {
    Dial dial(bytes);
    bool const wrapped = dial.flag();
    std::string const text(text_of(dial.rest()));
    auto const tensors = io::parse_npz(bytes_of(wrapped ? test::zip_of({{.data = text}}) : text));
    if (!tensors) return expect_readable(tensors.error());
    bool const widened =
        std::ranges::any_of(*tensors, [](auto const& each) { return each.second.dtype() == Dtype::bf16; });
    for (bool const deflate : {false, true}) {
        auto const again = io::parse_npz(io::format_npz(*tensors, deflate));
        require(widened || (again && same(*again, *tensors)), "arrays that are written otherwise");
    }
}

std::vector<std::string> npz_seeds() {
    NamedTensors const arrays = *find_problem("op")->exchange().to_tensors(some_instances(*find_problem("op")));
    std::string const array =
        test::npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", test::raw(1.0F) + test::raw(2.0F));
    return {'\0' + as_string(io::format_npz(arrays)), '\0' + as_string(io::format_npz(arrays, true)), '\1' + array};
}

/// An array per three bytes and more: which name, which element type, which shape; then values.
void run_arrays(Bytes bytes) {
    constexpr std::array types{Dtype::f16, Dtype::f32, Dtype::f64, Dtype::i32, Dtype::i64, Dtype::u8, Dtype::boolean};
    auto const& names = array_names();
    Dial dial(bytes);
    // Begin with good arrays of one problem and replace some of them: whole sets are hard to guess.
    Problem const& problem = *all_problems()[dial.below(all_problems().size())];
    auto const good = problem.exchange().to_tensors(some_instances(problem));
    if (!good) return expect_readable(good.error());
    NamedTensors tensors = *good;
    for (std::size_t i = 0, count = dial.below(4); i < count && !dial.empty(); ++i) {
        std::string const& name = names[dial.below(names.size())];
        auto const place = tensors.find(name);
        bool const keep_shape = place != tensors.end() && dial.flag();
        Dtype const dtype = keep_shape && dial.flag() ? place->second.dtype() : types[dial.below(types.size())];
        Shape shape;
        if (keep_shape) shape = place->second.shape();
        for (std::size_t axis = 0, rank = keep_shape ? 0 : dial.below(4); axis < rank; ++axis) {
            shape.push_back(dial.below(6));
        }
        std::vector<std::byte> data(*checked_element_count(shape) * size_of(dtype));
        for (std::byte& byte : data) byte = std::byte{dial.byte()};
        tensors[name] = *Tensor::from_bytes(dtype, shape, std::move(data));
    }
    auto const file = io::parse_instances(io::format_npz(tensors));
    if (!file) return expect_readable(file.error());
    for (auto const& instance : file->instances) use_instance(*instance, bytes.size());
}

std::vector<std::string> arrays_seeds() {
    return {std::string("\0\0", 2), std::string("\1\0", 2), std::string("\2\1\x08\1\1", 5),
            std::string("\1\1\2\1\0\2\0\0\x80\x3f\0\0\x40\x40", 14)};
}

} // namespace cax::fuzz
