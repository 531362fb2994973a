// Two questions about one decision, as bars: why not the other action, and whose wrong data would upset it.
import { bar, el, shown, type Child } from "../dom";
import { capital, near, percent, wholePercent } from "../format";
import type { Store } from "../store";
import { absent } from "./evidence";

const dataOf = (store: Store, name: string): string => {
    const family = store.explanation.problem.families.find((f) => f.name === name);
    return family?.data ?? family?.label ?? name;
};

const swapWords: Record<string, string> = {
    no_choice: "Only one action was allowed.",
    no_other: "No other open action is of the same kind, so there is nothing to exchange.",
    not_exchangeable: "The two cannot simply exchange their data: more than their own numbers tells them apart.",
};

export function swap(store: Store): Child[] {
    const found = store.step.swap;
    if (!found) return [absent(store)];
    if (found.status !== "computed" || !found.families) return [el("p", { class: "quiet" }, swapWords[found.status] ?? found.status.replaceAll("_", " "))];
    if (found.margin === null) return [el("p", { class: "quiet" }, `The policy gives "${found.other_words ?? "the other"}" no chance at all: there is no lead to take apart.`)];
    const largest = Math.max(1e-12, ...Object.values(found.families).map(Math.abs));
    const scale = 100 * largest; // two or three digits of the largest
    const lead = (value: number) => (value > 0 && near(value, scale) !== "0" ? "+" : "") + near(value, scale).replace("-", "−");
    const rows = Object.entries(found.families).map(([name, value]) => {
        const filled = el("span", { class: value >= 0 ? "bar for" : "bar against" });
        filled.style.width = `${(50 * Math.abs(value)) / largest}%`;
        return el("tr", {}, el("th", { scope: "row" }, capital(dataOf(store, name))), el("td", { class: "wide" }, el("span", { class: "track both", "aria-hidden": "true" }, filled)), el("td", { class: "value" }, shown(`${store.at}/swap/families/${name}`, value, lead(value), scale)));
    });
    return [
        el("p", {}, "What the lead over ", el("strong", {}, found.other_words ?? "the other"), " is made of (", shown(`${store.at}/swap/margin`, found.margin, lead(found.margin), scale), " in all):"),
        el("table", { class: "bars" }, el("tbody", {}, ...rows)),
        el("p", { class: "ends", "aria-hidden": "true" }, el("span", {}, "◀ for the other"), el("span", {}, "for the chosen ▶")),
    ];
}

const sensitivityWords: Record<string, string> = {
    no_choice: "Only one action was allowed: no wrong data can change it.",
    unsupported: "For this problem nobody can say yet which wrong data are plausible.",
};

export function sensitivity(store: Store): Child[] {
    const found = store.step.sensitivity;
    if (!found) return [absent(store)];
    if (found.status !== "computed") return [el("p", { class: "quiet" }, sensitivityWords[found.status] ?? found.status.replaceAll("_", " "))];
    const sizes = found.sizes.map((size) => wholePercent(size)).join(" and ");
    return [
        el("p", {}, `How often it decides otherwise if these numbers are off by ${sizes} of their spread:`),
        el("table", { class: "bars" }, el("tbody", {}, ...Object.entries(found.families).map(([name, value]) =>
            el("tr", {},
                el("th", { scope: "row" }, capital(dataOf(store, name)), name === found.unusual && (value.percentile ?? 0) >= 0.9 ? el("span", { class: "tag unusual", title: "they count for more here than in nearly all decisions of this policy" }, "unusual") : null),
                el("td", { class: "wide" }, bar(value.flip_rate, "upset")),
                el("td", { class: "value" }, shown(`${store.at}/sensitivity/families/${name}/flip_rate`, value.flip_rate, percent(value.flip_rate))))))),
    ];
}
