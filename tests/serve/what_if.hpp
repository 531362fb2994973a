#pragma once
// Small policies, instances and sessions of every problem, for what-ifs.
#include "cax/core/json.hpp"
#include "cax/policies/policy.hpp"
#include "cax/serve/session.hpp"

#include <string>

namespace cax::test {

/// Double precision, so that nothing depends on the machine's vector width.
[[nodiscard]] std::unique_ptr<Policy> what_if_policy(std::string const& problem);
[[nodiscard]] InstancePtr what_if_instance(std::string const& problem, std::uint64_t seed = 11);
/// Parts with small budgets.
[[nodiscard]] serve::SessionOptions what_if_options();

/// Asks in order.
class Asking {
public:
    explicit Asking(std::string const& problem);

    Json ask(serve::RequestKind kind, serve::Request request = {});
    Json edit(std::vector<serve::Edit> edits, serve::RequestKind kind = serve::RequestKind::edit);
    /// The numbers of a node.
    Json node(std::size_t number);
    [[nodiscard]] InstancePtr saved();

    std::unique_ptr<Policy> policy;
    InstancePtr instance;
    std::unique_ptr<serve::Session> session;
    std::uint64_t sequence = 0;
};

/// Without what may differ between equal runs.
[[nodiscard]] Json without_seconds(Json record);

} // namespace cax::test
