#pragma once
// A folder that is gone when the test is.
#include <cstdlib>
#include <filesystem>
#include <string>

namespace cax::test {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "cax-study-XXXXXX").string();
        if (mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(TemporaryFolder const&) = delete;
    TemporaryFolder& operator=(TemporaryFolder const&) = delete;

    [[nodiscard]] std::filesystem::path const& path() const { return path_; }
    std::filesystem::path operator/(std::filesystem::path const& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

} // namespace cax::test
