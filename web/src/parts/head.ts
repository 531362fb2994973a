// The top of the page: what it is about, the figures that a planner asks for first, and the story.
import { el, shown, type Child } from "../dom";
import { capital, near, percent, stepsNamed, wholePercent } from "../format";
import { placeOfStep } from "../navigation";
import type { Store } from "../store";
import type { Explanation } from "../types";
import { badge } from "./evidence";

export function documentTitle(e: Explanation): string {
    const what = e.instance.name || `instance of size ${e.instance.size}`;
    return `${what}, ${e.problem.title}: the plan explained`;
}

export function heading(e: Explanation): Child[] {
    const name = e.instance.name || capital(e.problem.title);
    return [
        el("h1", {}, name),
        el("p", { class: "about" }, e.instance.name ? `${capital(e.problem.title)}: ` : "", capital(e.instance.description), ". Planned by a trained policy, explained decision by decision."),
        e.solution.valid ? null : el("p", { class: "note alarm" }, "The plan is NOT valid: it breaks a rule of the problem."),
        ...e.notes.map((note) => el("p", { class: "note" }, note)),
    ];
}

function card(label: string, value: Child, ...below: Child[]): HTMLElement {
    return el("div", { class: "card" }, el("dt", {}, label), el("dd", {}, el("span", { class: typeof value === "string" && value.length > 12 ? "figure words" : "figure" }, value), ...below));
}
const under = (...words: Child[]): HTMLElement => el("span", { class: "under" }, ...words);

function bestCard(e: Explanation): HTMLElement | null {
    const best = e.best_known;
    if (!best) return null;
    const which = best.status === "proved" ? "the best possible" : "the best found";
    if (best.gap === 0) return card(`Against ${which}`, "none better", under(best.status === "proved" ? "proved" : "by a search"));
    const direction = e.problem.objective === "maximise" ? "less than" : "more than";
    return card(`Against ${which}`, shown("/best_known/gap", best.gap, percent(best.gap)), under(`${direction} `, shown("/best_known/cost", best.cost)));
}

function costlyCard(e: Explanation): HTMLElement | null {
    const plan = e.plan!;
    if (plan.costly_steps > 0) return card("Costly decisions", shown("/plan/costly_steps", plan.costly_steps), under("proved, at worst by ", shown("/plan/regret", plan.regret, near(plan.regret, e.solution.cost), e.solution.cost), ...(plan.better_found_steps > 0 ? ["; ", shown("/plan/better_found_steps", plan.better_found_steps), " more by search"] : [])));
    if (plan.better_found_steps > 0) return card("Better found", shown("/plan/better_found_steps", plan.better_found_steps), under(`${plan.better_found_steps === 1 ? "decision" : "decisions"} where another choice leads to a better plan`));
    return e.steps.some((step) => step.price) ? card("Costly decisions", "none", under("among those compared")) : null;
}

/** The key figures. */
export function figures(e: Explanation): HTMLElement {
    const plan = e.plan;
    const label = (name: string) => e.problem.families.find((f) => f.name === name)?.label ?? name;
    return el("dl", { class: "cards", id: "figures" },
        card(`The plan's ${e.problem.cost_word}`, shown("/solution/cost", e.solution.cost), under(e.solution.valid ? "keeps all rules" : "NOT valid")),
        bestCard(e),
        plan ? card("Close calls", shown("/plan/close_call_steps", plan.close_call_steps), under("of ", shown("/plan/decisions", plan.decisions), " decisions")) : null,
        plan ? costlyCard(e) : null,
        plan?.fragile_rate ? card("Most fragile", shown("/plan/fragile_rate", plan.fragile_rate, wholePercent(plan.fragile_rate)), under(`of wrong ${e.problem.families.find((f) => f.name === plan.fragile_family)?.data ?? "data"} change step ${plan.fragile! + 1}`)) : null,
        plan && plan.tight.length > 0 ? card("Tight rules", capital(plan.tight.map((t) => label(t.family)).join(", ")), under(`first at step ${Math.min(...plan.tight.map((t) => e.steps[t.step]!.step)) + 1}: `, shown("/plan/tight/0/used", plan.tight[0]!.used, near(plan.tight[0]!.used, plan.tight[0]!.limit), plan.tight[0]!.limit), " of ", shown("/plan/tight/0/limit", plan.tight[0]!.limit))) : null);
}

/** A text whose "step 12" leads there. */
export function linked(store: Store, text: string, key: string): (Node | string)[] {
    return stepsNamed(text).map((piece, k) => {
        if (typeof piece === "string") return piece;
        const place = placeOfStep(store.explanation, piece.step - 1);
        if (place === null) return piece.text;
        return el("button", { type: "button", class: "link", "data-key": `${key}-${k}`, click: () => store.set({ place, filter: "all" }) }, piece.text);
    });
}

export function story(store: Store): HTMLElement | null {
    const lines = store.explanation.story ?? [];
    if (lines.length === 0) return null;
    return el("ul", { class: "story", id: "story" }, ...lines.map((line, k) => el("li", {}, el("span", { class: "text" }, ...linked(store, line.text, `story-${k}`)), " ", badge(line.evidence))));
}
