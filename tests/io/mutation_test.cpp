// Every reader against damaged files: each is either refused with one line that says why, or gives something usable.
// No crash, no hang, no absurd allocation; sanitizers see the rest. The seeds are small, made by our own generators.
#include "../fuzz/finding.hpp"
#include "../fuzz/samples.hpp"
#include "allocation_guard.hpp"
#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "cax/policies/policy.hpp"
#include "cax/problems/changes.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/presentation.hpp"
#include "cax/problems/registry.hpp"
#include "mutator.hpp"
#include "random_policy.hpp"
#include "zip_builder.hpp"

#include <fmt/format.h>

#include <functional>

namespace cax::io {
namespace {

using fuzz::best_known_json;
using fuzz::dump;
using fuzz::instances_json;
using fuzz::some_instances;
using test::bytes_of;
using test::Mutator;
using test::text_of;

constexpr std::uint32_t inputs_per_run = 4000;
constexpr std::uint32_t policies_per_run = 2000; // each is also asked for its probabilities

/// What became of one input.
enum class Outcome { refused, accepted };

Outcome refused(Error const& error) {
    fuzz::expect_readable(error);
    return Outcome::refused;
}

/// Runs `read` on `count` inputs. Some must be refused and some accepted, or the damage is not the right one.
void run(std::uint64_t seed, std::function<Outcome(Mutator&)> const& read, std::uint32_t count = inputs_per_run) {
    std::size_t accepted = 0;
    std::size_t rejected = 0;
    for (std::uint32_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
        Mutator mutator(seed, i);
        try {
            test::AllocationGuard const guard;
            (read(mutator) == Outcome::accepted ? accepted : rejected) += 1;
        } catch (std::exception const& exception) {
            ADD_FAILURE() << "threw " << exception.what();
        }
        if (testing::Test::HasFailure()) FAIL() << "input " << i << " of run " << seed;
    }
    EXPECT_GT(accepted, 0U);
    EXPECT_GT(rejected, 0U);
}

/// Parses instances and uses the first ones.
Outcome use_instances(std::string const& text, Mutator& mutator) {
    auto const file = parse_instances(bytes_of(text));
    if (!file) return refused(file.error());
    EXPECT_NE(file->problem, nullptr);
    for (std::size_t i = 0; i < std::min<std::size_t>(file->instances.size(), 2); ++i)
        fuzz::use_instance(*file->instances[i], mutator.below(1000));
    return Outcome::accepted;
}

/// Reads a best-known file and checks what it holds.
Outcome use_best_known(std::string const& text, std::vector<InstancePtr> const& instances) {
    auto const best = parse_best_known(text, "small", instances);
    if (!best) return refused(best.error());
    EXPECT_EQ(best->size(), instances.size());
    for (std::size_t i = 0; i < best->size(); ++i) {
        if ((*best)[i].solution) (void)instances[i]->check(*(*best)[i].solution);
    }
    return Outcome::accepted;
}

class DamagedFiles : public testing::TestWithParam<Problem const*> {
protected:
    [[nodiscard]] static Problem const& problem() { return *GetParam(); }
    [[nodiscard]] static std::string another() {
        return dump(instances_json(*all_problems()[problem().info().name == "op" ? 0 : 1]));
    }
};

INSTANTIATE_TEST_SUITE_P(Problems, DamagedFiles, testing::ValuesIn(all_problems().begin(), all_problems().end()),
                         [](auto const& chosen) { return std::string(chosen.param->info().name); });

TEST_P(DamagedFiles, OfJsonInstances) {
    std::string const seed = dump(instances_json(problem()));
    run(1, [&](Mutator& mutator) { return use_instances(mutator.bytes(seed, another()), mutator); });
}

TEST_P(DamagedFiles, OfJsonInstancesThatAreStillJson) {
    Json const seed = instances_json(problem());
    run(2, [&](Mutator& mutator) {
        Json json = seed;
        mutator.json(json);
        return use_instances(dump(json), mutator);
    });
}

TEST_P(DamagedFiles, OfTextFormats) {
    for (TextFormat const& format : problem().exchange().text_formats()) {
        std::string const seed = *format.write(*some_instances(problem())[0]);
        run(3, [&](Mutator& mutator) { return use_instances(mutator.bytes(seed, seed), mutator); });
        run(4, [&](Mutator& mutator) {
            auto const instance = format.read(mutator.bytes(seed, another()), {});
            if (!instance) return refused(instance.error());
            fuzz::use_instance(**instance, mutator.below(1000));
            return Outcome::accepted;
        });
    }
}

TEST_P(DamagedFiles, OfArraysInAZip) {
    auto const tensors = *problem().exchange().to_tensors(some_instances(problem()));
    for (bool const deflate : {false, true}) {
        std::string const seed = text_of(format_npz(tensors, deflate));
        run(5, [&](Mutator& mutator) { return use_instances(mutator.bytes(seed, seed), mutator); });
    }
}

TEST_P(DamagedFiles, OfArraysWithWholeChecksums) {
    auto const tensors = *problem().exchange().to_tensors(some_instances(problem()));
    std::vector<test::Member> seed;
    for (auto const& [name, tensor] : tensors) {
        // The array alone, as it stands in the zip: behind a local header of 30 bytes and its name.
        NamedTensors const one{{name, tensor}};
        std::string const zip = text_of(format_npz(one));
        std::size_t const begin = 30 + name.size() + 4;
        seed.push_back({.name = name + ".npy", .data = zip.substr(begin, zip.find("PK\x01\x02", begin) - begin)});
    }
    run(6, [&](Mutator& mutator) {
        auto members = seed;
        auto& member = members[mutator.below(members.size())];
        member.data = mutator.bytes(member.data, seed[0].data);
        return use_instances(test::zip_of(members), mutator);
    });
}

TEST_P(DamagedFiles, OfArraysThatAreStillArrays) {
    auto const seed = *problem().exchange().to_tensors(some_instances(problem()));
    run(7, [&](Mutator& mutator) {
        auto tensors = seed;
        mutator.tensors(tensors);
        return use_instances(text_of(format_npz(tensors, mutator.below(2) == 1)), mutator);
    });
}

TEST_P(DamagedFiles, OfBestKnownSolutions) {
    auto const instances = some_instances(problem());
    Json const seed = best_known_json(problem());
    std::string const text = dump(seed);
    ASSERT_EQ(use_best_known(text, instances), Outcome::accepted);
    run(8, [&](Mutator& mutator) { return use_best_known(mutator.bytes(text, another()), instances); });
    run(9, [&](Mutator& mutator) {
        Json json = seed;
        mutator.json(json);
        return use_best_known(dump(json), instances);
    });
}

/// Builds a policy and asks it once.
Outcome use_policy(TensorFile const& file, Problem const& problem) {
    auto const policy = make_policy(file, {.threads = 1});
    if (!policy) return refused(policy.error());
    std::vector<Observation> const observations{some_instances(problem)[0]->reset()->observe()};
    if (auto const accepted = (*policy)->accepts(observations[0]); !accepted) return refused(accepted.error());
    EXPECT_EQ((*policy)->log_probs(observations).at(0).size(), action_count(observations[0]));
    return Outcome::accepted;
}

TEST_P(DamagedFiles, OfPolicies) {
    auto const file = test::random_policy(problem().info().name, 8, 1, 1);
    ASSERT_EQ(use_policy(file, problem()), Outcome::accepted);
    std::string const seed = text_of(format_safetensors(file));
    std::uint64_t header_size = 0;
    std::memcpy(&header_size, seed.data(), sizeof header_size);
    std::string const header = seed.substr(8, header_size);
    std::string const data = seed.substr(8 + header_size);
    auto const use_bytes = [&](std::string const& text) {
        auto const parsed = parse_safetensors(bytes_of(text));
        return parsed ? use_policy(*parsed, problem()) : refused(parsed.error());
    };
    run(
        10, [&](Mutator& mutator) { return use_bytes(mutator.bytes(seed, another())); }, policies_per_run);
    run(
        11,
        [&](Mutator& mutator) {
            std::string const damaged = mutator.bytes(header, another());
            return use_bytes(test::raw(std::uint64_t{damaged.size()}) + damaged + data);
        },
        policies_per_run);
    run(
        12,
        [&](Mutator& mutator) {
            TensorFile damaged = file;
            if (mutator.below(2) == 0) mutator.tensors(damaged.tensors);
            for (auto& [key, value] : damaged.metadata) {
                if (mutator.below(4) == 0) value = mutator.bytes(value, value);
            }
            return use_bytes(text_of(format_safetensors(damaged)));
        },
        policies_per_run);
}

TEST(DamagedSolFiles, AreRefusedOrUsable) {
    std::string const seed = format_sol({.routes = {{{3, 1, 5}, {2, 4}}}, .cost = 827.3});
    run(13, [&](Mutator& mutator) {
        auto const file = parse_sol(mutator.bytes(seed, seed));
        if (!file) return refused(file.error());
        EXPECT_FALSE(file->routes.routes.empty());
        EXPECT_TRUE(parse_sol(format_sol(*file)).has_value());
        return Outcome::accepted;
    });
}

} // namespace
} // namespace cax::io
