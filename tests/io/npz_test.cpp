#include "cax/io/tensor_files.hpp"
#include "zip_builder.hpp"

#include <fmt/format.h>
#include <rapidcheck/gtest.h>

namespace cax::io {
namespace {

using test::bytes_of;
using test::Member;
using test::npy;
using test::raw;
using test::zip_of;

Result<NamedTensors> parse(std::vector<Member> const& members) { return parse_npz(bytes_of(zip_of(members))); }

std::string refusal(Result<NamedTensors> const& result) { return result ? "accepted" : result.error().message; }
std::string refusal(Member member) { return refusal(parse({std::move(member)})); }
std::string refusal_of_array(std::string_view dict, std::string_view data = "", char version = 1) {
    return refusal({.name = "x.npy", .data = npy(dict, data, version)});
}

std::string const two_floats =
    npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", raw(1.0F) + raw(2.0F));

class Npz : public test::InScratchFolder {};

TEST_F(Npz, ReadsStoredMembers) {
    auto const tensors = parse({{.name = "a.npy", .data = two_floats}, {.name = "b.npy", .data = two_floats}});
    ASSERT_TRUE(tensors) << tensors.error().message;
    EXPECT_EQ(tensors->size(), 2U);
    EXPECT_EQ(tensors->at("b").to_doubles(), (std::vector<double>{1, 2}));
}

TEST_F(Npz, ReadsEveryVersionAndSpellingOfTheHeader) {
    for (char const version : {'\1', '\2', '\3'}) {
        auto const tensors = parse({{.data = npy(R"({"shape":(1,2),"descr":"<i8","fortran_order":False})",
                                                 raw(std::int64_t{-5}) + raw(std::int64_t{7}), version)}});
        ASSERT_TRUE(tensors) << tensors.error().message;
        EXPECT_EQ(tensors->at("x").shape(), (Shape{1, 2}));
        EXPECT_EQ(tensors->at("x").to_ints(), (std::vector<std::int64_t>{-5, 7}));
    }
}

TEST_F(Npz, ReadsScalars) {
    auto const tensors = parse({{.data = npy("{'descr':'|b1','fortran_order':False,'shape':()}", "\x01")}});
    ASSERT_TRUE(tensors) << tensors.error().message;
    EXPECT_EQ(tensors->at("x").shape(), Shape{});
    EXPECT_EQ(tensors->at("x").dtype(), Dtype::boolean);
}

TEST_F(Npz, KeepsEveryElementTypeStoredAndDeflated) {
    NamedTensors tensors;
    std::vector<double> const values{0, 1, 0, 0, 1, 1};
    for (Dtype const dtype : {Dtype::f16, Dtype::f32, Dtype::f64, Dtype::i32, Dtype::i64, Dtype::u8, Dtype::boolean}) {
        tensors.emplace(std::string(name_of(dtype)), Tensor::from_doubles(dtype, {3, 2}, values));
    }
    tensors.emplace("scalar", Tensor::from_doubles(Dtype::f64, {}, std::vector{2.5}));
    tensors.emplace("nothing", Tensor::from_doubles(Dtype::f64, {0, 7}, {}));
    for (bool const deflate : {false, true}) {
        auto const bytes = format_npz(tensors, deflate);
        EXPECT_EQ(bytes, format_npz(tensors, deflate));
        auto const again = parse_npz(bytes);
        ASSERT_TRUE(again) << again.error().message;
        ASSERT_EQ(again->size(), tensors.size());
        for (auto const& [name, tensor] : tensors) {
            EXPECT_EQ(again->at(name).dtype(), tensor.dtype()) << name;
            EXPECT_EQ(again->at(name).shape(), tensor.shape()) << name;
            EXPECT_TRUE(std::ranges::equal(again->at(name).bytes(), tensor.bytes())) << name;
        }
    }
}

TEST_F(Npz, WidensTheElementTypeThatNumpyLacks) {
    NamedTensors tensors;
    tensors.emplace("x", Tensor::from_doubles(Dtype::bf16, {1}, std::vector{1.5}));
    auto const again = parse_npz(format_npz(tensors));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->at("x").dtype(), Dtype::f32);
    EXPECT_EQ(again->at("x").as_double(0), 1.5);
}

RC_GTEST_PROP(NpzProperty, KeepsAnyNumbers, (bool deflate)) {
    auto const values = *rc::gen::arbitrary<std::vector<double>>();
    NamedTensors tensors;
    tensors.emplace("x", Tensor::from_doubles(Dtype::f64, {values.size()}, values));
    auto const again = parse_npz(format_npz(tensors, deflate));
    RC_ASSERT(again.has_value());
    RC_ASSERT(std::ranges::equal(again->at("x").bytes(), tensors.at("x").bytes()));
}

TEST_F(Npz, ShrinksWhenDeflated) {
    NamedTensors tensors;
    tensors.emplace("zeros", Tensor::from_doubles(Dtype::f64, {10'000}, std::vector<double>(10'000)));
    EXPECT_LT(format_npz(tensors, true).size(), 1000U);
    EXPECT_GT(format_npz(tensors, false).size(), 80'000U);
}

TEST_F(Npz, ReadsZip64Sizes) {
    auto const size = std::uint64_t{two_floats.size()};
    Member member{.data = two_floats,
                  .packed = 0xFFFFFFFF,
                  .unpacked = 0xFFFFFFFF,
                  .extra = raw(std::uint16_t{0x7075}) + raw(std::uint16_t{1}) + "?" + raw(std::uint16_t{1}) +
                           raw(std::uint16_t{16}) + raw(size) + raw(size)};
    auto const tensors = parse({member});
    ASSERT_TRUE(tensors) << tensors.error().message;
    EXPECT_EQ(tensors->at("x").to_doubles(), (std::vector<double>{1, 2}));
    member.extra.clear();
    EXPECT_EQ(refusal(member), "zip: member 'x.npy' lacks its zip64 sizes");
}

TEST_F(Npz, ReadsAZip64EndRecord) {
    std::string const plain = zip_of({{.data = two_floats}});
    std::size_t const end = plain.size() - 22;
    std::uint32_t directory_size = 0;
    std::uint32_t directory = 0;
    std::memcpy(&directory_size, plain.data() + end + 12, 4);
    std::memcpy(&directory, plain.data() + end + 16, 4);
    std::string const record = "PK\x06\x06" + raw(std::uint64_t{44}) + raw(std::uint16_t{45}) + raw(std::uint16_t{45}) +
                               raw(std::uint64_t{0}) + raw(std::uint64_t{1}) + raw(std::uint64_t{1}) +
                               raw(std::uint64_t{directory_size}) + raw(std::uint64_t{directory});
    auto const locator = [](std::uint64_t at) {
        return "PK\x06\x07" + raw(std::uint32_t{0}) + raw(at) + raw(std::uint32_t{1});
    };
    auto const tensors = parse_npz(bytes_of(zip_of({{.data = two_floats}}, record + locator(end), 0xFFFF - 1)));
    EXPECT_EQ(refusal(tensors), "accepted");
    EXPECT_EQ(refusal(parse_npz(bytes_of(zip_of({{.data = two_floats}}, record + locator(~std::uint64_t{0}))))),
              "zip: zip64 end record expected at 18446744073709551615");
}

TEST_F(Npz, RefusesWhatIsNoZip) {
    EXPECT_EQ(refusal(parse_npz(bytes_of("PK"))), "zip: too short");
    EXPECT_EQ(refusal(parse_npz(bytes_of(std::string(100, 'x')))), "zip: no end record: the file is cut off");
    std::string const whole = zip_of({{.data = two_floats}});
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_FALSE(parse_npz(bytes_of(whole.substr(0, length)))) << length;
    }
}

TEST_F(Npz, RefusesADirectoryThatDoesNotFit) {
    EXPECT_EQ(refusal(parse_npz(bytes_of(zip_of({{.data = two_floats}}, "", 1)))),
              "zip: directory of 2 members in 51 bytes at 111 does not fit");
    EXPECT_EQ(refusal({.data = two_floats, .header = 5}), "zip: member 'x.npy': no header at 5");
    EXPECT_EQ(refusal({.data = two_floats, .packed = 5000}),
              "zip: member 'x.npy': 5000 bytes at 35 lie outside the file");
}

TEST_F(Npz, RefusesDuplicateAndOverlappingMembers) {
    EXPECT_EQ(refusal(parse({{.data = two_floats}, {.data = two_floats}})), "zip: member 'x.npy' occurs twice");
    EXPECT_EQ(
        refusal(parse({{.name = "a.npy", .data = two_floats}, {.name = "b.npy", .data = two_floats, .header = 0}})),
        "zip: members 'a.npy' and 'b.npy' overlap");
}

TEST_F(Npz, RefusesDamagedData) {
    EXPECT_EQ(refusal({.data = two_floats, .crc = 1}), "zip: member 'x.npy': checksum does not match");
    EXPECT_EQ(refusal({.data = two_floats, .unpacked = 7}), "zip: member 'x.npy': stored, but its two sizes differ");
    EXPECT_EQ(refusal({.data = two_floats, .method = 8}), "zip: member 'x.npy': deflated data are damaged");
    EXPECT_EQ(refusal({.data = two_floats, .flags = 1}), "zip: member 'x.npy': is encrypted");
    EXPECT_EQ(refusal({.data = two_floats, .method = 12}), "zip: member 'x.npy': compression method 12");
}

TEST_F(Npz, RefusesABombBeforeUnpackingIt) {
    EXPECT_EQ(refusal({.data = "0123456789", .method = 8, .unpacked = 0xFFFFFFF0}),
              "zip: member 'x.npy': 4294967280 bytes cannot come from 10 deflated ones");
}

TEST_F(Npz, RefusesWhatShrankMoreThanInstancesCan) {
    NamedTensors tensors;
    tensors["zeros"] = *Tensor::from_bytes(Dtype::u8, {20'000'000}, std::vector<std::byte>(20'000'000));
    auto const bytes = format_npz(tensors, true);
    ASSERT_LT(bytes.size(), 30'000U);
    EXPECT_EQ(refusal(parse_npz(bytes)),
              fmt::format("zip: its members unpack to more than {} bytes, which is not plausible for {}",
                          16'777'216 + 32 * bytes.size(), bytes.size()));
    tensors["zeros"] = *Tensor::from_bytes(Dtype::u8, {15'000'000}, std::vector<std::byte>(15'000'000));
    EXPECT_EQ(refusal(parse_npz(format_npz(tensors, true))), "accepted"); // small enough to be harmless
}

TEST_F(Npz, RefusesDeflatedDataOfAnotherLength) {
    NamedTensors tensors;
    tensors.emplace("x", Tensor::from_doubles(Dtype::f64, {100}, std::vector<double>(100)));
    auto text = test::text_of(format_npz(tensors, true));
    std::size_t const directory = text.find("PK\x01\x02");
    for (char const change : {'\1', '\2', '\x7F'}) {
        auto damaged = text;
        damaged[directory + 24] = static_cast<char>(damaged[directory + 24] ^ change);
        EXPECT_EQ(refusal(parse_npz(bytes_of(damaged))), "zip: member 'x.npy': deflated data are damaged");
    }
}

TEST_F(Npz, RefusesMembersThatAreNoArrays) {
    EXPECT_EQ(refusal({.name = "data.pkl", .data = "x"}), "array 'data.pkl': members of an .npz end in .npy");
    EXPECT_EQ(refusal({.data = "x"}), "array 'x.npy': not a .npy array");
    EXPECT_EQ(refusal_of_array("{}", "", 9), "array 'x.npy': .npy version 9 is not supported");
    EXPECT_EQ(refusal({.data = std::string("\x93NUMPY\x01\x00\xFF\xFF", 10)}),
              "array 'x.npy': header length 65535 exceeds the array");
}

TEST_F(Npz, RefusesElementTypesAndOrdersItDoesNotKnow) {
    EXPECT_EQ(refusal_of_array("{'descr': '>f4', 'fortran_order': False, 'shape': ()}", "1234"),
              "array 'x.npy': dtype '>f4' is not supported (known: <f2 <f4 <f8 <i4 <i8 |u1 |b1)");
    EXPECT_EQ(refusal_of_array("{'descr': '|O', 'fortran_order': False, 'shape': ()}", "1234"),
              "array 'x.npy': dtype '|O' is not supported (known: <f2 <f4 <f8 <i4 <i8 |u1 |b1)");
    EXPECT_EQ(refusal_of_array("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1)}", "1234"),
              "array 'x.npy': the array is in Fortran order; save numpy.ascontiguousarray(...) instead");
}

TEST_F(Npz, RefusesHeadersThatAreNotQuiteRight) {
    for (std::string_view const dict : {
             "",
             "{",
             "{}",
             "{'descr': '<f4', 'fortran_order': False}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (1,)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
             "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (1,,)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
             "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}",
             "{'descr': '<f4' 'fortran_order': False 'shape': (1,)}",
         }) {
        EXPECT_EQ(refusal_of_array(dict, "1234").substr(0, 32), "array 'x.npy': unreadable header") << dict;
    }
}

TEST_F(Npz, RefusesShapesThatDoNotFitTheData) {
    auto const with = [](std::string_view shape) {
        return refusal_of_array(fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': {}}}", shape),
                                "12345678");
    };
    EXPECT_EQ(with("(2,)"), "accepted");
    EXPECT_EQ(with("(3,)"), "array 'x.npy': shape [3] of F32 does not match its 8 bytes");
    EXPECT_EQ(with("(1,)"), "array 'x.npy': shape [1] of F32 does not match its 8 bytes");
    EXPECT_EQ(with("(4294967296, 4294967296)"),
              "array 'x.npy': shape [4294967296, 4294967296] of F32 does not match its 8 bytes");
    EXPECT_EQ(with("(4611686018427387906,)"),
              "array 'x.npy': shape [4611686018427387906] of F32 does not match its 8 bytes");
}

TEST_F(Npz, NamesTheFileInErrors) {
    EXPECT_EQ(read_npz(path("missing.npz")).error().message, path("missing.npz").string() + ": no such file");
}

} // namespace
} // namespace cax::io
