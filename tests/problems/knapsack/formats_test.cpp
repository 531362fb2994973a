#include "support.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/registry.hpp"

#include <gmock/gmock.h>

namespace cax::knapsack::test {
namespace {

using testing::HasSubstr;

TextFormat const& mknap() { return find_problem("knapsack")->exchange().text_formats()[0]; }

std::string const small_file = " 1\r\n 4 2 9\r\n 6 5 4 1\r\n 6 5 5 1\r\n 2 4\r\n 4 6\r\n 10 8\r\n";

std::string refusal_of(std::string const& text) {
    auto const instance = mknap().read(text, {});
    return instance ? "it was accepted" : instance.error().message;
}

TEST(MknapFormat, ReadsValuesThenEachResourceThenWhatThereIs) {
    ASSERT_TRUE(mknap().recognises(small_file));
    auto const read = mknap().read(small_file, {});
    ASSERT_TRUE(read) << read.error().message;
    Data expected = four_items();
    expected.name = "";
    EXPECT_EQ(static_cast<Instance const&>(**read).data(), expected);
}

TEST(MknapFormat, ReadsBackWhatItWrites) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        auto const instance = generated("20", seed);
        auto const text = mknap().write(*instance);
        ASSERT_TRUE(text);
        for (Problem const* problem : all_problems()) {
            for (TextFormat const& format : problem->exchange().text_formats()) {
                EXPECT_EQ(format.recognises(*text), format.name == "mknap") << format.name;
            }
        }
        auto const read = mknap().read(*text, {});
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(static_cast<Instance const&>(**read).data(), instance->data());
    }
}

TEST(MknapFormat, SaysWhatItDoesNotUnderstandAndWhere) {
    EXPECT_EQ(refusal_of("7\n4 2 0\n"), "line 1: 7 instances: expected one");
    EXPECT_EQ(refusal_of("1\n4 5 0\n"), "line 2: 5 resources: expected 2, a weight and a volume");
    EXPECT_THAT(refusal_of("1\n0 2 0\n"), HasSubstr("line 2: 0 items"));
    EXPECT_THAT(refusal_of("1\n99999999 2 0\n"), HasSubstr("items: expected 1 to"));
    EXPECT_THAT(refusal_of("1\n2 2 0\n1 x"), HasSubstr("line 3: values: 'x' is not a number"));
    EXPECT_THAT(refusal_of("1\n2 2 0\n1 2\n1 1\n1"), HasSubstr("volumes"));
    EXPECT_THAT(refusal_of("1\n2 2 0\n1 2\n1 1\n1 1\n0 5\n"), HasSubstr("max_weight is 0"));
    EXPECT_THAT(refusal_of("1\n2 2 0\n1 2\n1 1\n1 1\n5 5\n7\n"), HasSubstr("more numbers"));
    EXPECT_THAT(refusal_of("1\n2 2 0\n1 2\n9 1\n1 1\n5 5\n"), HasSubstr("item 0: weight is 1.8 times the capacity"));
}

} // namespace
} // namespace cax::knapsack::test
