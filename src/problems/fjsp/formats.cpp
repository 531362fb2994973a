// The .fjs text format of the literature (Brandimarte and most others): a line "jobs machines [average flexibility]",
// then one line per job: the number of operations, and for each the number of alternatives and that many pairs
// "machine time". Machines count from 1 in most collections and from 0 in some.
//
// Options of the reader: machines-from = 0 | 1 (default: any machine 0 means 0, otherwise 1); pad-to = none | max |
// a number ("max": the longest job's length times the number of jobs, as rl4co's generator pads).
#include "../fields.hpp"
#include "../text.hpp"
#include "problem.hpp"

#include "cax/problems/fjsp/instance.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace cax::fjsp {
namespace {

/// A file whose structure is right: alternatives with machines as they are numbered there.
struct Table {
    std::size_t machines = 0;
    std::vector<Job> jobs;
    std::vector<std::size_t> lines; ///< per job
};

/// Takes numbers off one line, one after the other.
class Cursor {
public:
    explicit Cursor(Line const& line) : line_(line) {}

    [[nodiscard]] std::size_t left() const { return line_.words.size() - at_; }

    [[nodiscard]] Result<double> number(std::string_view what) {
        if (left() == 0) return error_at(line_.number, fmt::format("the line ends where {} was expected", what));
        std::string_view const word = line_.words[at_++];
        auto const value = parse_number(word);
        if (!value) return error_at(line_.number, fmt::format("{}: {} is not a number", what, quoted(word)));
        return *value;
    }
    [[nodiscard]] Result<std::size_t> count(std::string_view what) {
        auto const value = number(what);
        if (!value) return value.error();
        if (!(*value >= 0 && *value <= 1e9) || *value != std::trunc(*value)) {
            return error_at(line_.number, fmt::format("{} is {}, not a whole number from 0", what, *value));
        }
        return static_cast<std::size_t>(*value);
    }
    /// How many things of at least `width` numbers follow: at least one, at most what the line holds.
    [[nodiscard]] Result<std::size_t> count_of(std::string_view what, std::size_t width) {
        auto const n = count(what);
        if (n && *n == 0) return error_at(line_.number, fmt::format("{} is 0", what));
        if (n && *n > left() / width) {
            return error_at(line_.number, fmt::format("{} is {}, but only {} numbers follow", what, *n, left()));
        }
        return n;
    }

private:
    Line const& line_;
    std::size_t at_ = 0;
};

Result<Operation> parse_operation(Cursor& cursor) {
    auto const ways = cursor.count_of("number of machines of an operation", 2);
    if (!ways) return ways.error();
    Operation operation;
    for (std::size_t i = 0; i < *ways; ++i) {
        auto const machine = cursor.count("machine");
        if (!machine) return machine.error();
        auto const time = cursor.number("time");
        if (!time) return time.error();
        operation.push_back({*machine, static_cast<float>(*time)});
    }
    return operation;
}

Result<Job> parse_job(Line const& line) {
    Cursor cursor(line);
    auto const operations = cursor.count_of("number of operations", 3);
    if (!operations) return operations.error();
    Job job;
    for (std::size_t k = 0; k < *operations; ++k) {
        auto operation = parse_operation(cursor);
        if (!operation) return operation.error();
        job.push_back(*std::move(operation));
    }
    if (cursor.left() > 0) {
        return error_at(line.number, fmt::format("{} numbers too many after the last operation", cursor.left()));
    }
    return job;
}

/// Jobs and machines; the third number, the average flexibility, is for people.
Result<std::pair<std::size_t, std::size_t>> parse_head(Line const& line) {
    if (line.words.size() < 2 || line.words.size() > 3) {
        return error_at(line.number, fmt::format("expected 2 or 3 numbers, found {} words", line.words.size()));
    }
    Cursor cursor(line);
    auto const jobs = cursor.count("number of jobs");
    if (!jobs) return jobs.error();
    auto const machines = cursor.count("number of machines");
    if (!machines) return machines.error();
    if (*jobs == 0 || *machines == 0) return error_at(line.number, "there is no job or no machine");
    if (cursor.left() > 0) {
        if (auto const flexibility = cursor.number("average flexibility"); !flexibility) return flexibility.error();
    }
    return std::pair(*jobs, *machines);
}

Result<Table> parse_table(std::string_view text) {
    LineReader reader(text);
    auto const first = reader.require("the numbers of jobs and machines");
    if (!first) return first.error();
    auto const head = parse_head(*first);
    if (!head) return head.error();
    auto const [jobs, machines] = *head;
    Table table{.machines = machines, .jobs = {}, .lines = {}};
    while (table.jobs.size() < jobs) {
        auto const line = reader.require(fmt::format("job {} of {}", table.jobs.size() + 1, jobs));
        if (!line) return line.error();
        auto job = parse_job(*line);
        if (!job) return job.error();
        table.jobs.push_back(*std::move(job));
        table.lines.push_back(line->number);
    }
    if (auto const line = reader.next())
        return error_at(line->number, fmt::format("a line after the last of {} jobs", jobs));
    return table;
}

bool mentions_machine_zero(std::vector<Job> const& jobs) {
    return std::ranges::any_of(jobs, [](Job const& job) {
        return std::ranges::any_of(job, [](Operation const& operation) {
            return std::ranges::find(operation, std::size_t{0}, &Alternative::machine) != operation.end();
        });
    });
}

/// Machines from 0, whatever they counted from in the file.
Result<void> renumber_machines(Table& table, std::size_t base) {
    for (std::size_t j = 0; j < table.jobs.size(); ++j) {
        for (Operation& operation : table.jobs[j]) {
            for (auto& [machine, time] : operation) {
                if (machine < base || machine - base >= table.machines) {
                    return error_at(table.lines[j],
                                    fmt::format("machine {} does not exist: there are {}, counted from {}", machine,
                                                table.machines, base));
                }
                machine -= base;
            }
        }
    }
    return {};
}

struct Settings {
    std::optional<std::size_t> machines_from;
    std::string pad_to = "none";
};

Result<Settings> parse_options(Options const& options) {
    if (auto const known = check_option_names(options, {"machines-from", "pad-to"}); !known) return known.error();
    Settings settings;
    if (auto const place = options.find("machines-from"); place != options.end()) {
        auto const from = parse_count(place->second, "machines-from", 0, 1);
        if (!from) return from.error();
        settings.machines_from = *from;
    }
    if (auto const place = options.find("pad-to"); place != options.end()) settings.pad_to = place->second;
    return settings;
}

/// Data::padded_operations as asked for.
Result<std::size_t> padded_operations(std::string const& pad_to, std::vector<Job> const& jobs) {
    if (pad_to == "none") return std::size_t{0};
    if (pad_to == "max") return std::ranges::max_element(jobs, {}, &Job::size)->size() * jobs.size();
    auto const count = parse_count(pad_to, "pad-to", 1, max_operations);
    if (count) return *count;
    return Error{ErrorCode::invalid_value, count.error().message + ", nor none or max"};
}

/// By the first line: what is wrong further down is then told by the reader, with its line.
bool recognises(std::string_view text) {
    LineReader reader(text);
    auto const first = reader.next();
    return first && parse_head(*first) && reader.next();
}

Result<InstancePtr> read(std::string_view text, Options const& options) {
    auto const settings = parse_options(options);
    if (!settings) return settings.error();
    auto table = parse_table(text);
    if (!table) return table.error();
    std::size_t const base = settings->machines_from.value_or(mentions_machine_zero(table->jobs) ? 0 : 1);
    if (auto const ok = renumber_machines(*table, base); !ok) return ok.error();
    auto const padded = padded_operations(settings->pad_to, table->jobs);
    if (!padded) return padded.error();
    auto made =
        Instance::make({.machines = table->machines, .padded_operations = *padded, .jobs = std::move(table->jobs)});
    if (!made) return made.error();
    return InstancePtr(*std::move(made));
}

Result<std::string> write(cax::Instance const& base) {
    auto const* const instance = dynamic_cast<Instance const*>(&base);
    if (instance == nullptr) return Error{ErrorCode::mismatch, "not an fjsp instance"};
    Data const data = instance->data();
    std::size_t ways = 0;
    std::string body;
    for (Job const& job : data.jobs) {
        body += fmt::format("{}", job.size());
        for (Operation const& operation : job) {
            ways += operation.size();
            body += fmt::format(" {}", operation.size());
            for (auto const& [machine, time] : operation) body += fmt::format(" {} {}", machine + 1, time);
        }
        body += '\n';
    }
    double const flexibility = static_cast<double>(ways) / static_cast<double>(instance->operation_count());
    return fmt::format("{} {} {:.6g}\n", data.jobs.size(), data.machines, flexibility) + body;
}

} // namespace

std::span<TextFormat const> text_formats() {
    static TextFormat const formats[] = {{"fjs", ".fjs", recognises, read, write}};
    return formats;
}

} // namespace cax::fjsp
