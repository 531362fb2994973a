#include "partial_file.hpp"

#include "must.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"
#include "cax/records/kept_parts.hpp"

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
    JsonLines(std::string path, InstancePtr instance) : path_(std::move(path)), instance_(std::move(instance)) {}

    /// What is there, if it is of this key, is kept; the file then holds just that.
    void start(std::string const& key) {
        std::vector<std::string> lines = read(key);
        file_.open(path_, std::ios::trunc | std::ios::binary);
        file_ << Json{{"schema", partial_schema}, {"key", key}}.dump() << '\n';
        for (std::string const& line : lines) file_ << line << '\n';
        file_.flush();
        if (!file_) fail("{}: cannot be written", printable(path_));
    }

    bool recall(std::size_t step, Subset& part) const override {
        Json const* const json = find(step, "subset");
        return json != nullptr && records::read_kept(*json, part);
    }
    bool recall(std::size_t step, Sensitivity& part) const override {
        Json const* const json = find(step, "sensitivity");
        return json != nullptr && records::read_kept(*json, part);
    }
    bool recall(std::size_t step, Alternatives& part) const override {
        Json const* const json = find(step, "alternatives");
        return json != nullptr && records::read_kept(*instance_, *json, part);
    }
    void keep(std::size_t step, Subset const& part) override {
        if (!part.exact) append(step, "subset", records::kept_json(part)); // a search is not kept
    }
    void keep(std::size_t step, Sensitivity const& part) override {
        append(step, "sensitivity", records::kept_json(part));
    }
    void keep(std::size_t step, Alternatives const& part) override {
        append(step, "alternatives", records::kept_json(*instance_, part));
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

    [[nodiscard]] Json const* find(std::size_t step, char const* part) const {
        auto const found = parts_.find(Place(step, part));
        return found == parts_.end() ? nullptr : &found->second;
    }

    void append(std::size_t step, char const* part, Json value) {
        std::string const line = Json{{"step", step}, {"part", part}, {"value", std::move(value)}}.dump();
        std::scoped_lock const lock(mutex_);
        file_ << line << '\n' << std::flush;
    }

    std::string path_;
    InstancePtr instance_;
    std::map<Place, Json> parts_; ///< that were there; never changed once work has begun
    std::ofstream file_;
    std::mutex mutex_;
};

} // namespace

std::shared_ptr<PartialFile> PartialFile::open(std::string path, std::string const& key, InstancePtr instance) {
    auto file = std::make_shared<JsonLines>(std::move(path), std::move(instance));
    file->start(key);
    return file;
}

} // namespace cax::cli
