#include "tour.hpp"

#include "../problem.hpp"

#include <algorithm>

namespace cax::routing {

TourData as_checked(TourData data, Rounding rounding) {
    double const part = rounding == Rounding::loose ? 2 * arrival_tolerance : 0;
    for (double& close : data.close) close /= 1 - (close > 0 ? part : -part);
    data.prize_wanted -= prize_shortage * (rounding == Rounding::loose ? 2 : 0.5);
    return data;
}

double TourTask::cost(std::span<std::size_t const> order) const {
    double sum = length;
    std::size_t at = here;
    for (std::size_t const node : order) {
        sum += data.distance(at, node);
        at = node;
    }
    if (!closed) sum += data.distance(at, home);
    if (!data.may_leave_out()) return sum;
    for (std::size_t const node : left) sum += data.penalty[node];
    for (std::size_t const node : order) sum -= data.penalty[node];
    return sum;
}

double TourTask::lateness(std::span<std::size_t const> order) const {
    if (!data.timed()) return 0;
    double sum = 0;
    double now = time;
    std::size_t at = here;
    for (std::size_t const node : order) {
        double const arrival = now + data.distance(at, node);
        sum += std::max(0.0, arrival - data.close[node]);
        now = std::max(arrival, data.open[node]);
        at = node;
    }
    return sum;
}

bool TourTask::is_enough(std::span<std::size_t const> order) const {
    if (order.size() == left.size()) return true;
    if (!data.may_leave_out()) return false;
    double sum = prize;
    for (std::size_t const node : order) sum += data.prize[node];
    return sum >= data.prize_wanted;
}

Routes TourTask::tour(std::span<std::size_t const> order) const {
    std::vector<std::size_t> nodes = begun;
    nodes.insert(nodes.end(), order.begin(), order.end());
    return {{std::move(nodes)}};
}

Result<TourTask> tour_task(Instance const& instance, TourData data, std::span<std::size_t const> actions) {
    bool const from_depot = problem_of(instance).look().nodes.depot;
    std::size_t const start = 0;
    if (!from_depot && actions.empty()) actions = {&start, 1};
    auto prefix = prefix_of(instance, actions);
    if (!prefix) return prefix.error();
    TourTask task{.data = std::move(data), .left = std::move(prefix->left), .closed = prefix->closed};
    task.begun = std::move(prefix->closed && !prefix->finished.empty() ? prefix->finished[0] : prefix->under_way);
    task.home = task.here = from_depot ? 0 : task.begun.front();
    for (std::size_t const node : task.begun) {
        double const arrival = task.time + task.data.distance(task.here, node);
        task.length += task.data.distance(task.here, node);
        task.time = arrival;
        if (task.data.timed()) {
            if (!task.late && arrival > task.data.close[node]) task.late = node;
            task.time = std::max(arrival, task.data.open[node]);
        }
        if (!task.data.prize.empty()) task.prize += task.data.prize[node];
        task.here = node;
    }
    if (task.closed) task.length += task.data.distance(task.here, task.home);
    return task;
}

} // namespace cax::routing
