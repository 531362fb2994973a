#pragma once
// Options as data: what may be set, under which name, within which range, by which words, and what it means. A function
// beside an options struct describes it,
//
//     void describe(OptionTable& table, SubsetOptions& options) {
//         table.value("epsilon", options.epsilon, "E", "How much of the decision may be lost").within(0, 1);
//         table.choice("accept", options.accept, "When a subset is sufficient");
//     }
//
// and this one description drives the command line and its help, the settings in result files, and settings that are
// read from JSON. Describing a struct changes nothing: a table of a default-made one lists what there is to set.
#include "cax/core/json_fwd.hpp"
#include "cax/core/names.hpp"
#include "cax/core/result.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cax {

using Texts = std::vector<std::string>;
using TextMap = std::map<std::string, std::string, std::less<>>;

struct OptionWord {
    std::string_view name;
    std::string_view help;
};
using WordList = std::vector<std::string_view>;
/// Words out of a list: exactly one, or some. `set` gets words that are in the list.
struct WordsTarget {
    std::vector<OptionWord> words;
    bool many = false; ///< several, separated by commas; "all" and "none" are understood
    std::function<WordList()> get;
    std::function<void(WordList const&)> set;
    TextMap former = {}; ///< words of the version before, by what they are called now: still understood
};
/// Places in some row of things, kept from 0, ascending; written "3,5,8-12" and counted from `first`. Empty = all.
struct PlacesTarget {
    std::vector<std::size_t>* places = nullptr;
    std::size_t first = 0;
    std::string_view things; ///< "steps"
};
/// What has a grammar of its own.
struct CustomTarget {
    std::function<Result<void>(std::string const&)> set;
    std::function<Json()> get;
};
using OptionTarget = std::variant<bool*, std::uint64_t*, std::optional<std::uint64_t>*, double*, std::optional<double>*,
                                  std::string*, Texts*, TextMap*, WordsTarget, PlacesTarget, CustomTarget>;

/// One option, bound to what it sets. The functions below the data are for describing: each returns the option itself.
struct Option {
    std::string name;  ///< "dual-range" is typed --dual-range; one without a name in front of it is in capitals: POLICY
    std::string help;  ///< without its words, range and default, which are known from elsewhere
    std::string value; ///< what stands for the value in help: "M", "FILE"; empty for a flag
    OptionTarget target;
    std::string key; ///< field in JSON: "dual_range"; "subset.delta" lies in an object; empty: no result depends on it
    std::string group; ///< heading in help; empty: the general one
    char letter = 0;   ///< 'o' for -o
    bool positional = false;
    bool required = false;
    bool typed = true;   ///< false: a field of JSON only
    bool early = false;  ///< takes effect before the others: a set of values that others then change one by one
    bool both = false;   ///< a flag that can be switched off, too: --no-refine
    bool commas = false; ///< texts may also be separated by commas
    std::uint64_t least = 0;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    double low = 0; ///< numbers are never negative
    double high = std::numeric_limits<double>::infinity();
    bool open_low = false; ///< the lower end of low .. high is outside
    bool open_high = false;
    std::optional<std::string> default_words;
    Texts excludes;                ///< names of options that cannot stand beside it
    Texts needs;                   ///< names of options that it makes no sense without
    Texts former;                  ///< names of the version before: still understood, typed, in JSON and in Python
    std::function<Json()> written; ///< in JSON, in place of the plain value
    std::function<void()> effect;  ///< what else happens when it is set; of a flag: when it is switched on

    Option& from(std::uint64_t low_end) { return range(low_end, most); }
    Option& range(std::uint64_t low_end, std::uint64_t high_end);
    Option& within(double low_end, double high_end);        ///< both included
    Option& between(double low_end, double high_end);       ///< both excluded
    Option& from_to_below(double low_end, double high_end); ///< the upper one excluded
    Option& as(std::string field);
    Option& as(std::string field, std::function<Json()> get);
    Option& not_a_setting() { return as(""); }
    Option& also(char short_name);
    Option& default_is(std::string words); ///< "": none is shown
    Option& without(std::initializer_list<char const*> others);
    Option& with(std::initializer_list<char const*> others);
    Option& then(std::function<void()> also_happens); ///< after what was to happen already
    Option& must() { return required = true, *this; }
    Option& first() { return early = true, *this; }
    Option& on_or_off() { return both = true, *this; }
    Option& or_commas() { return commas = true, *this; }
    Option& formerly(std::initializer_list<char const*> names);
    /// One of its words had another name. Precondition: it takes words.
    Option& word_formerly(std::string const& word, std::string const& now);

    [[nodiscard]] bool is_flag() const;
    [[nodiscard]] bool is_list() const; ///< may be given more than once
    [[nodiscard]] std::vector<OptionWord> words() const;
    /// As typed, all values that were given; a flag takes "true" or "false". The error says what is wrong with the
    /// value and leaves the option's name to the caller.
    [[nodiscard]] Result<void> set(Texts const& given) const;
    /// As in JSON. Likewise.
    [[nodiscard]] Result<void> read(Json const& given) const;
    /// Is the value that it has now within its range? Likewise.
    [[nodiscard]] Result<void> check() const;
    [[nodiscard]] Json get() const;
    /// Its fields of the version before, as `key` says them.
    [[nodiscard]] Texts former_keys() const;
    [[nodiscard]] std::string help_text() const;    ///< with its words
    [[nodiscard]] std::string default_text() const; ///< of the values that it has now; empty if there is none to show

private:
    [[nodiscard]] Result<void> finish(Result<void> const& ok) const;
};

class OptionTable {
public:
    Option& flag(std::string const& name, bool& target, std::string const& help) {
        return add(name, &target, "", help);
    }
    /// A whole number >= 0 (250000 may be written 2.5e5), a finite number >= 0, a text, texts, or texts by name.
    template <class T>
    Option& value(std::string const& name, T& target, std::string const& value, std::string const& help) {
        return add(name, &target, value, help);
    }
    Option& places(std::string const& name, PlacesTarget target, std::string const& value, std::string const& help) {
        return add(name, target, value, help);
    }
    Option& words(std::string const& name, WordsTarget target, std::string const& help) {
        return add(name, target, target.many ? "WORD,.." : "WORD", help);
    }
    Option& custom(std::string const& name, CustomTarget target, std::string const& value, std::string const& help) {
        return add(name, target, value, help);
    }
    /// A text, or texts, by its place among the arguments.
    template <class T> Option& positional(std::string const& name, T& target, std::string const& help) {
        Option& option = add(name, &target, "", help);
        option.positional = true;
        return option.must().not_a_setting();
    }
    /// Only in JSON, and only written.
    Option& setting(std::string const& field, std::function<Json()> get);
    /// One of the names of an enum, see names_of(); `except` those that only programs choose.
    template <class Enum>
    Option& choice(std::string const& name, Enum& target, std::string const& help,
                   std::initializer_list<Enum> except = {});
    /// Some of them.
    template <class Enum> Option& choices(std::string const& name, std::vector<Enum>& target, std::string const& help);
    /// These options out of a struct's own description, in that order (asserted that they are there).
    template <class Struct> void choose(std::initializer_list<std::string_view> names, Struct& options);

    /// The heading in help of what follows; "" for the general one.
    void group(std::string title) { group_ = std::move(title); }

    [[nodiscard]] std::deque<Option> const& options() const { return options_; }
    [[nodiscard]] Option* find(std::string_view name);
    /// Values as typed, by name of the option: first the early ones, then in the table's order. Errors begin with the
    /// option's name, "--shots: ...".
    [[nodiscard]] Result<void> set(std::map<std::string, Texts> const& given) const;
    /// What of it has another name now, a sentence each: "--shots is now --samples". Values are not looked at twice: an
    /// error in them is set()'s to tell.
    [[nodiscard]] Texts deprecations(std::map<std::string, Texts> const& given) const;
    /// The fields of an object; errors begin with the field, "subset.delta: ...", an unknown one lists those there are.
    [[nodiscard]] Result<void> read(Json const& object) const { return read_fields(object, ""); }
    /// Are the numbers that the struct holds now within their ranges? For structs that a program filled in. Errors
    /// begin with the field.
    [[nodiscard]] Result<void> check() const;
    /// Every option that has a field, in the table's order.
    [[nodiscard]] Json json() const;

private:
    Option& add(std::string const& name, OptionTarget target, std::string const& value, std::string const& help);
    [[nodiscard]] Result<void> read_fields(Json const& object, std::string const& prefix) const;

    std::deque<Option> options_;
    std::string group_;
};

/// The options of a struct: to list them, or for table_of(options).json(), the settings of a result file.
template <class Struct> [[nodiscard]] OptionTable table_of(Struct& options) {
    OptionTable table;
    describe(table, options);
    return table;
}

/// "a=1", "b=2" to a map. The error names the option and the one without '='.
[[nodiscard]] Result<TextMap> parse_pairs(Texts const& pairs, std::string_view option);
/// "-0.5" to a finite number; the error begins with `where`.
[[nodiscard]] Result<double> parse_number(std::string_view text, std::string_view where);

template <class Enum>
Option& OptionTable::choice(std::string const& name, Enum& target, std::string const& help,
                            std::initializer_list<Enum> except) {
    WordsTarget words{.words = {}, .many = false, .get = {}, .set = {}};
    for (Named<Enum> const& entry : names_of(target)) {
        if (std::ranges::find(except, entry.value) == except.end()) words.words.push_back({entry.name, entry.help});
    }
    words.get = [&target] { return WordList{lookup(names_of(target), target)}; };
    words.set = [&target](WordList const& chosen) {
        for (Named<Enum> const& entry : names_of(target)) {
            if (entry.name == chosen.front()) target = entry.value;
        }
    };
    return this->words(name, std::move(words), help);
}

template <class Enum>
Option& OptionTable::choices(std::string const& name, std::vector<Enum>& target, std::string const& help) {
    WordsTarget words{.words = {}, .many = true, .get = {}, .set = {}};
    for (Named<Enum> const& entry : names_of(Enum{})) words.words.push_back({entry.name, entry.help});
    words.get = [&target] {
        WordList chosen;
        for (Enum const value : target) chosen.push_back(lookup(names_of(value), value));
        return chosen;
    };
    words.set = [&target](WordList const& chosen) {
        target.clear();
        for (std::string_view const word : chosen) {
            for (Named<Enum> const& entry : names_of(Enum{})) {
                if (entry.name == word) target.push_back(entry.value);
            }
        }
    };
    return this->words(name, std::move(words), help);
}

template <class Struct> void OptionTable::choose(std::initializer_list<std::string_view> names, Struct& options) {
    OptionTable all = table_of(options);
    for (std::string_view const name : names) {
        Option* const found = all.find(name);
        assert(found != nullptr);
        found->group = group_;
        options_.push_back(std::move(*found));
    }
}

} // namespace cax
