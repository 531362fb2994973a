#include "data.hpp"

namespace cax::test {

std::filesystem::path data_path(std::filesystem::path const& relative) {
    return std::filesystem::path(CAX_TEST_DATA_DIR) / relative;
}

std::filesystem::path shared_path(std::filesystem::path const& relative) {
    return std::filesystem::path(CAX_SHARED_DIR) / relative;
}

} // namespace cax::test
