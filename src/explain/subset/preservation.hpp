#pragma once
// The set function behind sufficient subsets: in which samples does the decision survive if only these nodes are shown?
// The scan and the search ask it and know neither policies nor noise, so that tests can put any function in its place.
#include "cax/explain/masking.hpp"

#include <span>
#include <unordered_map>
#include <vector>

namespace cax {

class Preservation {
public:
    virtual ~Preservation() = default;
    [[nodiscard]] virtual std::size_t nodes() const = 0;
    /// One entry per listed sample: 1 = the decision survives. Samples are named by numbers; equal numbers are the
    /// same sample, whatever is asked in between.
    [[nodiscard]] virtual std::vector<std::uint8_t> ask(NodeSet const& kept, std::span<std::size_t const> samples) = 0;
    /// Spent so far.
    [[nodiscard]] virtual std::size_t forward_passes() const = 0;
};

/// A policy's decision in one decision.
class PolicyPreservation final : public Preservation {
public:
    PolicyPreservation(Policy const& policy, Decision const& decision, Masking masking, SubsetOptions const& options);

    [[nodiscard]] std::size_t nodes() const override { return masking_.nodes(); }
    [[nodiscard]] std::vector<std::uint8_t> ask(NodeSet const& kept, std::span<std::size_t const> samples) override;
    [[nodiscard]] std::size_t forward_passes() const override { return forward_passes_; }

private:
    [[nodiscard]] Features shaken(std::size_t sample) const;

    Policy const& policy_;
    Decision const& cell_;
    Masking masking_;
    SubsetOptions const& options_;
    std::unordered_map<std::size_t, std::size_t> targets_; ///< decisions with nothing hidden, by sample
    std::size_t forward_passes_ = 0;
};

/// Decides subsets by a rule on one set of samples. Samples that have rejected subsets before are asked first: the
/// verdict over all of them cannot depend on the order, but a rejection comes sooner.
class SubsetTest {
public:
    /// Samples first, first + 1, ..., first + rule.samples - 1.
    SubsetTest(Preservation& preservation, SubsetRule const& rule, std::size_t first = 0);

    /// When to stop: as soon as the verdict is certain; then only if it is a rejection; never.
    enum class Effort { verdict, all_if_accepted, all };
    [[nodiscard]] SizeTest run(NodeSet const& kept, Effort effort);

private:
    Preservation& preservation_;
    SubsetRule rule_;
    std::vector<std::size_t> order_;  ///< samples, most rejections first
    std::vector<std::size_t> losses_; ///< by sample - first
    std::size_t first_;
};

[[nodiscard]] NodeSet node_set(std::span<std::size_t const> nodes, std::size_t count);
[[nodiscard]] Preserved preserved_share(std::size_t preserved, std::size_t samples, double alpha);

} // namespace cax
