#include "result_file.hpp"

#include "must.hpp"

#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/solutions.hpp"
#include "cax/records/tables.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace cax::cli {

namespace {
/// Where standard output led before it was set aside; -1: it was not.
int kept_output = -1;
} // namespace

void set_standard_output_aside() {
    if (kept_output >= 0) return;
    std::fflush(stdout);
    kept_output = dup(STDOUT_FILENO);
    if (kept_output >= 0) dup2(STDERR_FILENO, STDOUT_FILENO);
}

Json read_json(std::string const& path) {
    auto const text = must(io::read_text(path));
    return must(io::parse_json(text), path);
}

void make_folder(std::filesystem::path const& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) fail("{}: cannot make this folder: {}", folder.string(), failed.message());
}

void write_json(std::string const& path, Json const& json) {
    if (path.empty()) return;
    std::string const text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (path != standard_output) return must(io::write_text(path, text));
    std::FILE* const file = kept_output >= 0 ? fdopen(dup(kept_output), "w") : nullptr;
    bool const written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    bool const closed = file != nullptr && std::fclose(file) == 0;
    if (!written || !closed) fail("--json -: standard output cannot be written");
}

void write_csv(std::string const& folder, Json const& result) {
    make_folder(folder);
    for (records::TidyTable const& table : records::tables_of(result)) {
        must(io::write_text(std::filesystem::path(folder) / (table.name + ".csv"), table.csv()));
    }
}

} // namespace cax::cli
