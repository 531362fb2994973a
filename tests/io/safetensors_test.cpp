#include "bytes.hpp"
#include "cax/io/tensor_files.hpp"

#include <rapidcheck/gtest.h>

namespace cax::io {
namespace {

using test::bytes_of;
using test::raw;

std::string file_text(std::string_view header, std::string_view data) {
    return raw(std::uint64_t{header.size()}) + std::string(header) + std::string(data);
}

Result<TensorFile> parse(std::string_view header, std::string_view data = "") {
    return parse_safetensors(bytes_of(file_text(header, data)));
}

std::string refusal(std::string_view header, std::string_view data = "") {
    auto const file = parse(header, data);
    return file ? "accepted" : file.error().message;
}

class Safetensors : public test::InScratchFolder {};

TEST_F(Safetensors, ReadsTensorsInAnyOrderOfDataAndUnaligned) {
    auto const file = parse(R"({"b":{"dtype":"F32","shape":[2],"data_offsets":[3,11]},)"
                            R"("__metadata__":{"num_heads":"8"},)"
                            R"("a":{"data_offsets":[0,3],"shape":[3,1],"dtype":"U8"}}   )",
                            "\x01\x02\x03" + raw(1.5F) + raw(-2.0F));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->metadata.at("num_heads"), "8");
    EXPECT_EQ(file->tensors.at("a").shape(), (Shape{3, 1}));
    EXPECT_EQ(file->tensors.at("a").to_ints(), (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(file->tensors.at("b").to_doubles(), (std::vector<double>{1.5, -2.0}));
}

TEST_F(Safetensors, ReadsScalarsAndEmptyTensors) {
    auto const file = parse(R"({"s":{"dtype":"I64","shape":[],"data_offsets":[0,8]},)"
                            R"("e":{"dtype":"F64","shape":[4,0],"data_offsets":[8,8]}})",
                            raw(std::int64_t{-7}));
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->tensors.at("s").as_int(0), -7);
    EXPECT_EQ(file->tensors.at("s").shape(), Shape{});
    EXPECT_EQ(file->tensors.at("e").size(), 0U);
}

TEST_F(Safetensors, OfNothingIsAnEmptyFile) {
    auto const file = parse("{}");
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->tensors.empty());
    EXPECT_TRUE(file->metadata.empty());
}

TEST_F(Safetensors, KeepsEveryElementTypeThroughARoundTrip) {
    TensorFile file{.tensors = {}, .metadata = {{"problem", "op"}, {"note", "\"quotes\", \n and \xC3\xBC"}}};
    std::vector<double> const values{0, 1, 1, 0, 1, 1};
    for (Dtype const dtype :
         {Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64, Dtype::i32, Dtype::i64, Dtype::u8, Dtype::boolean}) {
        file.tensors.emplace(std::string("x/") + std::string(name_of(dtype)),
                             Tensor::from_doubles(dtype, {2, 3}, values));
    }
    auto const again = parse_safetensors(format_safetensors(file));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->metadata, file.metadata);
    ASSERT_EQ(again->tensors.size(), file.tensors.size());
    for (auto const& [name, tensor] : file.tensors) {
        Tensor const& read = again->tensors.at(name);
        EXPECT_EQ(read.dtype(), tensor.dtype()) << name;
        EXPECT_EQ(read.shape(), tensor.shape()) << name;
        EXPECT_EQ(read.to_doubles(), values) << name;
    }
}

RC_GTEST_PROP(SafetensorsProperty, WritesWhatItReads, ()) {
    TensorFile file;
    auto const names = *rc::gen::container<std::set<std::string>>(rc::gen::string<std::string>());
    for (std::string const& name : names) {
        auto const values = *rc::gen::arbitrary<std::vector<double>>();
        // Names must be text; anything else is replaced on writing.
        std::string const ascii = "t" + std::to_string(file.tensors.size()) + "/" + std::to_string(name.size());
        file.tensors.emplace(ascii, Tensor::from_doubles(Dtype::f64, {values.size()}, values));
        file.metadata.emplace(ascii, ascii);
    }
    auto const bytes = format_safetensors(file);
    auto const again = parse_safetensors(bytes);
    RC_ASSERT(again.has_value());
    RC_ASSERT(format_safetensors(*again) == bytes);
    for (auto const& [name, tensor] : file.tensors) {
        RC_ASSERT(std::ranges::equal(again->tensors.at(name).bytes(), tensor.bytes()));
    }
}

TEST_F(Safetensors, StartsDataAtAMultipleOfEightAndSortsNames) {
    TensorFile file;
    file.tensors.emplace("b", Tensor::from_doubles(Dtype::u8, {1}, std::vector{1.0}));
    file.tensors.emplace("a", Tensor::from_doubles(Dtype::u8, {1}, std::vector{2.0}));
    EXPECT_EQ(test::text_of(format_safetensors(file)),
              file_text(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                        R"("b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}       )",
                        "\x02\x01"));
}

TEST_F(Safetensors, NamesTheFileInErrors) {
    auto const file = read_safetensors(path("missing.safetensors"));
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().message, path("missing.safetensors").string() + ": no such file");
    ASSERT_TRUE(write_safetensors(path("a"), {}));
    ASSERT_TRUE(read_safetensors(path("a")));
}

TEST_F(Safetensors, RefusesAHeaderLongerThanTheFile) {
    EXPECT_EQ(parse_safetensors(bytes_of(raw(std::uint64_t{3}) + "{}")).error().message,
              "header length 3 exceeds the file");
    EXPECT_EQ(parse_safetensors(bytes_of(raw(~std::uint64_t{0}) + "{}")).error().message,
              "header length 18446744073709551615 exceeds the file");
    EXPECT_EQ(parse_safetensors(bytes_of("ab")).error().message, "2 bytes are no safetensors file");
}

TEST_F(Safetensors, RefusesAHeaderThatIsNoFlatJsonObject) {
    EXPECT_EQ(refusal(""), "the header is not JSON (at byte 1 of it)");
    EXPECT_EQ(refusal("[]"), "the header is a list, not an object");
    EXPECT_EQ(refusal("{}x"), "the header is not JSON (at byte 3 of it)");
    EXPECT_EQ(refusal(R"({"a":1})"), "tensor 'a': 1 where an object belongs");
    EXPECT_EQ(refusal(R"({"a":{"shape":{}}})"), "tensor 'a': shape cannot be an object");
    EXPECT_EQ(refusal(R"({"a":{"shape":[[1]]}})"), "tensor 'a': shape cannot be a list");
    EXPECT_EQ(refusal(R"({"a":{"size":3}})"), "tensor 'a': unknown field 'size'");
    EXPECT_EQ(refusal(R"({"a":{"dtype":"F32","shape":[]}})"), "tensor 'a': no data_offsets");
    EXPECT_EQ(refusal(std::string(1'000'000, '[')), "the header is a list, not an object");
}

TEST_F(Safetensors, RefusesNumbersThatAreNoSizes) {
    EXPECT_EQ(refusal(R"({"a":{"shape":[-1]}})"), "tensor 'a': shape cannot be -1");
    EXPECT_EQ(refusal(R"({"a":{"shape":[1.5]}})"), "tensor 'a': shape cannot be 1.5");
    EXPECT_EQ(refusal(R"({"a":{"shape":[1e400]}})"), "the header is not JSON (at byte 20 of it)");
    EXPECT_EQ(refusal(R"({"a":{"shape":[null]}})"), "tensor 'a': shape cannot be null");
}

TEST_F(Safetensors, RefusesOffsetsThatDoNotFit) {
    auto const with = [](std::string const& shape, std::string const& offsets) {
        return refusal(R"({"a":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}", "12345678");
    };
    EXPECT_EQ(with("[2]", "[0,8]"), "accepted");
    EXPECT_EQ(with("[2]", "[0,9]"), "tensor 'a': data_offsets [0, 9] lie outside the 8 bytes of data");
    EXPECT_EQ(with("[2]", "[8,0]"), "tensor 'a': data_offsets [8, 0] lie outside the 8 bytes of data");
    EXPECT_EQ(with("[2]", "[8]"), "tensor 'a': data_offsets is not a pair");
    EXPECT_EQ(with("[2]", "[0,4,8]"), "tensor 'a': data_offsets is not a pair");
    EXPECT_EQ(with("[3]", "[0,8]"), "tensor 'a': shape [3] of F32 does not fill data_offsets [0, 8]");
    EXPECT_EQ(with("[4294967296,4294967296,2]", "[0,8]"),
              "tensor 'a': shape [4294967296, 4294967296, 2] of F32 does not fill data_offsets [0, 8]");
    EXPECT_EQ(with("[4611686018427387906]", "[0,8]"), // times four is eight, modulo 2^64
              "tensor 'a': shape [4611686018427387906] of F32 does not fill data_offsets [0, 8]");
    EXPECT_EQ(with("[1]", "[0,4]"), "4 bytes behind the last tensor");
    EXPECT_EQ(with("[1]", "[4,8]"), "tensor 'a': data begin at 4, but those before it end at 0");
}

TEST_F(Safetensors, RefusesTensorsThatShareBytes) {
    EXPECT_EQ(refusal(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                      R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                      "123"),
              "tensor 'b': data begin at 1, but those before it end at 2");
}

TEST_F(Safetensors, RefusesUnknownElementTypes) {
    auto const file = parse(R"({"a":{"dtype":"F8_E4M3","shape":[],"data_offsets":[0,1]}})", "x");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::unsupported);
    EXPECT_EQ(file.error().message, "tensor 'a': unknown dtype 'F8_E4M3'");
}

TEST_F(Safetensors, RefusesDuplicates) {
    std::string const tensor = R"({"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
    EXPECT_EQ(refusal(R"({"a":)" + tensor + R"(,"a":)" + tensor + "}", "x"), "'a' occurs twice in the header");
    EXPECT_EQ(refusal(R"({"a":{"dtype":"U8","dtype":"U8"}})"), "tensor 'a': 'dtype' occurs twice");
    EXPECT_EQ(refusal(R"({"__metadata__":{},"__metadata__":{}})"), "'__metadata__' occurs twice in the header");
    EXPECT_EQ(refusal(R"({"__metadata__":{"k":"1","k":"2"}})"), "__metadata__: 'k' occurs twice");
}

TEST_F(Safetensors, RefusesMetadataThatAreNotStrings) {
    EXPECT_EQ(refusal(R"({"__metadata__":{"heads":8}})"), "__metadata__: heads cannot be 8");
    EXPECT_EQ(refusal(R"({"__metadata__":{"heads":{}}})"), "__metadata__: heads cannot be an object");
    EXPECT_EQ(refusal(R"({"__metadata__":"text"})"), "__metadata__: a string where an object belongs");
}

TEST_F(Safetensors, KeepsMessagesOnOneLineWhateverTheNames) {
    EXPECT_EQ(refusal(R"({"two\nlines\u001b[31m":1})"), "tensor 'two?lines?[31m': 1 where an object belongs");
    EXPECT_LT(refusal("{\"" + std::string(100'000, 'n') + "\":1}").size(), 200U);
}

} // namespace
} // namespace cax::io
