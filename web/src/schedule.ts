// The Gantt chart, the queue in front of every machine, and the grid of operations.
import * as Plot from "@observablehq/plot";
import { chosenColour, groupColour, heatColour, keepColour, otherColour } from "./colours";
import { el, number } from "./dom";
import { legend } from "./legend";
import type { Bar, Mark, Operation, ScheduleScene } from "./types";
import type { Picture } from "./view";

function markBars(mark: Mark | null): Bar[] {
    if (mark === null || mark.node === null || mark.machine === undefined) return [];
    return [{ node: mark.node, machine: mark.machine, start: mark.start!, end: mark.end! }];
}

function gantt(scene: ScheduleScene, p: Picture, width: number): SVGSVGElement | HTMLElement {
    const name = (bar: Bar) => scene.machines[bar.machine]!;
    const span = { x1: "start", x2: "end", y: name } as const;
    const bars = p.witness ? (p.witness.bars ?? []) : (p.moment.bars ?? []);
    const chosen = p.witness ? [] : markBars(p.chosen);
    const other = p.witness ? [] : markBars(p.other);
    const rest = p.rest?.bars ?? [];
    const last = Math.max(1, ...[...bars, ...chosen, ...other, ...rest].map((b) => b.end));
    const label = (b: Bar) => scene.operations[b.node]!.short;
    const wide = (b: Bar) => ((b.end - b.start) / last) * (width - 90) > 22;
    return Plot.plot({
        width,
        height: 62 + 38 * scene.machines.length,
        marginLeft: 74,
        marginTop: 36,
        x: { axis: "top", label: "time", domain: [0, last], grid: true },
        y: { domain: scene.machines, label: null, tickSize: 0 },
        color: { type: "identity" },
        ariaLabel: "Gantt chart",
        marks: [
            Plot.barX(rest, { ...span, fill: "currentColor", fillOpacity: 0.05, stroke: "currentColor", strokeOpacity: 0.12, inset: 0.5 }),
            Plot.barX(bars, { ...span, fill: (b: Bar) => groupColour(scene.operations[b.node]!.job), fillOpacity: 0.8, stroke: "var(--panel)", rx: 2, title: (b: Bar) => `${scene.operations[b.node]!.label}\n${number(b.start)} to ${number(b.end)}` }),
            Plot.barX(other, { ...span, fill: "none", stroke: otherColour, strokeWidth: 2.5, strokeDasharray: "6,4", inset: 2 }),
            Plot.barX(chosen, { ...span, fill: (b: Bar) => groupColour(scene.operations[b.node]!.job), fillOpacity: 0.55, stroke: chosenColour, strokeWidth: 3.5, title: () => p.chosenWords }),
            Plot.text([...bars, ...chosen, ...other].filter(wide), { x: (b: Bar) => (b.start + b.end) / 2, y: name, text: label, fontSize: 10, fill: "currentColor", stroke: "var(--panel)", strokeWidth: 2.5 }),
            ...(p.moment.clock === undefined || p.witness ? [] : [Plot.ruleX([p.moment.clock], { stroke: "currentColor", strokeDasharray: "3,3" })]),
        ],
    });
}

/** Jobs as rows, positions as columns: which operations count. */
function grid(scene: ScheduleScene, p: Picture, width: number): SVGSVGElement | HTMLElement {
    const columns = 1 + Math.max(...scene.operations.map((o) => o.position));
    const rows = 1 + Math.max(...scene.operations.map((o) => o.job));
    const done = new Set(p.moment.done);
    const colour = heatColour(p.heat);
    const at = { x: "position", y: "job" } as const;
    const title = (o: Operation) =>
        [o.label, ...o.facts, ...(p.heat ? [`attribution ${p.heat[o.node]!.toPrecision(3)}`] : [])].join("\n");
    return Plot.plot({
        width,
        height: 44 + 24 * rows,
        marginLeft: 74,
        marginTop: 24,
        x: { domain: [...Array(columns).keys()], label: null, axis: "top", tickFormat: (k: number) => `${k + 1}.`, tickSize: 0 },
        y: { domain: [...Array(rows).keys()], label: null, tickFormat: (j: number) => `job ${j + 1}`, tickSize: 0 },
        color: { type: "identity" },
        opacity: { type: "identity" },
        ariaLabel: "operations",
        marks: [
            Plot.cell(scene.operations, { ...at, fill: (o: Operation) => colour(o.node), fillOpacity: (o: Operation) => (done.has(o.node) ? 0.25 : 1), inset: 1.5, rx: 3, title } as Plot.CellOptions),
            Plot.cell(scene.operations.filter((o) => p.keep.has(o.node)), { ...at, stroke: keepColour, strokeWidth: 3, inset: 2, rx: 3 }),
            Plot.cell(scene.operations.filter((o) => o.node === p.other?.node), { ...at, stroke: otherColour, strokeWidth: 2.5, strokeDasharray: "5,3", inset: 0.5, rx: 3 }),
            Plot.cell(scene.operations.filter((o) => o.node === p.chosen?.node), { ...at, stroke: chosenColour, strokeWidth: 3, inset: 0.5, rx: 3 }),
            Plot.text(scene.operations, { ...at, text: (o: Operation) => (done.has(o.node) ? "done" : p.changed.has(o.node) ? `${o.short} *` : o.short), fontSize: 9, fill: "currentColor", stroke: "var(--panel)", strokeWidth: 2, pointerEvents: "none" } as unknown as Plot.TextOptions),
        ],
    });
}

function queues(scene: ScheduleScene, p: Picture): Node | null {
    if (!p.moment.queues) return null;
    return el(
        "table",
        { class: "queues", id: "queues" },
        el("caption", {}, "In front of the machines: operations that could start now"),
        el("tbody", {},
            ...p.moment.queues.map((queue) =>
                el("tr", {},
                    el("th", { scope: "row" }, scene.machines[queue.machine]!),
                    el("td", {}, queue.free_at > (p.moment.clock ?? 0) ? `busy until ${number(queue.free_at)}` : "free"),
                    el("td", {}, ...(queue.nodes.length === 0 ? ["–"] : queue.nodes.map((n) => el("span", { class: n === p.chosen?.node && queue.machine === p.chosen.machine ? "chip chosen" : "chip", title: scene.operations[n]!.label }, scene.operations[n]!.short)))),
                ),
            ),
        ),
    );
}

export function drawSchedule(scene: ScheduleScene, p: Picture, width: number): Node[] {
    const items: [string, string][] = p.witness
        ? [["line", "a complete schedule of the changed instance: the witness"]]
        : [
              ["chosen", p.before ? `after the change: ${p.chosenWords}` : p.chosenWords],
              ["other", p.before ? `before: ${p.otherWords}` : p.otherWords ? `runner-up: ${p.otherWords}` : ""],
          ];
    if (p.heat) items.push(["heat", "stronger = larger attribution"]);
    if (p.keep.size > 0) items.push(["keep", "sufficient operations"]);
    if (p.before) items.push(["ghost", "* = changed"]);
    return [gantt(scene, p, width), legend(items), grid(scene, p, width), ...[queues(scene, p)].filter((n) => n !== null)];
}
