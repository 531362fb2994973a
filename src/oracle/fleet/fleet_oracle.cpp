#include "cax/oracle/cost_to_go.hpp"

#include "cax/problems/exchange.hpp"
#include "cax/problems/questions.hpp"
#include "column_generation.hpp"
#include "pool_search.hpp"
#include "route_enumeration.hpp"
#include "set_sharing.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cax {
namespace {

using namespace oracle;

constexpr double first_gap = 0.006; ///< of the bound
constexpr double wider = 1.7;       ///< from one rung of gaps to the next
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
            if (auto ok = solve(*rest, vehicles, options, work, answer); !ok) return ok.error();
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

    void offer_columns(Rest const& rest, std::vector<Column> const& columns, std::span<std::size_t const> chosen,
                       CostToGoOptions const& options, CostToGo& answer) const {
        Routes routes{rest.finished()};
        for (std::size_t const k : chosen) routes.routes.push_back(nodes_of(rest, columns[k]));
        offer(Solution{std::move(routes)}, options, answer);
    }

    [[nodiscard]] Result<void> solve(Rest const& rest, std::optional<std::size_t> vehicles,
                                     CostToGoOptions const& options, Work& work, CostToGo& answer) {
        ColumnGeneration program(rest, vehicles, work);
        begin_with(rest, program);
        auto const ended = program.run();
        if (!ended) return ended.error();
        if (program.bound()) raise(rest, *program.bound(), answer);
        if (!*ended) return {};
        carry(rest, program);
        answer.impossible = *program.bound() > program.longest() * (1 + sum_rounding);
        if (answer.impossible) return {};
        if (auto const chosen = program.routes()) offer_columns(rest, program.columns(), *chosen, options, answer);
        return climb(rest, vehicles, program, options, work, answer);
    }

    static void raise(Rest const& rest, double bound, CostToGo& answer) {
        answer.lower_bound = std::max(answer.lower_bound, rest.driven() + bound);
    }

    /// Wider and wider gaps, until the best solution of a pool lies within its gap.
    [[nodiscard]] Result<void> climb(Rest const& rest, std::optional<std::size_t> vehicles,
                                     ColumnGeneration const& program, CostToGoOptions const& options, Work& work,
                                     CostToGo& answer) {
        double const bound = *program.bound();
        for (double gap = first_gap * std::max(bound, program.longest() * 1e-3);; gap *= wider) {
            double const upper = answer.solution ? answer.cost - rest.driven() : program.longest() * (1 + sum_rounding);
            if (upper <= bound * (1 + sum_rounding) || work.exhausted()) return {};
            bool const last = bound + gap >= upper;
            double const limit = last ? upper : bound + gap;
            auto const pool = enumerate_routes(rest, program.prices(), program.labels(), limit - bound, most_routes, work);
            if (!pool) return {};
            PoolTask task{.rows = rest.rows(),
                          .vehicles = vehicles,
                          .limit = limit,
                          .prices = program.prices().row,
                          .begin_with = {}};
            for (Column const& column : program.columns()) task.begin_with.push_back(column.set);
            bool const few = rest.rows() <= most_shared_rows && !vehicles;
            auto const found = few ? share_sets(*pool, task, work) : search_pool(*pool, task, work);
            if (!found) return found.error();
            raise(rest, std::max(bound, found->bound), answer);
            if (found->chosen) offer_columns(rest, *pool, *found->chosen, options, answer);
            if (!found->complete || found->chosen) return {};
            if (last) {
                answer.impossible = !answer.solution;
                return {};
            }
        }
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
