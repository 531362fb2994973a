#pragma once
// What a part of an explanation is, and typed lists of parts. A part is a struct of types and static functions:
//
//     struct Swap : PartDefaults {
//         static constexpr std::string_view name = "swap";   // in --parts, in JSON, in Python
//         struct Options {};                                 // what explain() takes
//         using Request = Options;                           // the same as it is typed
//         using Finding = StepSwap;                          // what it finds out about a decision
//         static Result<Options> resolve(Request&, ProblemInfo const&);
//         static Result<Finding> explain(ExplanationContext const&, Step const& so_far);
//         static void add_lines(StepWords const&, Step const&, Lines&);
//     };
//
// The list of them is in parts.hpp; docs/howto/add-a-part.md tells how one was added.
#include "cax/core/result.hpp"
#include "cax/explain/sentence.hpp"

#include <array>
#include <bitset>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace cax {

class OptionTable;
struct ExplanationContext;
struct ProblemInfo;
struct Step;
struct StepWords;

/// One of the few plain lines under a decision. The lowest ranks are told.
struct Line {
    int rank = 0;
    Sentence sentence;
};
using Lines = std::vector<Line>;

/// The words of a command that asks about one part alone: `cax swap`.
struct PartCommand {
    std::string_view summary;   ///< one line
    std::string_view paragraph; ///< what it does
    std::string_view examples;  ///< whole lines
};

/// What a part is unless it says otherwise.
struct PartDefaults {
    /// It finds out something about each decision, and a step's record has a field of its name; else it is about the
    /// whole plan.
    static constexpr bool about_decisions = true;
    /// What it fills in the record of the whole explanation.
    static constexpr std::array<std::string_view, 0> record_fields{};
    static constexpr bool by_default = true;
    /// It is chosen by --parts; else by an option of its own.
    static constexpr bool in_parts_option = true;
    /// The heading of its options in help.
    static constexpr std::string_view group = "";
    /// Nothing: there is no such command, or it is made by hand because it can do more.
    static constexpr std::optional<PartCommand> command = std::nullopt;
    struct NoOptions {};
    struct NoFinding {};

    static void describe(OptionTable&, auto&) {}
    /// Called once per explanation, wanted or not, before any step.
    static Result<void> prepare(ExplanationContext&) { return {}; }
    /// Called once after the last step, with all that were asked for.
    static void finish(ExplanationContext const&, std::vector<Step>&) {}
    static void add_lines(StepWords const&, Step const&, Lines&) {}
    /// Every number behind the lines.
    static void add_details(StepWords const&, Step const&, std::vector<Sentence>&) {}
};

template <class... Part> struct PartList {
    static constexpr std::size_t size = sizeof...(Part);
    static constexpr std::array<std::string_view, size> names{Part::name...};

    using Options = std::tuple<typename Part::Options...>;
    using Requests = std::tuple<typename Part::Request...>;
    using Findings = std::tuple<std::optional<typename Part::Finding>...>;

    /// visit.template operator()<Part>() for every part, in order.
    template <class Visit> static void each(Visit&& visit) { (visit.template operator()<Part>(), ...); }
    /// The same for parts that are about decisions.
    template <class Visit> static void each_about_decisions(Visit&& visit) {
        auto const one = [&]<class One> {
            if constexpr (One::about_decisions) visit.template operator()<One>();
        };
        (one.template operator()<Part>(), ...);
    }
    /// The place of a part in the list.
    template <class Wanted>
    static constexpr std::size_t index = [] {
        constexpr std::array<bool, size> is{std::is_same_v<Part, Wanted>...};
        std::size_t place = 0;
        while (!is[place]) ++place;
        return place;
    }();
};

/// Some of the parts of a list.
template <class List> class PartSet {
public:
    template <class Part> [[nodiscard]] bool has() const { return chosen_[List::template index<Part>]; }
    template <class Part> PartSet& set(bool wanted = true) {
        chosen_[List::template index<Part>] = wanted;
        return *this;
    }
    /// False if there is no part of that name.
    bool set(std::string_view name, bool wanted = true) {
        for (std::size_t i = 0; i < List::size; ++i) {
            if (List::names[i] != name) continue;
            chosen_[i] = wanted;
            return true;
        }
        return false;
    }
    /// Only these.
    template <class... Part> [[nodiscard]] static PartSet of() {
        PartSet set;
        (set.template set<Part>(), ...);
        return set;
    }
    [[nodiscard]] static PartSet usual() {
        PartSet set;
        List::each([&]<class Part> { set.template set<Part>(Part::by_default); });
        return set;
    }
    bool operator==(PartSet const&) const = default;

private:
    std::bitset<List::size> chosen_;
};

} // namespace cax
