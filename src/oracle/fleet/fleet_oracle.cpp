#include "cax/oracle/cost_to_go.hpp"

#include "cax/problems/completions.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"
#include "column_generation.hpp"
#include "pool_search.hpp"
#include "route_enumeration.hpp"
#include "set_sharing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cax {
namespace {

using namespace oracle;

constexpr double first_gap = 0.006; ///< of the bound
constexpr double wider = 1.4;       ///< from one rung of gaps to the next
constexpr double a_little_wider = 1.2; ///< the same, where there are many routes already
constexpr std::size_t many_routes = 8000;
constexpr std::size_t rungs_before_search = 4;
constexpr double nearly = 1.2;      ///< so many times wider, if there is an upper bound that is enough
constexpr std::size_t sets_per_node = 300'000; ///< of dynamic programming
constexpr std::uint64_t search_unit = 2000; ///< of work, for an iteration of a search
constexpr std::size_t most_routes = 400'000;
constexpr std::size_t most_carried = 3000;

constexpr std::array arithmetics{
    Named<Arithmetic>{Arithmetic::exact, "exact", "whole numbers, or bounds rounded outward"},
    Named<Arithmetic>{Arithmetic::double_precision, "double", "an exact method in double precision"}};

/// A route as the instance names its customers.
using NodeRoute = std::vector<std::size_t>;

} // namespace

NameTable<Arithmetic> names_of(Arithmetic) { return arithmetics; }

class FleetOracle::Search {
public:
    Search(InstancePtr instance, VehicleModel model) : instance_(std::move(instance)), model_(std::move(model)) {}

    [[nodiscard]] Result<CostToGo> run(std::span<std::size_t const> prefix, CostToGoOptions const& options) {
        auto rest = Rest::after(model_, prefix);
        if (!rest) return rest.error();
        Work work(options.work);
        CostToGo answer;
        if (rest->broken()) {
            answer.impossible = true;
            return answer;
        }
        std::size_t const finished = rest->finished().size();
        auto vehicles = options.vehicles;
        if (vehicles) {
            answer.impossible = *vehicles < finished + (rest->under_way() ? 1 : 0);
            if (answer.impossible) return answer;
            *vehicles -= finished;
        }
        answer.lower_bound = simple_bound(*rest);
        for (Solution const& known : options.known) offer_known(known, prefix, options, answer);
        if (rest->customers() == 0) {
            finish(*rest, options, answer);
        } else if (rest->customers() <= most_customers_left) {
            Task const task{*rest, prefix, vehicles, options, work};
            if (auto ok = solve(task, answer); !ok) return ok.error();
        }
        answer.work = work.spent();
        settle(answer);
        return answer;
    }

private:
    /// Every customer must be reached from here, and left for home.
    [[nodiscard]] static double simple_bound(Rest const& rest) {
        std::size_t const here = rest.under_way() ? rest.start() : rest.depot();
        double longest = rest.distance(here, rest.depot());
        for (std::size_t i = 0; i < rest.customers(); ++i)
            longest = std::max(longest, rest.distance(here, i) + rest.to_depot(i));
        return rest.driven() + longest * (1 - sum_rounding);
    }

    void offer(Solution solution, CostToGoOptions const& options, CostToGo& answer) const {
        CheckReport const report = instance_->check(solution);
        if (!report.valid() || (answer.solution && report.cost >= answer.cost)) return;
        answer.cost = report.cost;
        auto actions = actions_of(*instance_, solution, options.like);
        answer.actions = actions ? *std::move(actions) : std::vector<std::size_t>{};
        answer.solution = std::move(solution);
    }
    void offer_known(Solution const& known, std::span<std::size_t const> prefix, CostToGoOptions const& options,
                     CostToGo& answer) {
        Question question{.prefix = {prefix.begin(), prefix.end()}, .bound = {}};
        if (options.vehicles) question.bound = static_cast<double>(*options.vehicles);
        if (!check_answer(*instance_, known, question).valid()) return;
        offer(known, options, answer);
        if (auto const* routes = std::get_if<Routes>(&known))
            carried_.insert(carried_.begin(), routes->routes.begin(), routes->routes.end());
    }

    static void settle(CostToGo& answer) {
        if (answer.impossible || !answer.solution) return;
        answer.proved = answer.cost <= answer.lower_bound * (1 + sum_rounding);
        if (answer.proved) answer.lower_bound = answer.cost;
    }

    /// Nobody is left: home.
    void finish(Rest const& rest, CostToGoOptions const& options, CostToGo& answer) const {
        Routes routes{rest.finished()};
        if (rest.under_way()) routes.routes.push_back(rest.head());
        answer.impossible = !instance_->check(Solution{routes}).valid();
        if (answer.impossible) return;
        offer(Solution{std::move(routes)}, options, answer);
        answer.lower_bound = answer.cost;
    }

    /// The routes carried along, as far as they fit what is left now.
    void begin_with(Rest const& rest, ColumnGeneration& program) const {
        std::vector<std::size_t> local(model_.demand.size(), rest.customers());
        for (std::size_t i = 0; i < rest.customers(); ++i) local[rest.node(i)] = i;
        for (NodeRoute const& route : carried_) {
            std::vector<std::size_t> customers;
            bool goes_on = false; // after somebody who was visited last
            for (std::size_t const node : route) {
                if (local[node] < rest.customers()) customers.push_back(local[node]);
                goes_on = goes_on || (rest.under_way() && node == rest.head().back());
            }
            if (goes_on || customers.empty()) {
                if (auto column = column_of(rest, customers, rest.under_way())) program.add(*std::move(column));
            }
            if (customers.empty()) continue;
            if (auto column = column_of(rest, std::move(customers), false)) program.add(*std::move(column));
        }
    }

    void carry(Rest const& rest, ColumnGeneration const& program) {
        carried_.clear();
        auto const& columns = program.columns();
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            double reduced = columns[k].length - program.prices().route;
            for_each(columns[k].set, [&](std::size_t row) { reduced -= program.prices().row[row]; });
            order.emplace_back(reduced, k);
        }
        std::ranges::sort(order);
        if (order.size() > most_carried) order.resize(most_carried);
        for (auto const& [reduced, k] : order) carried_.push_back(nodes_of(rest, columns[k]));
    }

    /// The whole route, with what has been driven of it.
    [[nodiscard]] static NodeRoute nodes_of(Rest const& rest, Column const& column) {
        NodeRoute route;
        if (column.continuation) route = rest.head();
        for (std::size_t const customer : column.customers) route.push_back(rest.node(customer));
        return route;
    }

    /// What is asked.
    struct Task {
        Rest const& rest;
        std::span<std::size_t const> prefix;
        std::optional<std::size_t> vehicles; ///< for what is left
        CostToGoOptions const& options;
        Work& work;
    };

    [[nodiscard]] Result<void> solve(Task const& task, CostToGo& answer) {
        Rest const& rest = task.rest;
        ColumnGeneration program(rest, task.vehicles, task.work);
        begin_with(rest, program);
        auto const ended = program.run();
        if (!ended) return ended.error();
        if (program.bound()) raise(rest, *program.bound(), answer);
        if (!*ended) return {};
        carry(rest, program);
        answer.impossible = *program.bound() > program.longest() * (1 + sum_rounding);
        if (answer.impossible) return {};
        if (auto const chosen = program.routes()) offer_columns(task, program.columns(), *chosen, answer);
        return climb(task, program, answer);
    }

    void offer_columns(Task const& task, std::vector<Column> const& columns, std::span<std::size_t const> chosen,
                       CostToGo& answer) const {
        Routes routes{task.rest.finished()};
        for (std::size_t const k : chosen) routes.routes.push_back(nodes_of(task.rest, columns[k]));
        offer(Solution{std::move(routes)}, task.options, answer);
    }

    static void raise(Rest const& rest, double bound, CostToGo& answer) {
        answer.lower_bound = std::max(answer.lower_bound, rest.driven() + bound);
    }

    /// Wider and wider gaps, until the best solution of a pool lies within its gap. After a few of them a search says
    /// how wide they can become.
    [[nodiscard]] Result<void> climb(Task const& task, ColumnGeneration const& program, CostToGo& answer) {
        Rest const& rest = task.rest;
        double const bound = *program.bound();
        double gap = first_gap * std::max(bound, program.longest() * 1e-3);
        for (std::size_t rung = 0;; ++rung) {
            double const upper = answer.solution ? answer.cost - rest.driven() : program.longest() * (1 + sum_rounding);
            if (upper <= bound * (1 + sum_rounding) || task.work.exhausted()) return {};
            bool const last = bound + gap * (rung == 0 ? 1 : nearly) >= upper;
            double const limit = last ? upper : bound + gap;
            auto const pool =
                enumerate_routes(rest, program.prices(), program.labels(), limit - bound, most_routes, task.work);
            if (!pool) return {};
            auto const found = share_out(task, program, *pool, limit);
            if (!found) return found.error();
            raise(rest, std::max(bound, found->bound), answer);
            if (found->chosen) offer_columns(task, *pool, *found->chosen, answer);
            if (!found->complete || found->chosen) return {};
            if (last) {
                answer.impossible = !answer.solution;
                return {};
            }
            if (rung + 1 == rungs_before_search) search(task, answer);
            gap *= pool->size() < many_routes ? wider : a_little_wider;
        }
    }

    [[nodiscard]] static Result<PoolAnswer> share_out(Task const& task, ColumnGeneration const& program,
                                                      std::vector<Column> const& pool, double limit) {
        PoolTask shares{.rows = task.rest.rows(),
                        .vehicles = task.vehicles,
                        .limit = limit,
                        .order = chain_of_rows(task.rest),
                        .prices = program.prices().row,
                        .begin_with = {},
                        .sets = sets_per_node};
        for (Column const& column : program.columns()) shares.begin_with.push_back(column.set);
        return search_pool(pool, shares, task.work);
    }

    /// The problem's own search, for an upper bound: whatever keeps it from finding one, there is none. It knows of no
    /// limit on vehicles.
    void search(Task const& task, CostToGo& answer) const {
        if (task.vehicles || task.options.search_work == 0) return;
        if (task.prefix.empty()) {
            SearchOptions options;
            options.seconds = std::numeric_limits<double>::infinity();
            options.iterations = 2 * task.options.search_work; // nothing is known yet
            options.exact = false;
            auto found = cax::search(*instance_, options);
            if (!found) return;
            offer(std::move(found->solution), task.options, answer);
            task.work.spend(found->iterations * search_unit);
            return;
        }
        auto const before = task.prefix.first(task.prefix.size() - 1);
        auto found = completions_of(*instance_, {.prefix = before,
                                                 .actions = task.prefix.last(1),
                                                 .known = task.options.known,
                                                 .prove = false,
                                                 .search_work = task.options.search_work});
        if (!found) return;
        Completion& completion = found->front();
        task.work.spend(completion.work * search_unit);
        if (completion.solution) offer(*std::move(completion.solution), task.options, answer);
    }

    InstancePtr instance_;
    VehicleModel model_;
    std::vector<NodeRoute> carried_;
};

FleetOracle::FleetOracle(std::unique_ptr<Search> search) : search_(std::move(search)) {}
FleetOracle::FleetOracle(FleetOracle&&) noexcept = default;
FleetOracle& FleetOracle::operator=(FleetOracle&&) noexcept = default;
FleetOracle::~FleetOracle() = default;

std::optional<FleetOracle> FleetOracle::of(InstancePtr instance) {
    auto model = vehicle_model_of(*instance);
    if (!model) return std::nullopt;
    return FleetOracle(std::make_unique<Search>(std::move(instance), *std::move(model)));
}

Result<CostToGo> FleetOracle::cost_to_go(std::span<std::size_t const> prefix, CostToGoOptions const& options) {
    return search_->run(prefix, options);
}

Result<CostToGo> cost_to_go(InstancePtr const& instance, std::span<std::size_t const> prefix,
                            CostToGoOptions const& options) {
    auto oracle = FleetOracle::of(instance);
    if (!oracle) return missing_capability(instance->problem(), "fleet");
    return oracle->cost_to_go(prefix, options);
}

} // namespace cax
