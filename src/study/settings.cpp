#include "cax/study/settings.hpp"

#include "cax/core/json.hpp"
#include "cax/core/printable.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace cax::study {

Settings quick_settings() {
    Settings settings;
    settings.instances = 3;
    settings.steps = 3;
    settings.shots = 32;
    settings.subset.instances = 1;
    settings.subset.k_max = 6;
    settings.search_iterations = 2000;
    settings.certify_work = 2000;
    settings.resamples = 500;
    return settings;
}

Json to_json(Settings const& s) {
    Json sizes = Json::object();
    for (auto const& [problem, size] : s.sizes) sizes[problem] = size;
    return {{"instances", s.instances},
            {"steps", s.steps},
            {"shots", s.shots},
            {"seed", s.seed},
            {"subset",
             {{"policies", s.subset.policies},
              {"instances", s.subset.instances},
              {"epsilon", s.subset.epsilon},
              {"delta", s.subset.delta},
              {"sigma", s.subset.sigma},
              {"k_max", s.subset.k_max}}},
            {"search_iterations", s.search_iterations},
            {"certify_work", s.certify_work},
            {"resamples", s.resamples},
            {"confidence", s.confidence},
            {"sizes", std::move(sizes)}};
}

namespace {

Error wrong(std::string const& field, Json const& value, std::string const& expected) {
    return {ErrorCode::invalid_value,
            fmt::format("{}: {} is not {}", field, printable(value.dump(-1, ' ', true)), expected)};
}

struct WholeRange {
    std::uint64_t low;
    std::uint64_t high;
};

/// Reads one field after the other out of an object; the first error stays.
class Fields {
public:
    Fields(Json const& json, std::string prefix) : json_(json), prefix_(std::move(prefix)) {}

    template <class Whole> void whole(char const* name, Whole& target, WholeRange range) {
        Json const* const value = take(name);
        if (value == nullptr) return;
        bool const fits = value->is_number_unsigned() && value->get<std::uint64_t>() >= range.low &&
                          value->get<std::uint64_t>() <= range.high;
        if (!fits) return fail(name, *value, fmt::format("a whole number from {} to {}", range.low, range.high));
        target = value->get<Whole>();
    }
    /// Strictly between low and high.
    void real(char const* name, double& target, double low, double high) {
        Json const* const value = take(name);
        if (value == nullptr) return;
        bool const fits = value->is_number() && value->get<double>() > low && value->get<double>() < high;
        if (!fits) return fail(name, *value, fmt::format("a number between {} and {}", low, high));
        target = value->get<double>();
    }
    Json const* take(char const* name) {
        known_.emplace_back(name);
        auto const found = json_.find(name);
        return found == json_.end() || error_ ? nullptr : &*found;
    }
    void fail(char const* name, Json const& value, std::string const& expected) {
        if (!error_) error_ = wrong(prefix_ + name, value, expected);
    }
    [[nodiscard]] std::optional<Error> finish() const {
        if (error_) return error_;
        for (auto const& [name, value] : json_.items()) {
            if (std::ranges::find(known_, name) != known_.end()) continue;
            return Error{ErrorCode::invalid_value, fmt::format("{}{}: no such setting; there are {}", prefix_,
                                                               printable(name), fmt::join(known_, ", "))};
        }
        return std::nullopt;
    }

private:
    Json const& json_;
    std::string prefix_;
    std::vector<std::string> known_;
    std::optional<Error> error_;
};

std::optional<Error> read_subset(Json const& json, SubsetSettings& subset) {
    if (!json.is_object()) return wrong("subset", json, "an object");
    Fields fields(json, "subset.");
    fields.whole("policies", subset.policies, {0, 1000});
    fields.whole("instances", subset.instances, {0, 1'000'000});
    fields.real("epsilon", subset.epsilon, 0, 1);
    fields.real("delta", subset.delta, 0, 1);
    fields.real("sigma", subset.sigma, 0, 1e6);
    fields.whole("k_max", subset.k_max, {1, 100'000});
    return fields.finish();
}

std::optional<Error> read_sizes(Json const& json, Settings& settings) {
    if (!json.is_object()) return wrong("sizes", json, "an object like {\"problem\": \"20\"}");
    for (auto const& [problem, size] : json.items()) {
        if (!size.is_string()) return wrong("sizes." + printable(problem), size, "a size in quotes, like \"20\"");
        settings.sizes[problem] = size.get<std::string>();
    }
    return std::nullopt;
}

} // namespace

Result<Settings> settings_from_json(Json const& json, Settings const& base) {
    if (!json.is_object()) return wrong("settings", json, "an object");
    Settings settings = base;
    Fields fields(json, "");
    fields.whole("instances", settings.instances, {1, 1'000'000});
    fields.whole("steps", settings.steps, {1, 100'000});
    fields.whole("shots", settings.shots, {1, 10'000'000});
    fields.whole("seed", settings.seed, {0, std::uint64_t{0} - 1});
    fields.whole("search_iterations", settings.search_iterations, {1, 1'000'000'000'000});
    fields.whole("certify_work", settings.certify_work, {1, 1'000'000'000'000});
    fields.whole("resamples", settings.resamples, {1, 100'000'000});
    fields.real("confidence", settings.confidence, 0, 1);
    if (Json const* const subset = fields.take("subset")) {
        if (auto error = read_subset(*subset, settings.subset)) return *error;
    }
    if (Json const* const sizes = fields.take("sizes")) {
        if (auto error = read_sizes(*sizes, settings)) return *error;
    }
    if (auto error = fields.finish()) return *error;
    return settings;
}

} // namespace cax::study
