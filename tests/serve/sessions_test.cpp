#include "cax/serve/sessions.hpp"

#include "what_if.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

namespace cax::serve {
namespace {

class SessionsTest : public testing::Test {
protected:
    SessionsTest() {
        auto made = Sessions::make(*policy_, test::what_if_instance("op"), test::what_if_options());
        EXPECT_TRUE(made) << made.error().message;
        sessions_ = *std::move(made);
    }
    Json ask(std::string_view kind, std::string const& body) {
        Answer const answer = sessions_->answer(kind, body);
        EXPECT_TRUE(answer.understood) << answer.text;
        return Json::parse(answer.text);
    }
    std::string open() { return ask("open", "{}")["session"]; }
    Json move(std::string const& session, int sequence, double x) {
        return ask("edit",
                   fmt::format(
                       R"({{"session": "{}", "sequence": {}, "step": 0, "edits": [{{"node": 2, "x": {}, "y": 0.5}}]}})",
                       session, sequence, x));
    }

    std::unique_ptr<Policy> policy_ = test::what_if_policy("op");
    std::unique_ptr<Sessions> sessions_;
};

TEST_F(SessionsTest, EverybodyMovesTheirOwnInstance) {
    std::string const one = open();
    std::string const two = open();
    EXPECT_NE(one, two);
    EXPECT_EQ(move(one, 1, 0.25)["record"]["scene"]["nodes"][2]["x"], 0.25);
    EXPECT_EQ(move(two, 1, 0.75)["record"]["scene"]["nodes"][2]["x"], 0.75);
    Json const back = ask("undo", fmt::format(R"({{"session": "{}", "sequence": 2, "step": 0}})", one));
    EXPECT_NE(back["record"]["scene"]["nodes"][2]["x"], 0.25);
    EXPECT_EQ(ask("node", fmt::format(R"({{"session": "{}", "node": 2}})", two))["place"][0], 0.75);
}

TEST_F(SessionsTest, KeepSoManyAndCloseTheOneThatWasQuietForLongest) {
    std::string const first = open();
    std::string const second = open();
    for (std::size_t i = 2; i < most_sessions; ++i) open();
    EXPECT_EQ(move(first, 1, 0.5)["status"], "ok"); // now the second is the oldest
    open();
    EXPECT_EQ(move(first, 2, 0.4)["status"], "ok");
    EXPECT_EQ(move(second, 1, 0.5)["status"], "closed");
    EXPECT_EQ(move("nobody", 1, 0.5)["status"], "closed");
}

TEST_F(SessionsTest, SayWhatIsWrongWithARequest) {
    Answer const answer = sessions_->answer("undo", R"({"session": "s"})");
    EXPECT_FALSE(answer.understood);
    EXPECT_EQ(Json::parse(answer.text), (Json{{"status", "malformed"}, {"words", "sequence: missing"}}));
}

TEST_F(SessionsTest, AreAskedFromManyThreadsAtOnce) {
    std::string const shared = open();
    std::vector<std::thread> threads;
    std::array<int, 4> fine{};
    for (std::size_t t = 0; t < fine.size(); ++t) {
        threads.emplace_back([&, t] {
            std::string const own = open();
            for (int i = 1; i <= 10; ++i) {
                if (move(own, i, 0.05 * i)["status"] == "ok") ++fine[t];
                Json const other = move(shared, 4 * i + static_cast<int>(t), 0.05 * i);
                EXPECT_TRUE(other["status"] == "ok" || other["status"] == "stale") << other;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(fine, (std::array<int, 4>{10, 10, 10, 10}));
}

TEST(Unguessable, IsLongAndNeverTheSame) {
    std::set<std::string> names;
    for (int i = 0; i < 100; ++i) names.insert(unguessable(16));
    EXPECT_EQ(names.size(), 100);
    EXPECT_EQ(names.begin()->size(), 32);
}

} // namespace
} // namespace cax::serve
