// All steps in a row: how sure, what it cost, how fragile. It is how one moves through the plan.
import { el, replace, type Child } from "../dom";
import { number, percent, wholePercent } from "../format";
import { filterWords, isForced, mostUpsetting, nextStop, numbered, stops, tagsOf, type Filter } from "../navigation";
import type { Store } from "../store";
import type { Explanation, Step } from "../types";

const lanes = ["sure", "costs", "fragile"] as const;

const costOf = (step: Step): number => (step.regret ? step.regret.estimate : (step.price?.found ?? 0));
const isProved = (step: Step): boolean => ["proved", "free", "forced"].includes((step.regret ?? step.price)?.status ?? "");

function spokenName(e: Explanation, step: Step, place: number): string {
    const upset = mostUpsetting(step);
    return [
        `step ${numbered(step)}: ${step.words}`,
        isForced(step) ? null : percent(step.probability),
        costOf(step) > 0 ? `costs ${number(costOf(step))}` : null,
        upset && upset.rate > 0 ? `upset by ${wholePercent(upset.rate)} of wrong ${e.problem.families.find((f) => f.name === upset.family)?.data ?? "data"}` : null,
        ...tagsOf(e, place),
    ].filter((words) => words !== null).join(", ");
}

function lane(kind: string, share: number): HTMLElement {
    const filled = el("span", { class: "fill" });
    filled.style.height = `${share > 0 ? Math.max(6, 100 * share) : 0}%`;
    return el("span", { class: `lane ${kind}` }, filled);
}

function column(store: Store, place: number, dearest: number, shownNumber: boolean): HTMLElement {
    const e = store.explanation;
    const step = e.steps[place]!;
    const forced = isForced(step);
    const cost = costOf(step);
    const name = spokenName(e, step, place);
    return el("button", { type: "button", class: forced ? "column forced" : "column", "data-place": place, "data-key": `column-${place}`, "aria-label": name, title: name, tabindex: -1, click: () => store.set({ place }) },
        lane("sure", forced ? 0 : step.probability),
        lane(isProved(step) ? "price proved" : "price", dearest > 0 ? cost / dearest : 0),
        lane("upset", mostUpsetting(step)?.rate ?? 0),
        el("span", { class: "number", "aria-hidden": "true" }, shownNumber ? numbered(step) : ""));
}

export interface Timeline {
    element: HTMLElement;
    record(): void; // another record came
    step(): void; // another step or filter was chosen
    move(by: 1 | -1): void;
}

export function timeline(store: Store): Timeline {
    const columns = el("div", { class: "columns", role: "group", "aria-label": "all steps, in order" });
    const filters = el("div", { class: "filters", role: "group", "aria-label": "which decisions to go through" });
    const where = el("output", { id: "where", "aria-live": "off" });
    const scroll = el("div", { class: "columns-scroll" }, columns);
    const move = (by: 1 | -1) => store.set({ place: nextStop(stops(store.explanation, store.view.filter), store.view.place, by) });
    const go = (by: 1 | -1, name: string, sign: string) => el("button", { type: "button", id: by < 0 ? "previous" : "next", class: "go", "aria-label": name, title: `${name} (${by < 0 ? "←" : "→"})`, click: () => move(by) }, sign);

    function choose(filter: Filter): void {
        const among = stops(store.explanation, filter);
        const near = among.includes(store.view.place) ? store.view.place : (among[0] ?? store.view.place);
        store.set({ filter, place: near });
    }
    function record(): void {
        const { steps, plan } = store.explanation;
        const dearest = Math.max(0, ...steps.map(costOf));
        const every = steps.length > 120 ? 10 : 5;
        replace(columns, ...steps.map((step, place) => column(store, place, dearest, place === 0 || numbered(step) % every === 0 || steps.length <= 16)));
        const choices: Filter[] = plan ? ["all", "close", "costly", "fragile"] : ["all"];
        replace(filters, ...choices.map((filter): Child => {
            const count = stops(store.explanation, filter).length;
            return el("button", { type: "button", class: `filter ${filter}`, "data-key": `filter-${filter}`, "data-filter": filter, disabled: count === 0, click: () => choose(filter) }, `${filterWords[filter]} `, el("span", { class: "count" }, count));
        }));
        step();
    }
    function step(): void {
        const { explanation, view } = store;
        const among = new Set(stops(explanation, view.filter));
        columns.querySelectorAll<HTMLElement>(".column").forEach((each, place) => {
            each.classList.toggle("left-out", !among.has(place));
            each.tabIndex = place === view.place ? 0 : -1;
            if (place === view.place) each.setAttribute("aria-current", "step");
            else each.removeAttribute("aria-current");
        });
        filters.querySelectorAll<HTMLElement>(".filter").forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.filter === view.filter)));
        const current = columns.children[view.place] as HTMLElement | undefined;
        if (current) {
            const middle = current.offsetLeft - scroll.clientWidth / 2 + current.offsetWidth / 2;
            scroll.scrollLeft = Math.max(0, middle);
            if (columns.contains(document.activeElement)) current.focus({ preventScroll: true });
        }
        replace(where, `Step ${numbered(store.step)} of ${explanation.solution.actions.length}`);
    }
    const element = el("nav", { class: "timeline", id: "timeline", "aria-label": "decisions" },
        el("div", { class: "bar-row" }, go(-1, "previous decision", "◀"), where, go(1, "next decision", "▶"), filters),
        el("div", { class: "lanes" }, el("div", { class: "lane-names", "aria-hidden": "true" }, ...lanes.map((name) => el("span", {}, name))), scroll));
    return { element, record, step, move };
}
