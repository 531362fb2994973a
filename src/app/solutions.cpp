#include "cax/app/solutions.hpp"

#include "cax/io/files.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::app {

Result<std::vector<io::BestKnown>> read_best_known(std::string const& path, std::string const& set,
                                                   std::string const& instances_path,
                                                   std::vector<InstancePtr> const& instances) {
    auto const text = io::read_text(path);
    if (!text) return text.error();
    auto const entries = io::count_best_known(*text, set);
    if (!entries) return entries.error().within(path);
    std::string const where = fmt::format("{}: set '{}'", path, set);
    auto const wrong = [](std::string message) { return Error{ErrorCode::mismatch, std::move(message)}; };
    if (*entries != instances.size()) {
        return wrong(
            fmt::format("{}: {} entries for {} instances of {}", where, *entries, instances.size(), instances_path));
    }
    auto best = io::parse_best_known(*text, set, instances);
    if (!best) return best.error().within(path);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        io::BestKnown const& entry = (*best)[i];
        if (!entry.solution) continue;
        CheckReport const report = instances[i]->check(*entry.solution);
        bool const same = std::fabs(report.cost - entry.cost) <= 1e-6 * std::max(1.0, std::fabs(entry.cost));
        if (report.valid() && same) continue;
        return wrong(fmt::format("{}, entry {}: does not belong to instance {} of {}: {}", where, i, i, instances_path,
                                 report.valid() ? fmt::format("the solution costs {}, not {}", report.cost, entry.cost)
                                                : report.violations.front()));
    }
    return best;
}

std::string stem_of(std::filesystem::path const& file) { return file.stem().string(); }

} // namespace cax::app
