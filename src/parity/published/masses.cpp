#include "published/lambda.hpp"

#include "cax/explain/attribution.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cax::parity {
namespace {

/// A mass tensor, and how it comes about.
struct MassTensor {
    std::string_view name; ///< without the "64" of double precision
    MassKind mass;
    LogProbKind log_prob;
};
constexpr MassTensor mass_tensors[] = {{"mass_node_raw", MassKind::node, LogProbKind::raw},
                                       {"mass_node_policy", MassKind::node, LogProbKind::policy},
                                       {"mass_eq1_raw", MassKind::entry, LogProbKind::raw},
                                       {"mass_eq1_policy", MassKind::entry, LogProbKind::policy}};

/// Cuts row i of `width` numbers out of a tensor's values.
std::span<double const> row_of(std::vector<double> const& values, std::size_t i, std::size_t width) {
    return std::span(values).subspan(i * width, width);
}

class MassCheck {
public:
    MassCheck(ReferenceCheck& check, GoldenTensors& golden)
        : check_(check),
          golden_(golden),
          decisions_(reference_cells(check)),
          families_(check.problem.info().families.size()),
          single_(reference32_tolerance(check)) {}

    Result<void> compare_all() {
        for (ReferencePolicy const& contender : check_.policies) {
            for (MassTensor const& tensor : mass_tensors) {
                AttributionOptions options;
                options.fidelity.mass = tensor.mass;
                options.fidelity.log_prob = tensor.log_prob;
                options.fidelity.keep_spent_nodes = true; // as the reference does
                options.threads = check_.threads;
                auto const ours = attribute(*contender.policy, decisions_, options);
                if (!ours) return ours.error().within(std::string(tensor.name));
                bool const in_double = contender.is_double();
                compare_mass(fmt::format("{}{}", tensor.name, in_double ? "64" : ""), *ours, in_double);
                if (in_double && tensor.name == "mass_eq1_policy") compare_scores("lambda_eq1", *ours, in_double);
                if (in_double || tensor.name != "mass_node_raw") continue;
                compare_mass("mass_reference", *ours, false);
                compare_nodes(*ours);
                compare_scores("lambda_ref", *ours, false);
                compare_calls(*ours);
            }
        }
        return {};
    }

private:
    [[nodiscard]] std::string where(std::string const& name, std::size_t i) const {
        return at_cell(name, i / check_.steps(), i % check_.steps());
    }
    [[nodiscard]] Tolerance tolerance(std::span<double const> recorded, bool in_double) const {
        double const relative = in_double ? reference64_tolerance : single_;
        return Tolerance::relative(relative, largest_magnitude(recorded), in_double ? 1e-15 : 1e-9);
    }
    [[nodiscard]] std::optional<std::vector<double>> read(std::string const& name, Shape const& rest) {
        Shape shape{check_.instances.size(), check_.steps()};
        shape.insert(shape.end(), rest.begin(), rest.end());
        return golden_values(check_, golden_, name, shape);
    }

    void compare_mass(std::string const& name, std::vector<DecisionAttribution> const& ours, bool in_double) {
        auto const recorded = read(name, {families_});
        if (!recorded) return;
        Difference& difference = check_.ledger.difference(in_double ? "masses 64" : "masses 32");
        for (std::size_t i = 0; i < ours.size(); ++i) {
            auto const row = row_of(*recorded, i, families_);
            check_.ledger.close(difference, where(name, i), row, ours[i].mass, tolerance(row, in_double));
        }
    }

    void compare_nodes(std::vector<DecisionAttribution> const& ours) {
        std::size_t const nodes = ours.front().nodes.front().size();
        auto const recorded = read("node_scores_reference", {families_, nodes});
        if (!recorded) return;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            for (std::size_t k = 0; k < families_; ++k) {
                auto const row = row_of(*recorded, i * families_ + k, nodes);
                double const mass = std::max(largest_magnitude(row), ours[i].mass[k]);
                check_.ledger.close(check_.ledger.difference("node scores 32"),
                                    where(fmt::format("node_scores_reference, family {}", k), i), row, ours[i].nodes[k],
                                    Tolerance::relative(single_, mass, 1e-9));
            }
        }
    }

    /// lambda[b][k] of a mode that the file names, from the multipliers that it holds.
    [[nodiscard]] std::optional<std::vector<double>> multipliers_of_mode(std::string_view mode) {
        std::size_t const batch = check_.instances.size();
        auto table = [&](std::string const& name) { return golden_values(check_, golden_, name, {batch, families_}); };
        auto shared = [&](std::optional<std::vector<double>> values) {
            for (std::size_t i = families_; values && i < values->size(); ++i) (*values)[i] = (*values)[i % families_];
            return values;
        };
        if (mode == "proxy") return std::vector<double>(batch * families_, 1);
        if (mode == "subgrad_instance") return table("subgrad_multiplier");
        if (mode == "subgrad_shared") return shared(table("subgrad_multiplier"));
        if (mode == "lp_instance_other_vertex") return table("lp_multiplier_other_vertex/mean");
        if (mode == "lp_instance_facemin") {
            auto least = table("lp_dual_face_min_sum");
            auto const rows = table("lp_rows");
            if (!least || !rows) return {};
            for (std::size_t i = 0; i < least->size(); ++i) (*least)[i] /= (*rows)[i];
            return least;
        }
        for (std::string_view const aggregate : {"mean", "sum", "max"}) {
            if (mode == fmt::format("lp_instance_{}", aggregate))
                return table(fmt::format("lp_multiplier/{}", aggregate));
            if (mode == fmt::format("lp_shared_{}", aggregate)) {
                return shared(table(fmt::format("lp_multiplier/{}", aggregate)));
            }
        }
        return {};
    }

    [[nodiscard]] FamilyScores scores_of(DecisionAttribution const& ours, std::vector<double> const& lambda) const {
        Multipliers multipliers;
        for (double const value : row_of(lambda, ours.instance, families_)) {
            multipliers.families.push_back({FamilyStatus::computed, value});
        }
        return family_scores(ours, multipliers);
    }

    void compare_mode(std::string const& name, std::vector<DecisionAttribution> const& ours,
                      std::vector<double> const& lambda, bool in_double) {
        auto const scores = read(name + "/scores", {families_});
        auto const tops = read(name + "/top", {});
        auto const margins = read(name + "/margin", {});
        for (std::size_t i = 0; i < ours.size(); ++i) {
            FamilyScores const found = scores_of(ours[i], lambda);
            double const slack = 4 * (in_double ? reference64_tolerance : single_);
            if (scores) {
                std::vector<double> values;
                for (auto const& value : found.values) values.push_back(*value);
                auto const row = row_of(*scores, i, families_);
                check_.ledger.close(check_.ledger.difference(in_double ? "scores 64" : "scores 32"), where(name, i),
                                    row, values, tolerance(row, in_double));
            }
            if (margins) {
                check_.ledger.close(check_.ledger.count("score margins"), where(name + "/margin", i), (*margins)[i],
                                    found.margin, slack);
            }
            // Scores closer than rounding have no order worth comparing.
            bool const clear = margins ? (*margins)[i] > slack : found.margin > slack;
            if (tops && (clear || found.status != ScoreStatus::computed)) {
                check_.ledger.equal(check_.ledger.count("tops"), where(name + "/top", i), (*tops)[i],
                                    static_cast<double>(found.top_or_first()));
            }
        }
    }

    void compare_scores(std::string const& prefix, std::vector<DecisionAttribution> const& ours, bool in_double) {
        for (std::string const& key : golden_.keys_below(prefix + "/")) {
            constexpr std::string_view ending = "/scores";
            if (!key.ends_with(ending)) continue;
            std::string const mode = key.substr(0, key.size() - ending.size());
            if (auto const lambda = multipliers_of_mode(mode)) {
                compare_mode(prefix + "/" + mode, ours, *lambda, in_double);
            }
        }
    }

    /// What the reference itself returned: the first instance's multipliers for its whole batch, which is one instance
    /// where states of a batch influence each other.
    void compare_calls(std::vector<DecisionAttribution> const& ours) {
        bool const one_by_one = check_.policies.front().policy->encoding_changes();
        std::string const whose = one_by_one ? "instance" : "shared";
        for (auto const& [name, mode] : {std::pair("reference_call/lp", "lp_" + whose + "_mean"),
                                         std::pair("reference_call/subgrad", "subgrad_" + whose)}) {
            if (auto const lambda = multipliers_of_mode(mode)) compare_mode(name, ours, *lambda, false);
        }
    }

    ReferenceCheck& check_;
    GoldenTensors& golden_;
    std::vector<Decision> decisions_;
    std::size_t families_;
    double single_;
};

} // namespace

Result<void> compare_masses(ReferenceCheck& check, GoldenTensors& golden) {
    return MassCheck(check, golden).compare_all();
}

} // namespace cax::parity
