// Figures as gnuplot scripts with their data inside. Each draws itself twice, as SVG and as PNG.
#include "cax/study/report.hpp"

#include "tables/columns.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace cax::study {
namespace {

std::string number_or_missing(std::optional<double> const& value) {
    return value ? fmt::format("{:.6g}", *value) : std::string("NaN");
}

/// gnuplot's double quotes interpret backslashes and quotes.
std::string quoted(std::string const& text) {
    std::string result = "\"";
    for (char const c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

constexpr char const* colours[] = {"#8c8c8c", "#1b6ca8", "#d1495b", "#66a182", "#edae49", "#5c4b8a", "#00798c"};

/// The same drawing on two terminals.
std::string twice(std::string const& name, int width, int height, std::string const& settings,
                  std::string const& drawing) {
    std::string script = settings;
    script += "set border 3\nset tics nomirror out\nset grid ytics lc rgb '#e0e0e0'\n";
    script += fmt::format("set terminal svg size {},{} dynamic enhanced font 'Helvetica,13' background '#ffffff'\n"
                          "set output '{}.svg'\n{}",
                          width, height, name, drawing);
    script += fmt::format("set terminal pngcairo size {},{} enhanced font 'Helvetica,13'\nset output '{}.png'\n{}",
                          width, height, name, drawing);
    return script + "unset output\n";
}

std::string stars(std::optional<double> const& p) {
    if (!p) return "";
    return *p < 1e-3 ? "***" : *p < 1e-2 ? "**" : *p < 0.05 ? "*" : "ns";
}

/// Over each problem's bars: the difference between lp and proxy.
std::string difference_labels(Columns const& difference, std::vector<std::string> const& problems, double group) {
    std::string labels;
    for (std::size_t row = 0; row < difference.rows(); ++row) {
        if (difference.text(row, "a") != "lp" || difference.text(row, "b") != "proxy") continue;
        auto const place = std::ranges::find(problems, difference.text(row, "problem")) - problems.begin();
        auto const point = difference.number(row, "a - b");
        if (!point) continue;
        labels += fmt::format("set label {} at {:.3f},1.17 center noenhanced font ',11'\n",
                              quoted(fmt::format("{:+.2f} [{:+.2f}, {:+.2f}] {}", *point,
                                                 difference.number(row, "low (instances)").value_or(0),
                                                 difference.number(row, "high (instances)").value_or(0),
                                                 stars(difference.number(row, "p")))),
                              static_cast<double>(place) * group + (group - 2) / 2);
    }
    return labels;
}

Figure agreement_figure(Table const& table, Table const& difference) {
    Columns const rows(table);
    auto const problems = rows.distinct("problem");
    std::vector<std::string> const predictors{"proxy",      "lp",       "subgrad",
                                              "lagrangian", "majority", "sampler if all flip"};
    double const group = static_cast<double>(predictors.size()) + 1;
    std::string settings;
    std::string paper = "$paper << EOD\n";
    std::string plots;
    for (std::size_t k = 0; k < predictors.size(); ++k) {
        settings += fmt::format("$bars{} << EOD\n", k);
        for (std::size_t row = 0; row < rows.rows(); ++row) {
            if (rows.text(row, "predictor") != predictors[k]) continue;
            auto const place = std::ranges::find(problems, rows.text(row, "problem")) - problems.begin();
            double const x = static_cast<double>(place) * group + static_cast<double>(k);
            settings += fmt::format("{} {} {}\n", x, number_or_missing(rows.number(row, "mean")),
                                    number_or_missing(rows.number(row, "std").value_or(0)));
            if (auto const theirs = rows.number(row, "paper mean")) paper += fmt::format("{} {}\n", x, *theirs);
        }
        settings += "EOD\n";
        plots += fmt::format("$bars{0} using 1:2:3 with boxerrorbars lc rgb '{1}' fs solid 0.85 title {2}, ", k,
                             colours[k], quoted(predictors[k]));
    }
    settings += paper + "EOD\n";
    settings += fmt::format("set xrange [-0.8:{:.1f}]\n", static_cast<double>(problems.size()) * group - 1.2);
    settings += "set boxwidth 0.85\nset yrange [0:1.25]\nset ytics 0,0.2,1\nset ylabel 'agreement with the "
                "signal'\nset key outside bottom center horizontal\nset xtics (";
    for (std::size_t p = 0; p < problems.size(); ++p) {
        settings += fmt::format("{}{} {}", p == 0 ? "" : ", ", quoted(problems[p]),
                                static_cast<double>(p) * group + (group - 2) / 2);
    }
    settings += ")\n" + difference_labels(Columns(difference), problems, group);
    return {"agreement",
            "Agreement of each backend with the counterfactual signal. Diamonds: the paper. Above: lp minus proxy, "
            "interval "
            "over instances, McNemar's p below 0.001 (***), 0.01 (**), 0.05 (*) or not (ns)",
            twice("agreement", 860, 440, settings,
                  "plot " + plots + "$paper using 1:2 with points pt 13 ps 1.3 lc rgb '#000000' title 'paper'\n")};
}

Figure signals_figure(Table const& table) {
    Columns const rows(table);
    std::string settings = "$ci << EOD\n";
    std::string tics;
    std::size_t const count = rows.rows();
    for (std::size_t row = 0; row < count; ++row) {
        std::size_t const y = count - row;
        tics += fmt::format("{}{} {}", row == 0 ? "" : ", ",
                            quoted(rows.text(row, "problem") + ": " + rows.text(row, "signal")), y);
        auto const point = rows.number(row, "lp - proxy");
        if (!point) continue;
        settings +=
            fmt::format("{:.6g} {} {:.6g} {:.6g}\n", *point, y, rows.number(row, "low (instances)").value_or(*point),
                        rows.number(row, "high (instances)").value_or(*point));
    }
    settings += fmt::format("EOD\nset yrange [0.3:{}.7]\nset xrange [-1:1]\nset ytics noenhanced ({})\nset xlabel "
                            "'agreement of lp minus that of proxy'\nset arrow from "
                            "0,graph 0 to 0,graph 1 nohead lc rgb '#888888'\nset grid xtics\nunset key\n",
                            count, tics);
    return {"signals", "lp minus proxy under every reading of the counterfactual",
            twice("signals", 860, 80 + 22 * static_cast<int>(count), settings,
                  "plot $ci using 1:2:3:4 with xerrorbars pt 7 ps 0.8 lw 1.6 lc rgb '#1b6ca8'\n")};
}

/// Bars in groups: one group per word of `across`, one colour per word of `within`.
Figure grouped_bars(Table const& table, std::string const& name, std::string const& title, std::string const& across,
                    std::string const& within, std::string const& label,
                    std::optional<double> (*height)(Columns const&, std::size_t)) {
    Columns const rows(table);
    auto const groups = rows.distinct(across);
    auto const kinds = rows.distinct(within);
    double const group = static_cast<double>(kinds.size()) + 1;
    std::string settings;
    std::string plots;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        settings += fmt::format("$bars{} << EOD\n", k);
        for (std::size_t row = 0; row < rows.rows(); ++row) {
            if (rows.text(row, within) != kinds[k]) continue;
            auto const place = std::ranges::find(groups, rows.text(row, across)) - groups.begin();
            settings += fmt::format("{} {}\n", static_cast<double>(place) * group + static_cast<double>(k),
                                    number_or_missing(height(rows, row)));
        }
        settings += "EOD\n";
        plots += fmt::format("{}$bars{} using 1:2 with boxes lc rgb '{}' fs solid 0.85 title {}", k == 0 ? "" : ", ", k,
                             colours[k % std::size(colours)], quoted(kinds[k]));
    }
    settings += fmt::format("set xrange [-0.8:{:.1f}]\n", static_cast<double>(groups.size()) * group - 1.2);
    settings += fmt::format("set boxwidth 0.85\nset yrange [0:1.05]\nset ylabel {}\nset key outside bottom center "
                            "horizontal noenhanced\nset xtics (",
                            quoted(label));
    for (std::size_t g = 0; g < groups.size(); ++g) {
        settings += fmt::format("{}{} {}", g == 0 ? "" : ", ", quoted(groups[g]),
                                static_cast<double>(g) * group + (group - 2) / 2);
    }
    return {name, title, twice(name, 860, 400, settings + ")\n", "plot " + plots + "\n")};
}

Figure published_figure(Table const& table) {
    Columns const rows(table);
    auto const problems = rows.distinct("problem");
    auto const switches = rows.distinct("switched");
    std::string settings;
    std::string tics;
    std::string blanks; // the panels to the right need no words
    for (std::size_t s = 0; s < switches.size(); ++s) {
        blanks += fmt::format("{}\"\" {}", s == 0 ? "" : ", ", switches.size() - s);
        tics += fmt::format("{}{} {}", s == 0 ? "" : ", ", quoted(switches[s]), switches.size() - s);
    }
    for (std::size_t p = 0; p < problems.size(); ++p) {
        settings += fmt::format("$points{} << EOD\n", p);
        for (std::size_t row = 0; row < rows.rows(); ++row) {
            if (rows.text(row, "problem") != problems[p]) continue;
            auto const place = std::ranges::find(switches, rows.text(row, "switched")) - switches.begin();
            settings +=
                fmt::format("{} {} {}\n", switches.size() - static_cast<std::size_t>(place),
                            number_or_missing(rows.number(row, "lp")), number_or_missing(rows.number(row, "proxy")));
        }
        settings += "EOD\n";
    }
    settings +=
        fmt::format("set xrange [-0.05:1.05]\nset yrange [0.4:{}.6]\nset xtics 0,0.5,1\nset grid xtics\nset xlabel "
                    "'agreement'\n",
                    switches.size());
    std::string drawing = fmt::format("set multiplot layout 1,{}\n", problems.size());
    for (std::size_t p = 0; p < problems.size(); ++p) {
        double const left = 0.34 + 0.65 * static_cast<double>(p) / static_cast<double>(problems.size());
        double const right = 0.34 + 0.65 * (static_cast<double>(p) + 0.86) / static_cast<double>(problems.size());
        drawing += fmt::format("set lmargin at screen {:.3f}\nset rmargin at screen {:.3f}\nset title {} noenhanced\n",
                               left, right, quoted(problems[p]));
        drawing += p == 0
                       ? "set ytics noenhanced (" + tics + ")\nset key at screen 0.33,0.97 right horizontal samplen 1\n"
                       : "set ytics (" + blanks + ")\nunset key\n";
        drawing +=
            fmt::format("plot $points{0} using 2:1 with points pt 7 ps 1 lc rgb '#1b6ca8' title 'lp', $points{0} "
                        "using 3:1 with points pt 6 ps 1 lw 1.5 lc rgb '#555555' title 'proxy'\n",
                        p);
    }
    drawing += "unset multiplot\n";
    return {"published", "Agreement when one difference of the published code is switched on",
            twice("published", 960, 400, settings, drawing)};
}

/// One point per problem: how far tensor sizes and multipliers go together, and what lp gains.
Figure regimes_figure(Table const& table) {
    Columns const rows(table);
    struct Series {
        char const* name;
        char const* point;
        char const* low;
        char const* high;
        double shift; ///< so that intervals do not cover each other
    };
    constexpr Series all[] = {{"lp - proxy", "lp - proxy", "low (instances)", "high (instances)", -0.015},
                              {"lp - majority", "lp - majority", "majority low", "majority high", 0.015}};
    std::string settings;
    std::string plots;
    for (std::size_t k = 0; k < std::size(all); ++k) {
        settings += fmt::format("$points{} << EOD\n", k);
        for (std::size_t row = 0; row < rows.rows(); ++row) {
            auto const x = rows.number(row, "rank correlation");
            auto const y = rows.number(row, all[k].point);
            if (!x || !y) continue;
            settings += fmt::format("{:.6g} {:.6g} {:.6g} {:.6g} {}\n", *x + all[k].shift, *y,
                                    rows.number(row, all[k].low).value_or(*y),
                                    rows.number(row, all[k].high).value_or(*y), quoted(rows.text(row, "problem")));
        }
        settings += "EOD\n";
        plots += fmt::format("{}$points{} using 1:2:3:4 with yerrorbars pt 7 ps 1 lw 1.6 lc rgb '{}' title {}",
                             k == 0 ? "" : ", ", k, colours[1 + k], quoted(all[k].name));
    }
    plots += ", $points0 using 1:2:5 with labels offset -1.2,0.7 right font ',11' notitle";
    settings += "set xrange [-1.25:1.25]\nset yrange [-1.1:1.1]\nset grid xtics\nset xlabel 'rank correlation of "
                "tensor size and multiplier over families'\nset ylabel 'difference of agreement'\nset arrow from "
                "graph 0,first 0 to graph 1,first 0 nohead lc rgb '#888888'\nset key top right\n";
    return {"regimes",
            "What duals gain, by how tensor sizes and the binding family go together; intervals over instances",
            twice("regimes", 760, 440, settings, "plot " + plots + "\n")};
}

/// The difference of agreement against how small the changes are: problems by colour, searches by shape.
Figure searches_figure(Table const& table) {
    constexpr int shapes[] = {7, 9, 5, 4};
    Columns const rows(table);
    auto const problems = rows.distinct("problem");
    auto const searches = rows.distinct("search");
    std::string settings;
    std::string plots;
    std::string legend;
    for (std::size_t p = 0; p < problems.size(); ++p) {
        char const* const colour = colours[p % std::size(colours)];
        legend += fmt::format(", NaN with lines lw 4 lc rgb '{}' title {}", colour, quoted(problems[p]));
        for (std::size_t s = 0; s < searches.size(); ++s) {
            settings += fmt::format("$points{}_{} << EOD\n", p, s);
            for (std::size_t row = 0; row < rows.rows(); ++row) {
                auto const x = rows.number(row, "median L1");
                auto const y = rows.number(row, "lp - proxy");
                bool const here = rows.text(row, "problem") == problems[p] && rows.text(row, "search") == searches[s];
                if (!here || !x || !y) continue;
                settings += fmt::format("{:.6g} {:.6g} {:.6g} {:.6g}\n", *x, *y,
                                        rows.number(row, "low (instances)").value_or(*y),
                                        rows.number(row, "high (instances)").value_or(*y));
            }
            settings += "EOD\n";
            plots += fmt::format("{}$points{}_{} using 1:2:3:4 with yerrorbars pt {} ps 1.2 lw 1.5 lc rgb '{}' notitle",
                                 plots.empty() ? "" : ", ", p, s, shapes[s % std::size(shapes)], colour);
        }
    }
    for (std::size_t s = 0; s < searches.size(); ++s) {
        legend += fmt::format(", NaN with points pt {} ps 1.2 lc rgb '#000000' title {}", shapes[s % std::size(shapes)],
                              quoted(searches[s]));
    }
    settings +=
        "set logscale x\nset yrange [-1.1:1.1]\nset grid xtics\nset xlabel 'median L1 of the flips'\nset "
        "ylabel 'agreement of lp minus that of proxy'\nset arrow from graph 0,first 0 to graph 1,first 0 nohead "
        "lc rgb '#888888'\nset key outside right top vertical noenhanced\n";
    return {"searches", "lp minus proxy against the size of the changes that each search finds",
            twice("searches", 860, 440, settings, "plot " + plots + legend + "\n")};
}

} // namespace

std::vector<Figure> figures(StudyTables const& study) {
    std::vector<Figure> all;
    Table const* const agreement = study.find("agreement");
    Table const* const difference = study.find("difference");
    if (agreement != nullptr && difference != nullptr) all.push_back(agreement_figure(*agreement, *difference));
    if (Table const* const signals = study.find("signals")) all.push_back(signals_figure(*signals));
    if (Table const* const searches = study.find("searches")) all.push_back(searches_figure(*searches));
    if (Table const* const stability = study.find("stability")) {
        all.push_back(grouped_bars(
            *stability, "stability", "Share of decisions that keep their family in all six configurations", "problem",
            "shots", "share of decisions", [](Columns const& c, std::size_t row) { return c.number(row, "share"); }));
    }
    if (Table const* const published = study.find("published")) all.push_back(published_figure(*published));
    if (Table const* const subsets = study.find("subsets")) {
        all.push_back(grouped_bars(*subsets, "subsets", "Share of decisions with a sufficient subset, by rule",
                                   "problem", "rule", "share accepted", [](Columns const& c, std::size_t row) {
                                       auto const decisions = c.number(row, "cells");
                                       auto const accepted = c.number(row, "accepted");
                                       return decisions && *decisions > 0 ? std::optional(accepted.value_or(0) / *decisions)
                                                                  : std::nullopt;
                                   }));
    }
    if (Table const* const regimes = study.find("regimes")) all.push_back(regimes_figure(*regimes));
    return all;
}

} // namespace cax::study
