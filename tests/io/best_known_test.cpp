// Every solution of the validation sets is valid at its stated cost, and everything done to it that breaks a rule is
// found out. What breaks a rule is decided here, naively, from the arrays of the data set.
#include "cax/core/json.hpp"
#include "cax/io/files.hpp"
#include "cax/io/instances.hpp"
#include "cax/io/solutions.hpp"
#include "cax/io/tensor_files.hpp"
#include "data.hpp"
#include "reasons.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

namespace cax::io {
namespace {

/// A validation set with its solutions: the full one where it is, else the small one kept with the tests.
struct Set {
    std::vector<InstancePtr> instances;
    std::vector<BestKnown> best;
    NamedTensors arrays;
};

std::filesystem::path validation(std::string const& name) {
    auto const full = test::shared_path("validation") / name;
    return std::filesystem::exists(full) ? full : test::data_path("validation") / name;
}

void load(std::string const& name, Set& set) {
    auto const file = read_instances(validation(name + ".npz"));
    ASSERT_TRUE(file) << file.error().message;
    auto const text = read_text(validation("best_known.json"));
    ASSERT_TRUE(text) << text.error().message;
    auto best = parse_best_known(*text, name, file->instances);
    ASSERT_TRUE(best) << best.error().message;
    auto arrays = read_npz(validation(name + ".npz"));
    ASSERT_TRUE(arrays) << arrays.error().message;
    set = {file->instances, *std::move(best), *std::move(arrays)};
    ASSERT_GE(set.instances.size(), 8U);
    for (BestKnown const& entry : set.best) {
        ASSERT_TRUE(entry.solution.has_value());
        EXPECT_TRUE(entry.optimal);
    }
}

/// Rejected, and some reason contains `word`.
void expect_rejected(Instance const& instance, Solution const& solution, std::string_view word) {
    auto const report = instance.check(solution);
    EXPECT_FALSE(report.valid());
    EXPECT_NE(reasons(report).find(word), std::string::npos) << "'" << word << "' not in: " << reasons(report);
}

double at(Tensor const& tensor, std::size_t instance, std::size_t i) {
    return tensor.as_double(instance * (tensor.size() / tensor.shape()[0]) + i);
}

struct Point {
    double x, y;
};
double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

Point node(NamedTensors const& arrays, std::size_t instance, std::size_t i) {
    if (i == 0) return {at(arrays.at("depot"), instance, 0), at(arrays.at("depot"), instance, 1)};
    return {at(arrays.at("locs"), instance, 2 * (i - 1)), at(arrays.at("locs"), instance, 2 * (i - 1) + 1)};
}

class BestKnownCvrptw : public testing::Test {
protected:
    void SetUp() override { load("cvrptw50", set_); }

    /// How far the worst rule of one route is broken, by the definition; negative if all hold.
    [[nodiscard]] double excess(std::size_t instance, std::vector<std::size_t> const& route) const {
        auto const& a = set_.arrays;
        double worst = -1e9;
        double time = 0;
        double load = 0;
        std::size_t here = 0;
        for (std::size_t const next : route) {
            time += distance(node(a, instance, here), node(a, instance, next));
            worst = std::max(worst, time - at(a.at("time_windows"), instance, 2 * next + 1));
            time = std::max(time, at(a.at("time_windows"), instance, 2 * next)) + at(a.at("durations"), instance, next);
            load += at(a.at("demand"), instance, next - 1);
            here = next;
        }
        time += distance(node(a, instance, here), node(a, instance, 0));
        worst = std::max(worst, time - at(a.at("time_windows"), instance, 1));
        return std::max(worst, load > 1 + 1e-5 ? 1.0 : -1e9);
    }
    [[nodiscard]] Routes const& routes(std::size_t instance) const {
        return std::get<Routes>(*set_.best[instance].solution);
    }

    Set set_;
};

TEST_F(BestKnownCvrptw, SolutionsAreValidAtTheirCost) {
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        auto const report = set_.instances[i]->check(*set_.best[i].solution);
        EXPECT_TRUE(report.valid()) << i << ": " << reasons(report);
        EXPECT_NEAR(report.cost, set_.best[i].cost, 1e-9 * set_.best[i].cost) << i;
    }
}

TEST_F(BestKnownCvrptw, SolutionsWithoutOneCustomerAreRejected) {
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        Routes damaged = routes(i);
        auto& route = damaged.routes[i % damaged.routes.size()];
        auto const customer = route[i % route.size()];
        std::erase(route, customer);
        expect_rejected(*set_.instances[i], damaged, "customer " + std::to_string(customer) + " is not visited");
    }
}

TEST_F(BestKnownCvrptw, SolutionsWithACustomerTwiceOrUnknownAreRejected) {
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        Routes damaged = routes(i);
        auto const customer = damaged.routes.front().front();
        damaged.routes.back().push_back(customer);
        expect_rejected(*set_.instances[i], damaged, "customer " + std::to_string(customer) + " is visited 2 times");
        for (std::size_t const unknown : {std::size_t{0}, std::size_t{51}, ~std::size_t{0}}) {
            damaged = routes(i);
            damaged.routes.back().push_back(unknown);
            expect_rejected(*set_.instances[i], damaged, "no customer " + std::to_string(unknown));
        }
    }
}

TEST_F(BestKnownCvrptw, SwappedCustomersAreRejectedExactlyWhenARuleBreaks) {
    std::size_t rejected = 0;
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        bool late = false;
        for (std::size_t r = 0; r < routes(i).routes.size(); ++r) {
            for (std::size_t k = 0; k + 1 < routes(i).routes[r].size(); ++k) {
                Routes damaged = routes(i);
                std::swap(damaged.routes[r][k], damaged.routes[r][k + 1]);
                double const worst = excess(i, damaged.routes[r]);
                ASSERT_GT(std::fabs(worst), 1e-4) << "too close to call";
                auto const report = set_.instances[i]->check(damaged);
                EXPECT_EQ(report.valid(), worst < 0) << i << ": " << reasons(report);
                late = late || reasons(report).find("window closed") != std::string::npos;
                rejected += report.valid() ? 0 : 1;
                // The stored solution is optimal: whatever stays valid cannot be shorter.
                if (report.valid()) {
                    EXPECT_GE(report.cost, set_.best[i].cost - 1e-5) << i;
                }
            }
        }
        EXPECT_TRUE(late) << "instance " << i << " never missed a window";
    }
    EXPECT_GT(rejected, set_.instances.size());
}

TEST_F(BestKnownCvrptw, MergedRoutesAreRejectedExactlyWhenARuleBreaks) {
    std::size_t overloaded = 0;
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        for (std::size_t r = 0; r + 1 < routes(i).routes.size(); ++r) {
            Routes damaged = routes(i);
            auto& route = damaged.routes[r];
            route.insert(route.end(), damaged.routes[r + 1].begin(), damaged.routes[r + 1].end());
            damaged.routes.erase(damaged.routes.begin() + static_cast<std::ptrdiff_t>(r) + 1);
            double const worst = excess(i, damaged.routes[r]);
            ASSERT_GT(std::fabs(worst), 1e-4) << "too close to call";
            auto const report = set_.instances[i]->check(damaged);
            EXPECT_EQ(report.valid(), worst < 0) << i << ": " << reasons(report);
            overloaded += reasons(report).find("exceeds the capacity") != std::string::npos ? 1 : 0;
        }
    }
    EXPECT_GT(overloaded, 0U);
}

class BestKnownOp : public testing::Test {
protected:
    void SetUp() override { load("op20", set_); }
    [[nodiscard]] Routes with(std::vector<std::size_t> tour) const { return {{std::move(tour)}}; }
    [[nodiscard]] std::vector<std::size_t> const& tour(std::size_t instance) const {
        return std::get<Routes>(*set_.best[instance].solution).routes.at(0);
    }
    Set set_;
};

TEST_F(BestKnownOp, SolutionsAreValidAtTheirPrize) {
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        auto const report = set_.instances[i]->check(*set_.best[i].solution);
        EXPECT_TRUE(report.valid()) << i << ": " << reasons(report);
        EXPECT_NEAR(report.cost, set_.best[i].cost, 1e-6) << i;
    }
}

TEST_F(BestKnownOp, ToursWithoutOneCustomerEarnItsPrizeLess) {
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        for (std::size_t const customer : tour(i)) {
            auto shorter = tour(i);
            std::erase(shorter, customer);
            auto const report = set_.instances[i]->check(with(shorter));
            EXPECT_TRUE(report.valid()) << i << ": " << reasons(report);
            EXPECT_NEAR(report.cost, set_.best[i].cost - at(set_.arrays.at("prize"), i, customer - 1), 1e-6);
        }
    }
}

TEST_F(BestKnownOp, ToursWithACustomerTwiceOrUnknownAreRejected) {
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        for (std::size_t const extra : {tour(i).front(), std::size_t{0}, std::size_t{21}, ~std::size_t{0}}) {
            auto damaged = tour(i);
            damaged.push_back(extra);
            expect_rejected(*set_.instances[i], with(damaged), "customer " + std::to_string(extra));
        }
    }
}

TEST_F(BestKnownOp, ToursWithOneMoreCustomerAreTooLong) {
    // The stored tour is optimal and prizes are positive, so there is no room for anybody, anywhere.
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        std::set<std::size_t> const visited(tour(i).begin(), tour(i).end());
        for (std::size_t customer = 1; customer <= 20; ++customer) {
            if (visited.contains(customer)) continue;
            for (std::size_t place = 0; place <= tour(i).size(); ++place) {
                auto damaged = tour(i);
                damaged.insert(damaged.begin() + static_cast<std::ptrdiff_t>(place), customer);
                expect_rejected(*set_.instances[i], with(damaged), "length");
            }
        }
    }
}

TEST_F(BestKnownOp, ReorderedToursAreRejectedExactlyWhenTooLong) {
    std::size_t rejected = 0;
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        for (std::size_t k = 0; k + 1 < tour(i).size(); ++k) {
            auto damaged = tour(i);
            std::swap(damaged[k], damaged[k + 1]);
            double length = 0;
            std::size_t here = 0;
            for (std::size_t const next : damaged) {
                length += distance(node(set_.arrays, i, here), node(set_.arrays, i, next));
                here = next;
            }
            length += distance(node(set_.arrays, i, here), node(set_.arrays, i, 0));
            double const limit = at(set_.arrays.at("max_length"), i, 0);
            if (std::fabs(length - limit) < 1e-4) continue; // too close to call
            auto const report = set_.instances[i]->check(with(damaged));
            EXPECT_EQ(report.valid(), length < limit) << i << ": " << reasons(report);
            rejected += report.valid() ? 0 : 1;
        }
    }
    EXPECT_GT(rejected, set_.instances.size());
}

class BestKnownFjsp : public testing::Test {
protected:
    void SetUp() override { load("fjsp10x5", set_); }
    [[nodiscard]] Schedule const& schedule(std::size_t instance) const {
        return std::get<Schedule>(*set_.best[instance].solution);
    }
    [[nodiscard]] double time(std::size_t instance, std::size_t machine, std::size_t operation) const {
        auto const operations = set_.arrays.at("proc_times").shape()[2];
        return at(set_.arrays.at("proc_times"), instance, machine * operations + operation);
    }
    /// Calls `damage` on a copy of each entry of each schedule; what it changed must be rejected. Returns how many.
    std::size_t reject_each(std::function<bool(std::size_t, Schedule&, Schedule::Entry&)> const& damage,
                            std::string_view word) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < set_.instances.size(); ++i) {
            std::size_t here = 0;
            for (std::size_t k = 0; k < schedule(i).entries.size(); ++k) {
                Schedule damaged = schedule(i);
                if (!damage(i, damaged, damaged.entries[k])) continue;
                expect_rejected(*set_.instances[i], damaged, word);
                ++here;
            }
            EXPECT_GT(here, 0U) << "nothing to damage in instance " << i;
            count += here;
        }
        return count;
    }
    Set set_;
};

TEST_F(BestKnownFjsp, SolutionsAreValidAtTheirMakespan) {
    for (std::size_t i = 0; i < set_.instances.size(); ++i) {
        auto const report = set_.instances[i]->check(*set_.best[i].solution);
        EXPECT_TRUE(report.valid()) << i << ": " << reasons(report);
        EXPECT_EQ(report.cost, set_.best[i].cost) << i;
        EXPECT_LE(set_.best[i].lower_bound, set_.best[i].cost);
    }
}

TEST_F(BestKnownFjsp, MissingAndRepeatedOperationsAreRejected) {
    reject_each([](std::size_t, Schedule& s,
                   Schedule::Entry& entry) { return std::erase(s.entries, Schedule::Entry(entry)) == 1; },
                "is not scheduled");
    reject_each(
        [](std::size_t, Schedule& s, Schedule::Entry& entry) {
            Schedule::Entry const again = entry;
            s.entries.push_back(again);
            return true;
        },
        "times");
}

TEST_F(BestKnownFjsp, OperationsOnMachinesThatCannotDoThemAreRejected) {
    reject_each(
        [this](std::size_t i, Schedule&, Schedule::Entry& entry) {
            for (entry.machine = 0; entry.machine < 5; ++entry.machine) {
                if (time(i, entry.machine, entry.operation) == 0) return true;
            }
            return false;
        },
        "cannot do it");
    reject_each([](std::size_t, Schedule&, Schedule::Entry& entry) { return (entry.machine = 5) == 5; }, "machine");
    reject_each([](std::size_t, Schedule&, Schedule::Entry& entry) { return (entry.machine = ~std::size_t{0}) != 0; },
                "machine");
    reject_each([](std::size_t, Schedule&, Schedule::Entry& entry) { return (entry.operation = 60) == 60; },
                "operation");
}

TEST_F(BestKnownFjsp, OperationsMovedOntoOthersAreRejected) {
    auto const count = reject_each(
        [](std::size_t, Schedule& s, Schedule::Entry& entry) {
            for (Schedule::Entry const& other : s.entries) {
                if (other.machine != entry.machine || other.operation == entry.operation) continue;
                entry.start = other.start;
                return true;
            }
            return false;
        },
        "machine");
    EXPECT_GT(count, 20 * set_.instances.size());
}

TEST_F(BestKnownFjsp, OperationsBeforeTheirPredecessorAreRejected) {
    reject_each(
        [this](std::size_t i, Schedule& s, Schedule::Entry& entry) {
            auto const& starts = set_.arrays.at("start_op_per_job");
            for (std::size_t j = 0; j < starts.shape()[1]; ++j) {
                if (at(starts, i, j) == static_cast<double>(entry.operation)) return false;
            }
            auto const before = std::ranges::find(s.entries, entry.operation - 1, &Schedule::Entry::operation);
            entry.start = before->start + time(i, before->machine, before->operation) - 0.5;
            return true;
        },
        "job");
}

TEST_F(BestKnownFjsp, StartsThatAreNoTimesAreRejected) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (double const start : {-1.0, std::nan(""), infinity, -infinity}) {
        reject_each(
            [start](std::size_t, Schedule&, Schedule::Entry& entry) {
                entry.start = start;
                return true;
            },
            "start");
    }
}

TEST(BestKnownFile, MismatchesAreNamed) {
    auto const file = read_instances(validation("op20.npz"));
    ASSERT_TRUE(file) << file.error().message;
    auto const refusal = [&](std::string_view text, std::string_view set = "op20") {
        auto const best = parse_best_known(text, set, std::span(file->instances).first(2));
        return best ? "accepted" : best.error().message;
    };
    auto const with = [&](std::string const& first) {
        return refusal(R"({"problems":{"op20":{"instances":[)" + first + R"(,{"cost":1}]}}})");
    };
    EXPECT_EQ(with(R"({"cost":1,"optimal":true,"lower_bound":null,"tour":[1,2]})"), "accepted");
    EXPECT_EQ(with(R"({"cost":1,"optimal":1})"), "set 'op20', entry 0: optimal is the number 1, not true or false");
    EXPECT_EQ(with(R"({"cost":"1"})"), "set 'op20', entry 0: cost is the string '1', not a number");
    EXPECT_EQ(with(R"({"optimal":true})"), "set 'op20', entry 0: no cost");
    EXPECT_EQ(with(R"({"cost":1,"index":3})"), "set 'op20', entry 0: index is the number 3, but its place is 0");
    EXPECT_EQ(with(R"({"cost":1,"lower_bound":"x"})"),
              "set 'op20', entry 0: lower_bound is the string 'x', not a number");
    EXPECT_EQ(with("7"), "set 'op20', entry 0: the number 7 where an object belongs");
    EXPECT_EQ(with(R"({"cost":1,"tour":[-1]})").find("set 'op20', entry 0: "), 0U);
    EXPECT_EQ(with(R"({"cost":1,"routes":[[1]]})").find("set 'op20', entry 0: "), 0U);
    EXPECT_EQ(refusal(R"({"problems":{"a":{},"b":{}}})"), "no set 'op20' (there are: a, b)");
    EXPECT_EQ(refusal(R"({"problems":{"op20":{"instances":[{"cost":1}]}}})"), "set 'op20': 1 entries for 2 instances");
    EXPECT_EQ(refusal(R"({"problems":{"op20":[]}})"), "set 'op20': instances is not a list");
    EXPECT_EQ(refusal(R"({"problems":[]})"), "problems is missing: not a best-known file");
    EXPECT_EQ(refusal("[]"), "a list, not a best-known file");
    EXPECT_EQ(refusal("{"), "not JSON at line 1, column 1");
}

} // namespace
} // namespace cax::io
