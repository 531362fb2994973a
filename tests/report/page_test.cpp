#include "cax/report/page.hpp"

#include "cax/core/json.hpp"

#include <gtest/gtest.h>

namespace cax::report {
namespace {

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/// What stands in the page's data element, up to the first thing that ends it for a browser.
std::string data_of(std::string const& html) {
    std::string_view const opening = R"(<script type="application/json" id="data">)";
    std::size_t const from = html.find(opening) + opening.size();
    return html.substr(from, html.find("</script", from) - from);
}

TEST(ReportPage, CarriesTheJsonAndGivesItBackUnchanged) {
    Json const data = {{"schema", "cax/explanation/1"}, {"x", 0.1}, {"list", {1, 2, nullptr}}};
    auto const html = page(data);
    ASSERT_TRUE(html) << html.error().message;
    EXPECT_EQ(Json::parse(data_of(*html)), data);
}

TEST(ReportPage, HostileStringsCannotEndTheirElement) {
    std::string const hostile =
        "</script><script>alert(1)</script><!-- \" ' & \xE2\x80\xA8 \n \xE2\x80\xA9 @CAX_DATA@ $&";
    Json const data = {{"schema", "cax/explanation/1"}, {hostile, hostile}};
    auto const html = page(data);
    auto const plain = page({{"schema", "cax/explanation/1"}});
    ASSERT_TRUE(html && plain);
    EXPECT_EQ(Json::parse(data_of(*html)), data);
    for (std::string_view const part : {"<script", "</script", "<!--"}) {
        EXPECT_EQ(count(*html, part), count(*plain, part)) << part;
    }
}

TEST(ReportPage, BrokenUtf8IsReplacedNotPassedOn) {
    std::string const text = embeddable(Json(std::string("a\xFF\xC0z")));
    EXPECT_EQ(Json::parse(text).get<std::string>(), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
    for (char const c : text) EXPECT_LT(static_cast<unsigned char>(c), 0x80);
}

TEST(ReportPage, SaysThatNothingMayBeFetchedAndOneScriptMayRun) {
    auto const html = page({{"schema", "cax/study/1"}});
    ASSERT_TRUE(html) << html.error().message;
    EXPECT_NE(html->find("default-src 'none'; script-src 'sha256-"), std::string::npos);
    EXPECT_EQ(count(*html, "src=\""), 0u);
    EXPECT_EQ(count(*html, "<link"), 0u);
    EXPECT_EQ(count(*html, "@CAX_DATA@"), 0u);
}

TEST(ReportPage, RefusesWhatItCannotShowAndNamesIt) {
    auto const solve = page({{"schema", "cax/solve/1"}});
    ASSERT_FALSE(solve);
    EXPECT_EQ(solve.error().message, "schema is \"cax/solve/1\": a report shows cax/explanation/1 or cax/study/1");
    EXPECT_FALSE(page(Json::array()));
    EXPECT_FALSE(page({{"schema", 1}}));
}

} // namespace
} // namespace cax::report
