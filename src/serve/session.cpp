#include "cax/serve/session.hpp"

#include "edits.hpp"
#include "line.hpp"
#include "plan.hpp"

#include "cax/core/json.hpp"
#include "cax/problems/exchange.hpp"
#include "cax/report/page.hpp"

#include <fmt/format.h>
#include <mutex>

namespace cax::serve {
namespace {

using enum RequestKind;

Json with_words(char const* status, std::string const& words) { return {{"status", status}, {"words", words}}; }

class OwnSession final : public Session {
public:
    OwnSession(Policy const& policy, SessionOptions options)
        : policy_(policy), options_(std::move(options)), planner_(options_) {}

    Result<void> start(InstancePtr const& instance) {
        original_ = instance;
        auto plan = planner_.plan(policy_, {instance, {}});
        if (!plan) return plan.error();
        if (plan->explanation.steps.empty()) return Error{ErrorCode::invalid_value, "there is nothing to decide"};
        versions_ = {{instance, {}}};
        plan_ = std::make_shared<Plan const>(*std::move(plan));
        return {};
    }

    Json answer(Request const& request) override {
        try {
            if (has_order(request.kind)) return ordered(request);
            std::scoped_lock const lock(mutex_);
            if (request.kind == node) return node_numbers(request.node);
            if (request.kind == save) return saved(request.as);
            return shown(policy_, *plan_, request.step);
        } catch (PolicyFailure const& failure) {
            return with_words("failed", failure.error().message);
        }
    }

    void close() override { line_.close(); }

private:
    Json ordered(Request const& request) {
        Json json;
        try {
            auto const place = line_.join(request.sequence, passes(request.kind));
            json = place ? at_turn(request, *place) : with_words("stale", "a later request came first");
        } catch (Cancelled const&) {
            json = with_words("stale", "a later request has made it worthless");
        }
        json["sequence"] = request.sequence;
        return json;
    }

    Json at_turn(Request const& request, Line::Place& place) {
        place.wait();
        WatchedPolicy const policy(policy_, place.watch());
        if (request.kind == explain) return at_rest(policy, request, place);
        std::scoped_lock const lock(mutex_);
        if (request.kind == look) return shown(policy, *plan_, request.step);
        if (request.kind == drag) return dragged(policy, request);
        return moved(policy, request);
    }

    Json dragged(Policy const& policy, Request const& request) {
        auto const instance = edited(*current().instance, request.edits);
        if (!instance) return with_words("refused", instance.error().message);
        auto plan = planner_.plan(policy, {*instance, current().locks});
        if (!plan) return with_words("refused", plan.error().message);
        leave_to_rest(*plan, std::min(request.step, plan->explanation.steps.size() - 1));
        return shown(policy, *plan, request.step);
    }

    /// Whatever makes another version the current one.
    Json moved(Policy const& policy, Request const& request) {
        std::size_t to = at_;
        if (request.kind == undo || request.kind == redo) {
            bool const possible = request.kind == undo ? at_ > 0 : at_ + 1 < versions_.size();
            if (!possible) return with_words("refused", fmt::format("there is nothing to {}", name_of(request.kind)));
            to = request.kind == undo ? at_ - 1 : at_ + 1;
        }
        auto version = to == at_ ? next(request) : Result<Version>(versions_[to]);
        if (!version) return with_words("refused", version.error().message);
        auto plan = planner_.plan(policy, *version);
        if (!plan) return with_words("refused", plan.error().message);
        if (to == at_) {
            versions_.resize(at_ + 1);
            versions_.push_back(*std::move(version));
            if (versions_.size() > options_.history + 1) versions_.erase(versions_.begin());
            to = versions_.size() - 1;
        }
        at_ = to;
        plan_ = std::make_shared<Plan const>(*std::move(plan));
        known_ = {};
        return shown(policy, *plan_, request.step);
    }

    [[nodiscard]] Result<Version> next(Request const& request) const {
        Version version = current();
        if (request.kind == reset) return Version{original_, {}};
        if (request.kind == lock) {
            version.locks[request.step] = request.action;
        } else if (request.kind == unlock) {
            if (version.locks.erase(request.step) == 0) {
                return Error{ErrorCode::invalid_value,
                             fmt::format("step {} is the policy's already", request.step + 1)};
            }
        } else {
            auto instance = edited(*version.instance, request.edits);
            if (!instance) return instance.error();
            version.instance = *std::move(instance);
        }
        return version;
    }

    /// Long work: it leaves the line, so that a hand that moves again does not wait for it.
    Json at_rest(Policy const& policy, Request const& request, Line::Place& place) {
        std::shared_ptr<Plan const> plan;
        std::shared_ptr<ExplanationContext const> context;
        {
            std::scoped_lock const lock(mutex_);
            plan = plan_;
            context = known_.context;
            if (request.step >= plan->explanation.steps.size()) return shown(policy, *plan, request.step);
        }
        place.step_aside();
        Result<Answers> found = answers(policy, *plan, request, context);
        place.watch().check();
        if (!found) return with_words("refused", found.error().message);
        std::scoped_lock const lock(mutex_);
        if (plan != plan_) throw Cancelled();
        known_.steps.merge(found->steps);
        known_.comparisons.merge(found->comparisons);
        if (found->context) known_.context = found->context;
        if (found->whole) known_.whole = found->whole;
        return shown(policy, *plan, request.step);
    }

    /// What one request asks about a plan.
    [[nodiscard]] Result<Answers> answers(Policy const& policy, Plan const& plan, Request const& request,
                                          std::shared_ptr<ExplanationContext const> const& context) const {
        Answers result;
        if (request.whole) {
            auto found = planner_.explained_plan(policy, plan);
            if (!found) return found.error();
            result.whole = std::make_shared<Explanation const>(*std::move(found));
        } else if (plan.version.locks.contains(request.step)) {
            auto found = planner_.comparison(policy, plan, request.step);
            if (!found) return found.error();
            result.comparisons.emplace(request.step, *std::move(found));
        } else {
            auto shared = planner_.context(policy, plan, context);
            if (!shared) return shared.error();
            result.context = *shared;
            auto found = planner_.explained_step(policy, **shared, request.step);
            if (!found) return found.error();
            result.steps.emplace(request.step, *std::move(found));
        }
        return result;
    }

    /// The plan with whatever is known about it, and all probabilities of one step. Of another plan than the current
    /// one nothing is known.
    Json shown(Policy const& policy, Plan const& plan, std::size_t step) {
        step = std::min(step, plan.explanation.steps.size() - 1); // another plan may be shorter
        std::vector<std::string> const changes = changes_in_words(*original_, *plan.version.instance);
        Answers const none;
        Answers const& known = &plan == plan_.get() ? known_ : none;
        std::optional<Alternatives> probabilities;
        if (!known.explains(step)) {
            auto found = planner_.probabilities(policy, plan, step);
            if (!found) return with_words("refused", found.error().message);
            probabilities = *std::move(found);
        }
        Json record = planner_.record(plan, known, changes, std::move(probabilities));
        return {{"status", "ok"}, {"record", std::move(record)}, {"live", live(plan, step, changes)}};
    }

    [[nodiscard]] Json live(Plan const& plan, std::size_t step, std::vector<std::string> const& changes) const {
        Json locks = Json::array();
        for (auto const& [at, action] : plan.version.locks) {
            Choice const& choice = plan.explanation.steps[at].choice;
            Json lock{{"step", at},
                      {"action", action},
                      {"words", choice.words},
                      {"probability", *choice.probability},
                      {"comparison", nullptr}};
            auto const known = known_.comparisons.find(at);
            if (&plan == plan_.get() && known != known_.comparisons.end())
                lock["comparison"] = comparison_json(*plan.explanation.instance, known->second);
            locks.push_back(std::move(lock));
        }
        bool const current = &plan == plan_.get();
        return {{"step", step},
                {"undo", at_ > 0},
                {"redo", at_ + 1 < versions_.size()},
                {"explained", current && known_.explains(step)},
                {"whole", current && known_.whole != nullptr},
                {"changes", changes},
                {"locks", std::move(locks)}};
    }

    [[nodiscard]] Json node_numbers(std::size_t number) const {
        auto found = numbers_of_node(*current().instance, *original_, number);
        if (!found) return with_words("refused", found.error().message);
        (*found)["status"] = "ok";
        return *std::move(found);
    }

    [[nodiscard]] Json saved(SavedAs as) const {
        Problem const& problem = current().instance->problem();
        std::string const stem = fmt::format("{}-what-if", problem.info().name);
        auto const file = [&](std::string const& ending, char const* type, std::string text) -> Json {
            return {{"status", "ok"}, {"name", stem + ending}, {"type", type}, {"text", std::move(text)}};
        };
        constexpr auto replace = Json::error_handler_t::replace;
        if (as == SavedAs::instance) {
            Json const json{{"schema", "cax/instances/1"},
                            {"problem", problem.info().name},
                            {"instances", Json::array({to_json(*current().instance)})}};
            return file(".json", "application/json", json.dump(1, ' ', false, replace) + "\n");
        }
        std::vector<std::string> const changes = changes_in_words(*original_, *current().instance);
        Json record = planner_.record(*plan_, known_, changes, std::nullopt);
        add_what_if(record, *plan_, changes);
        if (as == SavedAs::explanation) {
            return file("-why.json", "application/json", record.dump(1, ' ', false, replace) + "\n");
        }
        auto page = report::page(record);
        if (!page) return with_words("refused", page.error().message);
        return file(".html", "text/html", *std::move(page));
    }

    [[nodiscard]] Version const& current() const { return versions_[at_]; }

    Policy const& policy_;
    SessionOptions const options_;
    Planner const planner_;
    Line line_;
    InstancePtr original_;

    std::mutex mutex_; ///< of all below
    std::vector<Version> versions_;
    std::size_t at_ = 0;
    std::shared_ptr<Plan const> plan_; ///< of the current version
    Answers known_;                     ///< about it
};

} // namespace

Result<std::unique_ptr<Session>> Session::make(Policy const& policy, InstancePtr const& instance,
                                               SessionOptions options) {
    auto session = std::make_unique<OwnSession>(policy, std::move(options));
    if (auto const ok = session->start(instance); !ok) return ok.error();
    return std::unique_ptr<Session>(std::move(session));
}

} // namespace cax::serve
