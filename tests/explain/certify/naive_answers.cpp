#include "naive_answers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace cax::test {
namespace {

double apart(Point a, Point b) { return std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y}); }

/// Is this one route all right, home included?
bool drives_well(cvrptw::Data const& data, std::vector<std::size_t> const& route, Forgiveness const& forgiven) {
    auto const in_time = [&](double arrival, std::size_t node) {
        return arrival * (1 - forgiven.time) <= data.time_windows[node].close;
    };
    double time = 0;
    double load = 0;
    std::size_t here = 0;
    for (std::size_t const c : route) {
        time += apart(data.locs[here], data.locs[c]);
        if (!in_time(time, c)) return false;
        time = std::max(time, double{data.time_windows[c].open}) + data.durations[c];
        load += data.demand[c - 1];
        here = c;
    }
    return load <= 1 + forgiven.load && in_time(time + apart(data.locs[here], data.locs[0]), 0);
}

/// Grows routes customer by customer in every possible way. `fixed` of the last route's customers were given.
void grow(cvrptw::Data const& data, std::vector<std::vector<std::size_t>>& routes, std::vector<bool>& visited,
          std::size_t left, Forgiveness const& forgiven, std::optional<std::size_t>& best) {
    if (!routes.empty() && !routes.back().empty() && !drives_well(data, routes.back(), forgiven)) return;
    if (left == 0) {
        std::size_t used = 0;
        for (auto const& route : routes) used += route.empty() ? 0 : 1;
        if (!best || used < *best) best = used;
        return;
    }
    for (std::size_t c = 1; c < visited.size(); ++c) {
        if (visited[c]) continue;
        visited[c] = true;
        for (bool const fresh : {false, true}) {
            if (!fresh && routes.empty()) continue;
            if (fresh && !routes.empty() && routes.back().empty()) continue; // the vehicle at the depot is fresh
            auto const before = routes;
            if (fresh) routes.emplace_back();
            routes.back().push_back(c);
            grow(data, routes, visited, left - 1, forgiven, best);
            routes = before;
        }
        visited[c] = false;
    }
}

} // namespace

bool serves_everybody(cvrptw::Data const& data, Routes const& solution, Forgiveness const& forgiven) {
    std::vector<int> visits(data.locs.size(), 0);
    for (auto const& route : solution.routes) {
        for (std::size_t const c : route) {
            if (c == 0 || c >= visits.size()) return false;
            ++visits[c];
        }
        if (!route.empty() && !drives_well(data, route, forgiven)) return false;
    }
    return std::all_of(visits.begin() + 1, visits.end(), [](int count) { return count == 1; });
}

std::optional<std::size_t> fewest_vehicles(cvrptw::Data const& data, std::vector<std::size_t> const& prefix,
                                           Forgiveness const& forgiven) {
    std::vector<std::vector<std::size_t>> routes{{}};
    std::vector<bool> visited(data.locs.size(), false);
    std::size_t left = data.locs.size() - 1;
    for (std::size_t const node : prefix) {
        if (node == 0) {
            if (!routes.back().empty() && !drives_well(data, routes.back(), forgiven)) return std::nullopt;
            if (!routes.back().empty()) routes.emplace_back();
            continue;
        }
        routes.back().push_back(node);
        visited[node] = true;
        --left;
    }
    std::optional<std::size_t> best;
    grow(data, routes, visited, left, forgiven, best);
    return best;
}

double tour_length(op::Data const& data, std::vector<std::size_t> const& tour) {
    double length = 0;
    std::size_t here = 0;
    for (std::size_t const c : tour) {
        length += apart(data.locs[here], data.locs[c]);
        here = c;
    }
    return length + apart(data.locs[here], data.locs[0]);
}

std::optional<double> largest_prize(op::Data const& data, std::vector<std::size_t> const& prefix,
                                    Forgiveness const& forgiven) {
    for (float const prize : data.prize) {
        if (prize < 0) return std::nullopt;
    }
    std::vector<std::size_t> tour;
    bool closed = false;
    for (std::size_t const node : prefix) {
        closed = closed || node == 0;
        if (node != 0) tour.push_back(node);
    }
    std::optional<double> best;
    std::function<void()> const extend = [&] {
        if (tour_length(data, tour) > data.max_length * (1 + forgiven.length)) return;
        double prize = 0;
        for (std::size_t const c : tour) prize += double{data.prize[c]};
        if (!best || prize > *best) best = prize;
        for (std::size_t c = 1; c < data.locs.size() && !closed; ++c) {
            if (std::ranges::find(tour, c) != tour.end()) continue;
            tour.push_back(c);
            extend();
            tour.pop_back();
        }
    };
    extend();
    return best;
}

namespace {

struct Shop {
    fjsp::Data const& data;
    std::vector<std::size_t> next;
    std::vector<double> job_free;
    std::vector<double> machine_free;
    double end = 0;
    double clock = 0; ///< of the last dispatch that was given: what follows cannot start before
    double best = std::numeric_limits<double>::infinity();

    double dispatch(std::size_t job, fjsp::Alternative const& way) {
        double const start = std::max({clock, job_free[job], machine_free[way.machine]});
        job_free[job] = machine_free[way.machine] = start + double{way.time};
        end = std::max(end, start + double{way.time});
        ++next[job];
        return start;
    }
    void search() {
        if (end >= best) return;
        bool done = true;
        for (std::size_t j = 0; j < data.jobs.size(); ++j) {
            if (next[j] == data.jobs[j].size()) continue;
            done = false;
            for (auto const& way : data.jobs[j][next[j]]) {
                auto const jobs = job_free;
                auto const machines = machine_free;
                double const before = end;
                dispatch(j, way);
                search();
                --next[j];
                job_free = jobs;
                machine_free = machines;
                end = before;
            }
        }
        if (done) best = end;
    }
};

} // namespace

double shortest_makespan(fjsp::Data const& data, std::vector<std::size_t> const& prefix) {
    Shop shop{data, std::vector<std::size_t>(data.jobs.size()), std::vector<double>(data.jobs.size()),
              std::vector<double>(data.machines)};
    for (std::size_t const action : prefix) {
        std::size_t const job = (action - 1) / data.machines;
        auto const& ways = data.jobs[job][shop.next[job]];
        shop.clock =
            shop.dispatch(job, *std::ranges::find(ways, (action - 1) % data.machines, &fjsp::Alternative::machine));
    }
    shop.search();
    return shop.best;
}

std::optional<double> makespan_of(fjsp::Data const& data, Schedule const& schedule) {
    struct Run {
        std::size_t job, place, machine;
        double start, end;
    };
    std::vector<Run> runs;
    for (auto const& [operation, machine, start] : schedule.entries) {
        std::size_t job = 0;
        std::size_t place = operation;
        while (job < data.jobs.size() && place >= data.jobs[job].size()) place -= data.jobs[job++].size();
        if (job == data.jobs.size()) return std::nullopt;
        auto const& ways = data.jobs[job][place];
        auto const way = std::ranges::find(ways, machine, &fjsp::Alternative::machine);
        if (way == ways.end()) return std::nullopt;
        runs.push_back({job, place, machine, start, start + double{way->time}});
    }
    std::size_t operations = 0;
    for (auto const& job : data.jobs) operations += job.size();
    if (runs.size() != operations) return std::nullopt;
    double end = 0;
    for (Run const& run : runs) end = std::max(end, run.end);
    double const slack = 2e-9 * end;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].start < -slack) return std::nullopt;
        for (std::size_t k = 0; k < runs.size(); ++k) {
            if (i == k) continue;
            Run const& a = runs[i];
            Run const& b = runs[k];
            if (a.job == b.job && a.place == b.place) return std::nullopt;
            if (a.job == b.job && a.place < b.place && b.start < a.end - slack) return std::nullopt;
            if (a.machine == b.machine && a.start < b.end - slack && b.start < a.end - slack) return std::nullopt;
        }
    }
    return end;
}

} // namespace cax::test
