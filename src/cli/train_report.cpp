#include "train_report.hpp"

#include "cax/app/solutions.hpp"
#include "cax/baselines/gap.hpp"
#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/policies/decode.hpp"
#include "must.hpp"
#include "progress_bar.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <unistd.h>

namespace cax::cli {
namespace {

/// How many instances a line of the log is about; nothing for a line that is not whole.
std::optional<std::uint64_t> logged_instances(std::string_view line) {
    Json const entry = Json::parse(line, nullptr, false);
    if (!entry.is_object() || !entry.contains("instances") || !entry["instances"].is_number_unsigned()) return {};
    return entry["instances"].get<std::uint64_t>();
}

} // namespace

Yardstick Yardstick::read(Problem const& problem, std::string const& instances, std::string const& best_known) {
    auto file = must(io::read_instances(instances, &problem));
    auto best = must(app::read_best_known(best_known, app::stem_of(instances), instances, file.instances));
    return Yardstick(std::move(file.instances), std::move(best));
}

Result<double> Yardstick::measure(Policy const& policy, std::size_t threads) const {
    auto const episodes = decode(policy, instances_, {.mode = DecodeMode::greedy, .threads = threads});
    if (!episodes) return episodes.error();
    double sum = 0;
    for (std::size_t i = 0; i < instances_.size(); ++i) {
        auto const objective = instances_[i]->problem().info().objective;
        auto const gap = optimality_gap(objective, (*episodes)[i].cost, best_[i].cost);
        if (!gap) return gap.error();
        sum += *gap;
    }
    return sum / static_cast<double>(instances_.size());
}

TrainReporter::TrainReporter(std::string log)
    : log_(std::move(log)), terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()) {}

void TrainReporter::open() const {
    if (!log_.empty() && !std::ofstream(log_, std::ios::app)) fail("--log {}: cannot be written", log_);
}

void TrainReporter::go_on_after(std::uint64_t instances) const {
    std::error_code none;
    if (log_.empty() || !std::filesystem::is_regular_file(log_, none) || std::filesystem::is_empty(log_, none)) return;
    auto const text = must(io::read_text(log_), "--log");
    // From the end, while numbers fall: where they rise again, the lines of an earlier run end.
    std::string_view kept = text;
    std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
    while (!kept.empty()) {
        std::size_t const begin = kept.substr(0, kept.size() - 1).rfind('\n') + 1;
        auto const at = logged_instances(kept.substr(begin));
        if (kept.ends_with('\n') && (!at || *at <= instances || *at >= next)) break;
        if (at) next = *at;
        kept = kept.substr(0, begin);
    }
    if (kept.size() != text.size()) must(io::write_text(log_, kept));
}

void TrainReporter::finished() const {
    if (log_lost_) fail("--log {}: lines are missing, it could not be written", log_);
}

void TrainReporter::report(train::Progress const& now) {
    if (first_instances_ == 0) first_instances_ = now.instances;
    double const elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    double const rate = static_cast<double>(now.instances - first_instances_) / std::max(elapsed, 1e-9);
    if (now.validation) last_ = now.validation;
    if (terminal_)
        fmt::print(stderr,
                   "\r\033[K{} instances ({:.1f} %)  loss {:.3f}  cost {:.3f}  entropy {:.3f}{}  {:.0f}/s  {} left",
                   now.instances, 100 * now.fraction, now.loss, now.mean_cost, now.entropy, last_in_words(), rate,
                   duration_in_words(seconds_left(now, elapsed)));
    if (!now.validation) return;
    if (terminal_) fmt::print(stderr, "\r\033[K");
    fmt::print("{:>9} instances  greedy {:.4f}  best of many {:.4f}{}  sampled {:.4f}  entropy {:.3f}  lr {:.1e}  "
               "{:.0f}/s{}\n",
               now.instances, now.validation->greedy, now.validation->multistart, gap_in_words(), now.mean_cost,
               now.entropy, now.learning_rate, rate, now.validation->best ? "  best so far" : "");
    std::fflush(stdout);
    if (!log_.empty()) write_log(now, rate, elapsed);
}

void TrainReporter::write_log(train::Progress const& now, double rate, double elapsed) {
    Json line = {{"instances", now.instances},
                 {"greedy", now.validation->greedy},
                 {"best_of_many", now.validation->multistart},
                 {"sampled", now.mean_cost},
                 {"loss", now.loss},
                 {"entropy", now.entropy},
                 {"gradient_norm", now.gradient_norm},
                 {"learning_rate", now.learning_rate},
                 {"best", now.validation->best},
                 {"instances_per_second", rate},
                 {"seconds", elapsed}};
    if (now.validation->gap) line["greedy_gap"] = *now.validation->gap;
    std::ofstream file(log_, std::ios::app);
    file << line.dump() << '\n';
    file.close(); // a full disk may show only here
    log_lost_ = log_lost_ || !file;
}

/// From the share of the budget that this run has used, whatever the budget is made of.
double TrainReporter::seconds_left(train::Progress const& now, double elapsed) {
    if (!first_fraction_) first_fraction_ = now.fraction;
    double const used = now.fraction - *first_fraction_;
    return used > 0 ? elapsed * std::max(1 - now.fraction, 0.0) / used : 0;
}

std::string TrainReporter::gap_in_words() const {
    return last_ && last_->gap ? fmt::format("  gap {:.2f} %", 100 * *last_->gap) : "";
}

std::string TrainReporter::last_in_words() const {
    return last_ ? fmt::format("  validated {:.3f}{}", last_->greedy, gap_in_words()) : "";
}

} // namespace cax::cli
