#include "cax/io/files.hpp"

#include "bytes.hpp"

#include <fstream>

namespace cax::io {
namespace {

class Files : public test::InScratchFolder {};

TEST_F(Files, ComeBackAsTheyWereWritten) {
    std::string const text("line\n\0more\xFF", 11);
    ASSERT_TRUE(write_text(path("a"), text));
    EXPECT_EQ(*read_text(path("a")), text);
    EXPECT_EQ(test::text_of(*read_bytes(path("a"))), text);
}

TEST_F(Files, AreReplacedAndLeaveNothingBehind) {
    ASSERT_TRUE(write_text(path("a"), "a first, longer version"));
    ASSERT_TRUE(write_text(path("a"), "second"));
    EXPECT_EQ(*read_text(path("a")), "second");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(Files, KeepTheirPermissionsWhenReplaced) {
    ASSERT_TRUE(write_text(path("a"), "old"));
    auto const private_to_owner = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
    std::filesystem::permissions(path("a"), private_to_owner);
    ASSERT_TRUE(write_text(path("a"), "new"));
    EXPECT_EQ(std::filesystem::status(path("a")).permissions(), private_to_owner);
}

TEST_F(Files, KeepALinkWhenWrittenThroughIt) {
    ASSERT_TRUE(write_text(path("real"), "old"));
    std::filesystem::create_symlink(path("real"), path("link"));
    ASSERT_TRUE(write_text(path("link"), "new"));
    EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
    EXPECT_EQ(*read_text(path("real")), "new");
}

TEST_F(Files, StayUntouchedWhenWritingFails) {
    ASSERT_TRUE(write_text(path("a"), "old"));
    EXPECT_FALSE(write_text(path("a") / "below", "new"));
    EXPECT_EQ(*read_text(path("a")), "old");
}

TEST_F(Files, AreWrittenToDevicesWithoutReplacingThem) {
    ASSERT_TRUE(write_text("/dev/null", "gone"));
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Files, ThatDoNotExistAreNamed) {
    auto const read = read_bytes(path("missing"));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::file_not_found);
    EXPECT_EQ(read.error().message, path("missing").string() + ": no such file");
}

TEST_F(Files, ThatAreFoldersAreRefusedBothWays) {
    EXPECT_EQ(read_bytes(folder_).error().message, folder_.string() + ": is a folder, not a file");
    EXPECT_EQ(write_text(folder_, "x").error().message, folder_.string() + ": is a folder, not a file");
    EXPECT_TRUE(std::filesystem::is_directory(folder_));
}

TEST_F(Files, ThatAreEmptyAreRefused) {
    std::ofstream(path("empty"));
    EXPECT_EQ(read_text(path("empty")).error().message, path("empty").string() + ": the file is empty");
}

TEST_F(Files, InMissingFoldersCannotBeWritten) {
    auto const written = write_text(path("no") / "file", "x");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::write_failed);
    EXPECT_EQ(written.error().message, (path("no") / "file").string() + ": there is no folder " + path("no").string());
}

TEST_F(Files, FromAPipeAreReadToTheEnd) {
    std::string const text(100'000, 'x');
    ASSERT_TRUE(write_text(path("a"), text));
    std::FILE* const pipe = ::popen(("cat " + path("a").string()).c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    auto const read = read_text("/dev/fd/" + std::to_string(::fileno(pipe)));
    ::pclose(pipe);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, text);
}

TEST_F(Files, ThatNeverEndAreRefused) {
    for (char const* device : {"/dev/zero", "/dev/null", "/dev/urandom"}) {
        EXPECT_EQ(read_bytes(device).error().message, std::string(device) + ": is a device, neither a file nor a pipe");
    }
    std::FILE* const pipe = ::popen("head -c 300M /dev/zero", "r");
    ASSERT_NE(pipe, nullptr);
    std::string const name = "/dev/fd/" + std::to_string(::fileno(pipe));
    EXPECT_EQ(read_bytes(name).error().message, name + ": more than 256 MiB come from this pipe");
    ::pclose(pipe);
}

TEST_F(Files, LargerThanAnythingPlausibleAreRefusedUnread) {
    std::ofstream(path("sparse"));
    std::filesystem::resize_file(path("sparse"), std::uintmax_t{1} << 40);
    EXPECT_EQ(read_bytes(path("sparse")).error().message,
              path("sparse").string() + ": has 1099511627776 bytes: more than 4 GiB are not read");
}

TEST_F(Files, ThatSayTheyAreEmptyAndAreNotAreRead) {
    EXPECT_FALSE(read_text("/proc/self/status")->empty()); // its size is 0
}

TEST_F(Files, BehindLinksThatLeadNowhereAreNamed) {
    std::filesystem::create_symlink("round", path("round"));
    std::filesystem::create_symlink("gone", path("dangling"));
    EXPECT_EQ(read_bytes(path("round")).error().message,
              path("round").string() + ": is a link that leads round in a circle");
    EXPECT_EQ(read_bytes(path("dangling")).error().message,
              path("dangling").string() + ": is a link to gone, which does not exist");
    EXPECT_EQ(write_text(path("round"), "x").error().message,
              path("round").string() + ": is a link that leads round in a circle");
    ASSERT_TRUE(write_text(path("dangling"), "x")); // which makes what the link leads to
    EXPECT_TRUE(std::filesystem::is_symlink(path("dangling")));
    EXPECT_EQ(*read_text(path("gone")), "x");
}

TEST_F(Files, AreTheSameByWhateverName) {
    ASSERT_TRUE(write_text(path("a"), "x"));
    ASSERT_TRUE(write_text(path("other"), "x"));
    std::filesystem::create_symlink(path("a"), path("link"));
    std::filesystem::create_hard_link(path("a"), path("hard"));
    std::filesystem::create_directory(path("folder"));
    for (auto const& name : {path("a"), path("link"), path("hard"), path("folder/../a"), folder_ / "." / "a"}) {
        EXPECT_TRUE(same_file(path("a"), name)) << name;
    }
    EXPECT_FALSE(same_file(path("a"), path("other")));
    EXPECT_FALSE(same_file(path("a"), path("not there yet")));
    EXPECT_TRUE(same_file(path("new"), path("folder/../new")));
    EXPECT_FALSE(same_file(path("new"), path("newer")));
    std::filesystem::create_symlink("new", path("to-new"));
    EXPECT_TRUE(same_file(path("new"), path("to-new")));
}

TEST_F(Files, ThatCannotBeWrittenAreKnownBefore) {
    ASSERT_TRUE(write_text(path("a"), "x"));
    EXPECT_TRUE(check_writable(path("a")));
    EXPECT_TRUE(check_writable(path("new")));
    EXPECT_TRUE(check_writable("/dev/null"));
    EXPECT_FALSE(std::filesystem::exists(path("new")));
    EXPECT_EQ(check_writable(folder_).error().message, folder_.string() + ": is a folder, not a file");
    EXPECT_EQ(check_writable(path("no/new")).error().message,
              path("no/new").string() + ": there is no folder " + path("no").string());
    EXPECT_FALSE(check_writable("/proc/new")); // nobody may, not even root
}

} // namespace
} // namespace cax::io
