#include "what_if.hpp"

#include "cax/io/instances.hpp"
#include "cax/problems/registry.hpp"
#include "random_policy.hpp"

#include <gtest/gtest.h>

namespace cax::test {

std::unique_ptr<Policy> what_if_policy(std::string const& problem) {
    auto policy = make_policy(random_policy(problem, {.embed_dim = 16, .layers = 1}, 5),
                              {.precision = Precision::float64, .threads = 1});
    EXPECT_TRUE(policy) << policy.error().message;
    return *std::move(policy);
}

InstancePtr what_if_instance(std::string const& problem, std::uint64_t seed) {
    Rng rng(seed);
    Problem const& kind = *find_problem(problem);
    auto instance = kind.generate(kind.info().size_hint == "N" ? "8" : "3x3", {}, rng);
    EXPECT_TRUE(instance);
    return *instance;
}

serve::SessionOptions what_if_options() {
    serve::SessionOptions options;
    ExplainOptions& explain = options.explain;
    explain.of<parts::Counterfactual>().answer.search.shots = 16;
    explain.of<parts::Counterfactual>().answer.certification.certifier.seconds = 0; // nothing must depend on the clock
    explain.of<parts::Counterfactual>().answer.certification.certifier.work = 500;
    explain.of<parts::Subset>().k_max = 3;
    explain.of<parts::Sensitivity>().sampling.shots = 8;
    explain.of<parts::Alternatives>().proof_work = 20'000;
    explain.of<parts::Alternatives>().search_work = 50;
    explain.of<parts::Alternatives>().opening_work = 100;
    explain.of<parts::Alternatives>().solver_work = 50;
    explain.of<parts::Story>().work = 100;
    explain.seed = 3;
    explain.threads = 1;
    options.head = std::make_shared<Json const>(Json{{"schema", "cax/explanation/1"}, {"instances_sha256", "abc"}});
    return options;
}

Asking::Asking(std::string const& problem) : policy(what_if_policy(problem)), instance(what_if_instance(problem)) {
    auto made = serve::Session::make(*policy, instance, what_if_options());
    EXPECT_TRUE(made) << made.error().message;
    session = *std::move(made);
}

Json Asking::ask(serve::RequestKind kind, serve::Request request) {
    request.kind = kind;
    if (serve::has_order(kind)) request.sequence = ++sequence;
    return session->answer(request);
}

Json Asking::edit(std::vector<serve::Edit> edits, serve::RequestKind kind) {
    return ask(kind, {.edits = std::move(edits)});
}

Json Asking::node(std::size_t number) { return ask(serve::RequestKind::node, {.node = number}); }

InstancePtr Asking::saved() {
    Json const file = ask(serve::RequestKind::save, {.as = serve::SavedAs::instance});
    auto const& text = file["text"].get_ref<std::string const&>();
    auto const read = io::parse_instances(std::as_bytes(std::span(text)));
    EXPECT_TRUE(read) << read.error().message;
    return read->instances.front();
}

Json without_seconds(Json record) {
    record.erase("seconds");
    for (Json& step : record["steps"]) step.erase("seconds");
    return record;
}

} // namespace cax::test
