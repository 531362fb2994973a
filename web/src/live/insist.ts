// "What if I insist?": one decision taken out of the policy's hands, and what becomes of it.
import { el, shown } from "../dom";
import { capital, percent } from "../format";
import type { Step } from "../types";
import type { Live, Lock, Side } from "./api";

const found: Record<string, string> = { proved: "proved best", bounded: "found", search: "found", policy: "the policy's own", unpriced: "" };

function row(side: Side, who: string, at: string): HTMLElement {
    const cost = (path: string, value: number | null) => (value === null ? "–" : shown(`${at}/${path}`, value));
    return el("tr", {},
        el("th", { scope: "row" }, capital(side.words), el("span", { class: "status" }, ` ${who}, ${percent(side.probability)}`)),
        el("td", {}, cost("policy_cost", side.policy_cost)),
        el("td", {}, cost("cost", side.cost), el("span", { class: "status" }, ` ${found[side.cost_status] ?? side.cost_status}`)));
}

/** What policy and search make of the decision, beside what they make of the policy's own. */
export function comparison(lock: Lock, at: string): HTMLElement {
    if (!lock.comparison) return el("p", { class: "quiet" }, "The search is completing it …");
    const { insisted, own } = lock.comparison;
    const rows = [row(insisted, "yours", `${at}/comparison/insisted`)];
    if (own.action !== insisted.action) rows.push(row(own, "the policy's", `${at}/comparison/own`));
    return el("table", { class: "comparison" },
        el("thead", {}, el("tr", {}, ...["", "the policy completes it", "a search completes it"].map((words) => el("th", { scope: "col" }, words)))),
        el("tbody", {}, ...rows));
}

export function insist(step: Step, live: Live, hooks: { lock(action: number): void; unlock(): void }): HTMLElement {
    const at = live.locks.findIndex((lock) => lock.step === step.step);
    if (at >= 0) {
        return el("div", { class: "insist held" },
            el("p", {}, el("strong", {}, "You insist on this. "), el("button", { type: "button", "data-key": "unlock", click: hooks.unlock }, "Let the policy decide")),
            comparison(live.locks[at]!, `/live/locks/${at}`));
    }
    const open = (step.alternatives ?? []).filter((each) => each.allowed && each.action !== step.action).sort((a, b) => b.probability - a.probability);
    if (open.length === 0) return el("div", { class: "insist" });
    const choice = el("select", { id: "insist-on", "data-key": "insist-on" }, ...open.map((each) => el("option", { value: each.action }, `${each.words} (${percent(each.probability)})`)));
    return el("div", { class: "insist" }, el("label", { for: "insist-on" }, "What if I insist on "), choice,
        el("button", { type: "button", id: "insist", "data-key": "insist", click: () => hooks.lock(Number(choice.value)) }, "Insist"));
}
