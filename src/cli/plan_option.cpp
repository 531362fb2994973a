#include "plan_option.hpp"

#include "must.hpp"

#include "cax/app/solutions.hpp"
#include "cax/io/files.hpp"
#include "cax/io/plans.hpp"

#include <filesystem>
#include <fmt/format.h>

namespace cax::cli {

void plan_option(OptionTable& table, std::string& path) {
    table.value("solution", path, "FILE",
                "Explain this plan in place of the policy's own: a result of cax solve, a baseline or best-known file, "
                ".sol, or JSON with routes, tour or schedule; - = standard input");
}

ExternalPlan external_plan(std::string const& path, Loaded const& loaded, std::string const& instances) {
    std::string const file = path == "-" ? "/dev/stdin" : path;
    std::string const source = path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
    auto const text = must(io::read_text(file), "--solution");
    io::PlanPlace const place{loaded.numbers.front(), app::stem_of(instances)};
    auto plan = must(io::parse_plan(text, place, *loaded.file.instances.front()), fmt::format("--solution: {}", path));
    std::string maker = plan.maker.empty() ? "" : fmt::format(" ({})", plan.maker);
    return ExternalPlan{std::move(plan.solution), std::move(plan.actions), source + maker};
}

} // namespace cax::cli
