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

} // namespace
} // namespace cax::io
