#include "cax/study/store.hpp"

#include "temporary_folder.hpp"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace cax::study {
namespace {

using testing::HasSubstr;

StoreHeader header() {
    return {.version = "1.2.3",
            .settings = R"({"shots":16,"subset":{"k_max":5}})",
            .policies = {{"op", 0, "op-20-s0.safetensors", std::string(64, 'a'), "20"}},
            .shard = {}};
}

CellRow decision(std::size_t instance, int step, std::string stage, std::string result) {
    return {{"op", 0, instance, step, std::move(stage)}, std::move(result)};
}

/// What somebody else does to the file.
void meddle(std::filesystem::path const& path, std::string const& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
}

std::string bytes_of(std::filesystem::path const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class StoreTest : public testing::Test {
protected:
    [[nodiscard]] Store open(StoreHeader const& with = header()) const {
        auto store = Store::open(path_, with);
        EXPECT_TRUE(store) << store.error().message;
        return std::move(*store);
    }
    test::TemporaryFolder folder_;
    std::filesystem::path path_ = folder_ / "study.sqlite";
};

TEST_F(StoreTest, GivesBackWhatItWasGivenInTheOrderOfKeys) {
    auto store = open();
    ASSERT_TRUE(store.insert(std::vector{decision(1, 0, "b", R"({"x":1})"), decision(0, 2, "a", R"({"x":2})")}));
    ASSERT_TRUE(store.insert(std::vector{decision(0, whole_instance, "a", R"({"x":3})")}));
    auto const rows = store.rows();
    ASSERT_TRUE(rows);
    ASSERT_EQ(rows->size(), 3U);
    EXPECT_EQ((*rows)[0].result, R"({"x":3})");
    EXPECT_EQ((*rows)[1].result, R"({"x":2})");
    EXPECT_EQ((*rows)[2].key, (CellKey{"op", 0, 1, 0, "b"}));
    EXPECT_EQ(store.rows("a")->size(), 2U);
    EXPECT_EQ(store.present("op", 0, 0).value(), (std::set<std::pair<std::string, int>>{{"a", 2}, {"a", -1}}));
    EXPECT_TRUE(store.present("op", 1, 0)->empty());
}

TEST_F(StoreTest, KeepsTheFirstOfTwoEqualKeys) {
    auto store = open();
    ASSERT_TRUE(store.insert(std::vector{decision(0, 0, "a", "1")}));
    ASSERT_TRUE(store.insert(std::vector{decision(0, 0, "a", "2"), decision(0, 1, "a", "3")}));
    EXPECT_EQ(*store.size(), 2U);
    EXPECT_EQ(store.rows().value().front().result, "1");
}

TEST_F(StoreTest, ATransactionWithABadRowLeavesNothing) {
    auto store = open();
    EXPECT_FALSE(store.insert(std::vector{decision(0, 0, "a", "1"), decision(0, 1, "a", "{not json")}));
    EXPECT_EQ(*store.size(), 0U);
    EXPECT_TRUE(store.insert(std::vector{decision(0, 0, "a", "1")}));
}

TEST_F(StoreTest, RefusesAnotherVersionOtherSettingsAndOtherPolicies) {
    { auto const store = open(); }
    auto const refusal = [&](auto&& change) {
        StoreHeader other = header();
        change(other);
        auto const store = Store::open(path_, other);
        return store ? std::string("accepted") : store.error().message;
    };
    EXPECT_EQ(refusal([](StoreHeader&) {}), "accepted");
    EXPECT_THAT(refusal([](StoreHeader& h) { h.version = "1.2.4"; }), HasSubstr("made by cax 1.2.3, this is 1.2.4"));
    EXPECT_THAT(refusal([](StoreHeader& h) { h.settings = R"({"shots":32,"subset":{"k_max":5}})"; }),
                HasSubstr("shots is 16 there and 32 now"));
    EXPECT_THAT(refusal([](StoreHeader& h) { h.settings = R"({"shots":16,"subset":{"k_max":6}})"; }),
                HasSubstr("subset.k_max is 5 there and 6 now"));
    EXPECT_THAT(refusal([](StoreHeader& h) { h.policies[0].sha256 = std::string(64, 'b'); }),
                HasSubstr("another op policy of seed 0"));
    EXPECT_THAT(refusal([](StoreHeader& h) { h.policies[0].size = "30"; }), HasSubstr("size 20 there, 30 now"));
    EXPECT_THAT(refusal([](StoreHeader& h) {
                    h.policies.push_back({"op", 1, "x", "c", "20"});
                }),
                HasSubstr("no policy x"));
    EXPECT_THAT(refusal([](StoreHeader& h) { h.policies.clear(); }), HasSubstr("1 policies, now there are 0"));
    EXPECT_THAT(refusal([](StoreHeader& h) { h.shard = {1, 2}; }), HasSubstr("shard 0/1, not 1/2"));
}

TEST_F(StoreTest, RefusesFilesThatAreNoStudy) {
    std::ofstream(path_)
        << "some text that is long enough to be looked at as a database file, but is none at all......";
    auto const text = Store::open(path_, header());
    ASSERT_FALSE(text);
    EXPECT_THAT(text.error().message, HasSubstr("not an SQLite file"));
    EXPECT_FALSE(Store::open_to_read(path_));
    auto const absent = Store::open_to_read(folder_ / "absent.sqlite");
    ASSERT_FALSE(absent);
    EXPECT_THAT(absent.error().message, HasSubstr("no such file"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "absent.sqlite"));
    auto const nowhere = Store::open(folder_ / "no" / "such" / "folder.sqlite", header());
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(nowhere.error().message, HasSubstr("cannot be opened"));
}

TEST_F(StoreTest, LeavesADatabaseOfOthersAsItWas) {
    meddle(path_, "CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('a')");
    std::string const before = bytes_of(path_);
    auto const refused = Store::open(path_, header());
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("is not the store of a study"));
    EXPECT_EQ(bytes_of(path_), before);
}

TEST_F(StoreTest, RefusesACellOfAnUnknownPolicy) {
    auto store = open();
    CellRow stranger = decision(0, 0, "a", "1");
    stranger.key.seed = 7;
    auto const refused = store.insert(std::vector{decision(0, 1, "a", "1"), stranger});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("op seed 7, which has no policy"));
    EXPECT_EQ(*store.size(), 0U);
    EXPECT_TRUE(store.insert(std::vector{decision(0, 1, "a", "1")}));
}

TEST_F(StoreTest, SettledIsOneFileWithEverything) {
    auto store = open();
    ASSERT_TRUE(store.insert(std::vector{decision(0, 0, "a", "1")}));
    ASSERT_TRUE(store.settle());
    std::filesystem::copy_file(path_, folder_ / "copy.sqlite");
    EXPECT_EQ(*Store::open_to_read(folder_ / "copy.sqlite")->size(), 1U);
}

TEST_F(StoreTest, AFullDiskIsAClearErrorAndLosesNothing) {
    auto store = open();
    ASSERT_TRUE(store.insert(std::vector{decision(0, 0, "a", "1")}));
    store.limit_pages(40);
    std::string const large = '"' + std::string(20'000, 'x') + '"';
    std::string message;
    for (std::size_t i = 1; i < 40 && message.empty(); ++i) {
        auto const written = store.insert(std::vector{decision(i, 0, "a", large)});
        if (!written) message = written.error().message;
    }
    EXPECT_THAT(message, HasSubstr("disk is full"));
    auto const kept = *store.size();
    EXPECT_GE(kept, 2U);
    store.limit_pages(1'000'000);
    EXPECT_TRUE(store.insert(std::vector{decision(99, 0, "a", large)}));
    EXPECT_EQ(*store.size(), kept + 1);
}

/// What opening says in a process that is not allowed to write here.
std::string said_without_rights(std::filesystem::path const& path, bool to_read = false) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    pid_t const child = fork();
    if (child == 0) {
        if (getuid() == 0 && setuid(65534) != 0) _exit(1);
        auto const store = to_read ? Store::open_to_read(path) : Store::open(path, header());
        std::string const text = store ? "opened" : store.error().message;
        _exit(write(ends[1], text.data(), text.size()) < 0 ? 1 : 0);
    }
    close(ends[1]);
    std::string text(2000, '\0');
    auto const length = read(ends[0], text.data(), text.size());
    close(ends[0]);
    waitpid(child, nullptr, 0);
    text.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
    return text;
}

TEST_F(StoreTest, AReadOnlyFileIsAClearErrorAndStaysAsItWas) {
    {
        auto store = open();
        ASSERT_TRUE(store.insert(std::vector{decision(0, 0, "a", "1")}));
    }
    using std::filesystem::perms;
    std::filesystem::permissions(path_, perms::owner_read | perms::group_read | perms::others_read);
    std::filesystem::permissions(folder_.path(), perms::owner_read | perms::owner_exec | perms::group_read |
                                                     perms::group_exec | perms::others_read | perms::others_exec);
    std::string const said = said_without_rights(path_);
    std::string const said_to_reader = said_without_rights(path_, true);
    std::filesystem::permissions(folder_.path(), perms::owner_all);
    std::filesystem::permissions(path_, perms::owner_read | perms::owner_write);
    EXPECT_THAT(said, HasSubstr("study.sqlite: cannot be written"));
    EXPECT_EQ(said_to_reader, "opened");
    EXPECT_EQ(*open().size(), 1U);
}

TEST_F(StoreTest, TwoConnectionsWriteAtOnceAndNothingIsLost) {
    std::vector<std::thread> writers;
    for (int w = 0; w < 2; ++w) {
        writers.emplace_back([this] {
            auto store = open();
            for (std::size_t i = 0; i < 150; ++i) {
                EXPECT_TRUE(store.insert(std::vector{decision(i, 0, "a", std::to_string(i))}));
            }
        });
    }
    for (std::thread& writer : writers) writer.join();
    auto const found = open().rows();
    ASSERT_TRUE(found);
    auto const& rows = *found;
    ASSERT_EQ(rows.size(), 150U);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].result, std::to_string(rows[i].key.instance));
}

TEST_F(StoreTest, ExportsTablesAndViewsAsCsv) {
    auto store = open();
    ASSERT_TRUE(store.insert(
        std::vector{decision(0, 1, "counterfactual/replay", R"({"flip":true,"new_action":3,"l1":0.5,"family":"prize"})"),
                    decision(0, 0, "attribution", R"({"action":7,"top":{"lp":"prize","proxy":"say \"a,b\""}})")}));
    EXPECT_EQ(*store.csv("counterfactuals"),
              "problem,seed,instance,step,variant,flip,action,new_action,l1,tensor,family,instance_verdict,"
              "prefix_verdict,forward_passes\r\nop,0,0,1,replay,1,,3,0.5,,prize,,,\r\n");
    EXPECT_THAT(*store.csv("attributions"), HasSubstr("op,0,0,0,7,,,proxy,\"say \"\"a,b\"\"\"\r\n"));
    EXPECT_FALSE(store.csv("nonsense"));
    EXPECT_FALSE(store.csv("x\"; DROP TABLE cells; --"));
    auto const names = *store.relations();
    for (std::string const& name : names) EXPECT_TRUE(store.csv(name)) << name;
    meddle(path_, R"(CREATE VIEW "../../elsewhere" AS SELECT 1; CREATE VIEW "/etc/x" AS SELECT 1)");
    EXPECT_EQ(*store.relations(), names) << "names become file names";
}

TEST(Shard, IsWrittenAsIndexAndCount) {
    EXPECT_EQ(shard_of("3/5")->index, 3U);
    EXPECT_EQ(shard_of("0/1")->count, 1U);
    for (char const* bad : {"", "/", "1", "5/5", "1/0", "-1/3", "1/3x", "a/b", "1/99999999999999999999"}) {
        EXPECT_FALSE(shard_of(bad)) << bad;
    }
}

} // namespace
} // namespace cax::study
