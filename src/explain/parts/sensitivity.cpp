#include "cax/explain/explanation.hpp"

#include "explanation/sentence_builder.hpp"
#include "explanation/words.hpp"
#include "parts/partial.hpp"

#include "cax/core/options.hpp"
#include "cax/explain/requests.hpp"

#include <fmt/format.h>

namespace cax {
namespace {

/// A family whose share of the sensitivity is higher here than in this part of the policy's decisions is unusual.
constexpr double unusual_percentile = 0.8;
/// Flips that are worth a line: the lower end of their rate's interval has to be above this.
constexpr double notable_rate = 0.1;

/// Whose data, if wrong, would upset it more easily than usual?
std::optional<Sentence> sensitivity_line(StepWords const& words, Step const& step) {
    StepSensitivity const& part = *step.of<parts::Sensitivity>();
    if (!part.unusual || part.percentiles[*part.unusual] < unusual_percentile) return std::nullopt;
    FamilySensitivity const& family = part.found.families[*part.unusual];
    if (family.flip_interval.low <= notable_rate) return std::nullopt;
    std::string const at = fmt::format("/sensitivity/families/{}", words.info.families[*part.unusual]);
    std::size_t const last = part.found.sizes.size() - 1;
    SentenceBuilder s(Topic::sensitivity, Evidence::sampled);
    s.say("Check the " + words.data(*part.unusual) + ": if they are off by ");
    s.whole_percent(fmt::format("/sensitivity/sizes/{}", last), part.found.sizes[last]);
    s.say(" of their usual spread, it decides otherwise in ");
    s.whole_percent(fmt::format("{}/flip_rate_by_size/{}", at, last), family.flip_rate_by_size[last]);
    s.say(" of the cases tried; they matter more here than in ");
    return s.whole_percent(at + "/percentile", part.percentiles[*part.unusual]).say(" of its decisions.").done();
}

} // namespace

Json partial_json(Sensitivity const& part) {
    Json families = Json::array();
    for (FamilySensitivity const& each : part.families) {
        families.push_back({exact_json(each.score), exact_json(each.error), exact_json(each.share), exact_json(each.flip_rate),
                            exact_json(each.flip_error), exact_json(each.flip_rate_by_size),
                            exact_json(each.score_interval.low), exact_json(each.score_interval.high),
                            exact_json(each.flip_interval.low), exact_json(each.flip_interval.high), each.asked,
                            each.dropped});
    }
    return {{"status", static_cast<int>(part.status)},
            {"at", {part.instance, part.step, part.action}},
            {"sizes", exact_json(part.sizes)},
            {"shots", part.shots},
            {"pool", part.pool},
            {"families", std::move(families)},
            {"passes", part.forward_passes}};
}

bool read_partial(Json const& json, Sensitivity& part) {
    return readable([&] {
        part.status = static_cast<SensitivityStatus>(json.at("status").get<int>());
        part.instance = json.at("at").at(0).get<std::size_t>();
        part.step = json.at("at").at(1).get<std::size_t>();
        part.action = json.at("at").at(2).get<std::size_t>();
        part.sizes = exact_numbers(json.at("sizes"));
        part.shots = json.at("shots").get<std::size_t>();
        part.pool = json.at("pool").get<std::size_t>();
        for (Json const& each : json.at("families")) {
            part.families.push_back({exact_number(each.at(0)), exact_number(each.at(1)), exact_number(each.at(2)),
                                     exact_number(each.at(3)), exact_number(each.at(4)), exact_numbers(each.at(5)),
                                     {exact_number(each.at(6)), exact_number(each.at(7))},
                                     {exact_number(each.at(8)), exact_number(each.at(9))},
                                     each.at(10).get<std::size_t>(), each.at(11).get<std::size_t>()});
        }
        part.forward_passes = json.at("passes").get<std::size_t>();
    });
}

void describe(OptionTable& table, SensitivityOptions& options) {
    table
        .value("noise-shots", options.shots, "n",
               "Wrong data that are tried per family and size; 0 = 18 per size, shared by the families")
        .range(0, 100'000);
    table
        .value("noise-pool", options.pool, "n",
               "Drawn for each of them; the policy's gradient sorts what is drawn, and one of every so many is tried")
        .range(1, 1000);
}

namespace parts {

void Sensitivity::describe(OptionTable& table, Request& request) {
    cax::describe(table, request.sampling);
    table
        .value("reference", request.reference, "n",
               "Decisions of the same policy that this one's sensitivity is compared with; 0 = none")
        .range(0, 100'000);
}

Result<StepSensitivity> Sensitivity::explain(ExplanationContext const& context, Step const& so_far) {
    Options const& given = context.options.of<Sensitivity>();
    SensitivityOptions options = given.sampling;
    options.seed = context.options.seed;
    auto const read = [](Json const& json, cax::Sensitivity& part) { return read_partial(json, part); };
    auto const write = [](cax::Sensitivity const& part) { return partial_json(part); };
    auto found = recalled_or<cax::Sensitivity>(context, so_far.step, name, read, write, [&] {
        return sensitivity(*context.policy, context.decision(so_far.step), options);
    });
    if (!found) return found.error();
    StepSensitivity result{*std::move(found), {}, std::nullopt};
    if (!given.reference || result.found.status != SensitivityStatus::computed) return result;
    result.percentiles = given.reference->percentiles(result.found.shares());
    result.unusual = unusual_family(result.percentiles);
    return result;
}

void Sensitivity::add_lines(StepWords const& words, Step const& step, Lines& lines) {
    if (step.forced() || step.differs()) return;
    if (auto line = sensitivity_line(words, step)) lines.push_back({50, *std::move(line)});
}

} // namespace parts
} // namespace cax
