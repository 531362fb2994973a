// Where the gap of the plan went: its decisions' regrets add up to it. A waterfall of the whole plan, and of one decision
// the best plan that it left open beside the best one before it.
import { el, shown, type Child } from "../dom";
import { drawPlan } from "../draw/drawing";
import type { PlanPicture } from "../draw/picture";
import { capital, near } from "../format";
import { costlyPlaces, numbered } from "../navigation";
import type { Store } from "../store";
import type { Drawing, Explanation, Step, StepRegret } from "../types";
import { badge } from "./evidence";

const most = 8; // decisions with a bar of their own

const words: Record<string, string> = { forced: "proved", free: "proved", search: "sampled" };
const evidenceOf = (regret: StepRegret): string => words[regret.status] ?? regret.status;
const cost = (step: Step): number => step.regret?.estimate ?? 0;
/** What it may cost at most; where nobody knows, what was found. */
const upper = (step: Step): number => Math.max(step.regret?.regret[1] ?? 0, cost(step));

/** A bar from `from` to `to` of a scale that ends at `end`; what is only possible is hatched. */
function bar(from: number, sure: number, possible: number, end: number, kind: string): HTMLElement {
    const part = (start: number, size: number, name: string) => {
        const filled = el("span", { class: `fall ${name}` });
        filled.style.left = `${(100 * start) / end}%`;
        filled.style.width = `${(100 * size) / end}%`;
        return filled;
    };
    return el("span", { class: "track falls", "aria-hidden": "true" }, part(from, sure, kind), possible > sure ? part(from + sure, possible - sure, `${kind} open`) : null);
}

function decisionRow(store: Store, place: number, from: number, end: number): HTMLElement {
    const e = store.explanation;
    const step = e.steps[place]!;
    const regret = step.regret!;
    const instead = regret.better ? `, better: ${regret.better.words}` : "";
    return el("tr", { "data-place": place },
        el("th", { scope: "row" }, el("button", { type: "button", class: "link", "data-key": `regret-${place}`, click: () => store.set({ place, filter: "all" }) }, `Step ${numbered(step)}`), `: ${step.words}${instead}`),
        el("td", { class: "wide" }, bar(from, cost(step), upper(step), end, "cost")),
        el("td", { class: "value" }, regret.regret[0] === regret.regret[1] ? "" : "about ", shown(`/steps/${place}/regret/estimate`, cost(step), near(cost(step), e.solution.cost), e.solution.cost)),
        el("td", {}, badge(evidenceOf(regret))));
}

/** The costliest decisions first; nothing where regret was not asked for or nothing is lost. */
export function waterfall(store: Store): Child[] {
    const e = store.explanation;
    const ranked = costlyPlaces(e);
    if (!e.regret || ranked.length === 0) return [];
    const named = ranked.slice(0, most);
    const others = ranked.slice(most);
    const gap = e.regret.gap;
    const mostGap = gap[1] ?? gap[0];
    const end = Math.max(mostGap, ranked.reduce((sum, place) => sum + cost(e.steps[place]!), 0)) || 1;
    let from = 0;
    const rows = named.map((place) => {
        const row = decisionRow(store, place, from, end);
        from += cost(e.steps[place]!);
        return row;
    });
    const rest = others.reduce((sum, place) => sum + cost(e.steps[place]!), 0);
    const free = e.steps.filter((step) => step.regret && upper(step) === 0).length;
    return [
        el("h3", { id: "waterfall-title" }, "Where the gap went"),
        el("table", { class: "bars waterfall", id: "waterfall" }, el("tbody", {},
            ...rows,
            others.length > 0 ? el("tr", {}, el("th", { scope: "row" }, `${others.length} more decisions`), el("td", { class: "wide" }, bar(from, rest, rest, end, "cost rest")), el("td", { class: "value" }, near(rest, e.solution.cost)), el("td", {})) : null,
            el("tr", { class: "sum" }, el("th", { scope: "row" }, "The gap: this plan against the best"), el("td", { class: "wide" }, bar(0, gap[0], mostGap, end, "gap")),
                el("td", { class: "value" }, gap[0] === gap[1] ? "" : "at least ", shown("/regret/gap/0", gap[0], near(gap[0], e.solution.cost), e.solution.cost)), el("td", {})))),
        free > 0 ? el("p", { class: "quiet" }, `${free} ${free === 1 ? "decision costs" : "decisions cost"} nothing.`) : null,
    ];
}

function half(e: Explanation, words: string, plan: Drawing | null | undefined, beside: Drawing | null | undefined, cost: HTMLElement, parts: PlanPicture["parts"], width: number): HTMLElement | null {
    if (!plan) return null;
    return el("figure", {}, el("figcaption", {}, `${capital(words)}: `, cost), drawPlan({ scene: e.scene, plan, beside: beside ?? null, parts, words }, width));
}

/** What this decision cost, and the two plans: the best that it left open, and the best before it. */
export function decisionRegret(store: Store, width: number): Child[] {
    const e = store.explanation;
    const regret = store.step.regret;
    if (!regret || !regret.better || cost(store.step) === 0) return [];
    const { better } = regret;
    const wide = e.scene.kind !== "routes" || width < 420;
    const each = wide ? width : Math.floor((width - 16) / 2);
    const at = `${store.at}/regret`;
    return [
        regret.consequence ? el("p", {}, capital(regret.consequence), " ", badge(evidenceOf(regret))) : null,
        el("div", { class: wide ? "pair stacked" : "pair" },
            half(e, `best plan after "${store.step.words}"`, regret.drawing, better.drawing, shown(`${at}/value/0`, regret.value[0]), store.step.mark, each),
            half(e, `best plan after "${better.words}"`, better.drawing, regret.drawing, shown(`${at}/better/cost`, better.cost), better.mark ?? null, each)),
    ];
}
