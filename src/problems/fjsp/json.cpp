// Instances and schedules to and from our JSON. Numbers survive bit for bit.
#include "cax/problems/fjsp/instance.hpp"

#include "../errors.hpp"
#include "../fields.hpp"

#include "cax/core/json.hpp"

#include <fmt/format.h>

namespace cax::fjsp {
namespace {

/// What stands there, for a message.
std::string shown(Json const& value) {
    std::string const text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

Json operation_to_json(Operation const& operation) {
    Json json = Json::array();
    for (auto const& [machine, time] : operation) json.push_back(Json::array({machine, json_number(readable(time))}));
    return json;
}

/// The first numbers of a tuple, [machine, ...] or [operation, machine, ...], are indices; the last may be any number.
Result<void> check_tuple(Json const& tuple, std::size_t length, char const* expected) {
    bool good = tuple.is_array() && tuple.size() == length && tuple[length - 1].is_number();
    for (std::size_t i = 0; good && i + 1 < length; ++i) {
        good = tuple[i].is_number_integer() && (tuple[i].is_number_unsigned() || tuple[i].get<std::int64_t>() >= 0);
    }
    if (good) return {};
    return malformed("expected {}, found {}", expected, shown(tuple));
}

Result<Operation> operation_from_json(Json const& json) {
    if (!json.is_array()) return malformed("expected a list of [machine, time], found {}", shown(json));
    Operation operation;
    operation.reserve(json.size());
    for (Json const& way : json) {
        if (auto const ok = check_tuple(way, 2, "[machine, time]"); !ok) return ok.error();
        operation.push_back({way[0].get<std::size_t>(), static_cast<float>(way[1].get<double>())});
    }
    return operation;
}

Result<Job> job_from_json(Json const& json) {
    if (!json.is_array()) return malformed("expected a list of operations, found {}", shown(json));
    Job job;
    job.reserve(json.size());
    for (Json const& entry : json) {
        auto operation = operation_from_json(entry);
        if (!operation) return operation.error().within(fmt::format("operation {}", job.size() + 1));
        job.push_back(*std::move(operation));
    }
    return job;
}

Result<std::size_t> require_count(Json const& object, std::string_view key) {
    auto const field = require_field(object, key);
    if (!field) return field.error();
    if ((*field)->is_number_unsigned()) return (*field)->get<std::size_t>();
    return malformed("{} is {}, not a whole number from 0", key, shown(**field));
}

} // namespace

Json Instance::to_json() const {
    Data const content = data();
    Json json;
    json["name"] = json_string(content.name);
    json["machines"] = content.machines;
    json["padded_operations"] = content.padded_operations;
    json["jobs"] = Json::array();
    for (Job const& job : content.jobs) {
        Json operations = Json::array();
        for (Operation const& operation : job) operations.push_back(operation_to_json(operation));
        json["jobs"].push_back(std::move(operations));
    }
    return json;
}

Result<std::shared_ptr<Instance const>> instance_from_json(Json const& json) {
    auto const machines = require_count(json, "machines");
    if (!machines) return machines.error();
    Data data{.name = name_field(json), .machines = *machines};
    if (json.contains("padded_operations")) {
        auto const padded = require_count(json, "padded_operations");
        if (!padded) return padded.error();
        data.padded_operations = *padded;
    }
    auto const jobs = require_array(json, "jobs");
    if (!jobs) return jobs.error();
    data.jobs.reserve((*jobs)->size());
    for (Json const& entry : **jobs) {
        auto job = job_from_json(entry);
        if (!job) return job.error().within(fmt::format("job {}", data.jobs.size() + 1));
        data.jobs.push_back(*std::move(job));
    }
    return Instance::make(std::move(data));
}

Json Instance::solution_to_json(Solution const& solution) const {
    Json json;
    json["schedule"] = Json::array();
    auto const* const schedule = std::get_if<Schedule>(&solution);
    if (schedule == nullptr) return json;
    for (auto const& [operation, machine, start] : schedule->entries) {
        json["schedule"].push_back(Json::array({operation, machine, json_number(start)}));
    }
    return json;
}

Result<Solution> Instance::solution_from_json(Json const& json) const {
    auto const entries = require_array(json, "schedule");
    if (!entries) return entries.error();
    Schedule schedule;
    schedule.entries.reserve((*entries)->size());
    for (Json const& entry : **entries) {
        if (auto const ok = check_tuple(entry, 3, "[operation, machine, start]"); !ok) {
            return ok.error().within(fmt::format("schedule entry {}", schedule.entries.size() + 1));
        }
        schedule.entries.push_back({entry[0].get<std::size_t>(), entry[1].get<std::size_t>(), entry[2].get<double>()});
    }
    return Solution{std::move(schedule)};
}

} // namespace cax::fjsp
