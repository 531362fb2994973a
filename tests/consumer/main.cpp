// Loads a shipped policy, solves a random instance of its problem and explains the first decision.
//
//   consumer POLICY
#include "cax/cax.hpp"

#include <cstdlib>
#include <iostream>

namespace {

/// The value, or one line on the error and the end.
template <class T> T expect(cax::Result<T> result) {
    if (result) return *std::move(result);
    std::cerr << result.error().message << '\n';
    std::exit(2);
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    auto const policy = expect(cax::make_policy(expect(cax::io::read_safetensors(arguments[1]))));

    cax::Problem const* const problem = cax::find_problem(policy->info().problem);
    cax::Rng rng(7);
    cax::InstancePtr const instance = expect(problem->generate(policy->info().size, {}, rng));
    cax::Episode const episode = expect(cax::rollout(*policy, instance));
    cax::CheckReport const report = instance->check(expect(instance->solution_of(episode.actions())));
    if (!report.valid()) return 1;

    cax::ExplainOptions options;
    options.steps = {0};
    cax::Explanation const explanation = expect(cax::explain(*policy, episode, options));
    std::cout << "solved at cost " << report.cost << '\n';
    for (cax::Sentence const& sentence : explanation.steps.front().sentences) std::cout << sentence.text << '\n';
    // The same as the record that the command line writes.
    return cax::records::explanation_json(explanation)["steps"].size() == 1 ? 0 : 1;
}
