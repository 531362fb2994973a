#include "partial_file.hpp"

#include "must.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <mutex>

namespace cax::cli {
namespace {

constexpr char const* partial_schema = "cax/partial/1";

class JsonLines final : public PartialFile {
public:
    explicit JsonLines(std::string path) : path_(std::move(path)) {}

    /// What is there, if it is of this key, is kept; the file then holds just that.
    void start(std::string const& key) {
        std::vector<std::string> lines = read(key);
        file_.open(path_, std::ios::trunc | std::ios::binary);
        file_ << Json{{"schema", partial_schema}, {"key", key}}.dump() << '\n';
        for (std::string const& line : lines) file_ << line << '\n';
        file_.flush();
        if (!file_) fail("{}: cannot be written", printable(path_));
    }

    Json const* recall(std::size_t step, std::string_view part) const override {
        auto const found = parts_.find(Place(step, part));
        return found == parts_.end() ? nullptr : &found->second;
    }
    void keep(std::size_t step, std::string_view part, Json const& value) override {
        std::string const line = Json{{"step", step}, {"part", part}, {"value", value}}.dump();
        std::scoped_lock const lock(mutex_);
        file_ << line << '\n' << std::flush;
    }
    [[nodiscard]] std::size_t recalled() const override { return parts_.size(); }
    void remove() override {
        file_.close();
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

private:
    using Place = std::pair<std::size_t, std::string>;

    /// The lines of parts, as far as they are whole.
    std::vector<std::string> read(std::string const& key) {
        std::ifstream file(path_, std::ios::binary);
        std::vector<std::string> lines;
        std::string line;
        auto const parsed = [&] { return Json::parse(line, nullptr, /*allow_exceptions=*/false); };
        if (!std::getline(file, line) || parsed() != Json{{"schema", partial_schema}, {"key", key}}) return lines;
        while (std::getline(file, line) && !file.eof()) { // the end of the file before that of the line: torn
            Json json = parsed();
            if (!json.is_object() || !json.contains("value") || !json["step"].is_number_unsigned() ||
                !json["part"].is_string())
                break;
            parts_[Place(json["step"].get<std::size_t>(), json["part"].get<std::string>())] = json["value"];
            lines.push_back(line);
        }
        return lines;
    }

    std::string path_;
    std::map<Place, Json> parts_; ///< that were there; never changed once work has begun
    std::ofstream file_;
    std::mutex mutex_;
};

} // namespace

std::shared_ptr<PartialFile> PartialFile::open(std::string path, std::string const& key) {
    auto file = std::make_shared<JsonLines>(std::move(path));
    file->start(key);
    return file;
}

} // namespace cax::cli
