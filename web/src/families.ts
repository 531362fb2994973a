// Bars: how much each constraint family counted in a step; and the same for the whole rollout as a heat map.
import * as Plot from "@observablehq/plot";
import { familyColour, heat } from "./colours";
import { el, number, percent, shown } from "./dom";
import { numbered, type Store } from "./view";

/** A table whose share column is drawn as bars: readable with and without eyes for pictures. */
export function familyTable(store: Store): HTMLElement {
    const { attribution } = store.step;
    if (!attribution) return el("p", { class: "quiet" }, "Attribution was not asked for.");
    const at = `/steps/${store.view.step}/attribution/families`;
    const rows = store.explanation.problem.families.map((family, index) => {
        const value = attribution.families[family.name];
        const share = value?.share ?? 0;
        const bar = el("span", { class: "bar" });
        bar.style.width = `${100 * share}%`;
        bar.style.background = familyColour(index);
        return el(
            "tr",
            { "data-family": family.name },
            el("th", { scope: "row", title: family.hint }, family.label),
            el("td", { class: "share" }, el("span", { class: "track" }, bar), shown(`${at}/${family.name}/share`, value?.share, percent(value?.share))),
            el("td", {}, shown(`${at}/${family.name}/mass`, value?.mass)),
            el("td", {}, shown(`${at}/${family.name}/lambda`, value?.lambda)),
        );
    });
    return el(
        "table",
        { class: "families" },
        el("thead", {}, el("tr", {}, ...["rule", "share", "sensitivity", "multiplier"].map((h) => el("th", { scope: "col" }, h)))),
        el("tbody", {}, ...rows),
    );
}

export function rollout(store: Store, width: number): Node {
    const { explanation, view } = store;
    const { families } = explanation.problem;
    const cells = explanation.steps.flatMap((step, index) =>
        families.map((family) => ({
            index,
            step: numbered(step),
            family: family.label,
            share: step.attribution?.families[family.name]?.share ?? null,
            words: step.words,
        })),
    );
    const chart = Plot.plot({
        width,
        height: 46 + 30 * families.length,
        marginLeft: 104,
        marginTop: 22,
        x: { type: "band", label: null, axis: "top", tickSize: 0, ticks: tickSteps(explanation.steps.map(numbered)) },
        y: { domain: families.map((f) => f.label), label: null, tickSize: 0 },
        color: { type: "identity" },
        ariaLabel: "share of every family at every step",
        marks: [
            Plot.cell(cells, { x: "step", y: "family", fill: (c: (typeof cells)[number]) => heat(c.share ?? 0), inset: 0.5, title: (c: (typeof cells)[number]) => `step ${c.step}: ${c.words}\n${c.family}: ${percent(c.share)}` }),
            Plot.frame({ strokeOpacity: 0 }),
            Plot.cell(cells.filter((c) => c.index === view.step), { x: "step", y: "family", stroke: "var(--chosen)", strokeWidth: 2.5, inset: 0.5 }),
        ],
    });
    const rects = chart.querySelector('g[aria-label="cell"]')?.querySelectorAll<SVGRectElement>("rect");
    rects?.forEach((rect, k) => {
        rect.style.cursor = "pointer";
        rect.addEventListener("click", () => store.set({ step: cells[k]!.index }));
    });
    return chart;
}

function tickSteps(steps: number[]): number[] {
    const every = Math.ceil(steps.length / 30);
    return steps.filter((_, k) => k % every === 0);
}

/** Every explained decision in one table: what was chosen, how surely, which family led. */
export function decisions(store: Store): HTMLElement {
    const { explanation, view } = store;
    const label = (name: string | null | undefined) => explanation.problem.families.find((f) => f.name === name)?.label ?? "–";
    return el(
        "table",
        { class: "decisions" },
        el("thead", {}, el("tr", {}, ...["step", "decision", "probability", "leading rule", "counterfactual", "sufficient"].map((h) => el("th", { scope: "col" }, h)))),
        el(
            "tbody",
            {},
            ...explanation.steps.map((step, index) =>
                el(
                    "tr",
                    index === view.step ? { class: "current", "aria-current": "step" } : {},
                    el("td", {}, el("button", { type: "button", class: "link", click: () => store.set({ step: index }) }, numbered(step))),
                    el("td", {}, step.words),
                    el("td", {}, shown(`/steps/${index}/probability`, step.probability, percent(step.probability))),
                    el("td", {}, label(step.attribution?.top)),
                    el("td", {}, step.counterfactual?.status.replaceAll("_", " ") ?? "–"),
                    el("td", {}, step.subset?.accepted ? `${number(step.subset.size)}` : step.subset ? "none found" : "–"),
                ),
            ),
        ),
    );
}
