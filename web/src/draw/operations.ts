// Operations of a schedule that are not on the Gantt chart yet: jobs as rows, and who waits in front of which machine.
import { heatColour } from "../colours";
import { el, svg } from "../dom";
import { number, percent } from "../format";
import type { Operation, ScheduleScene } from "../types";
import type { Picture } from "./picture";

const left = 72;
const head = 20;
const row = 21;

function title(o: Operation, p: Picture): string {
    const heat = p.heat?.[o.node];
    const said = heat === undefined ? [] : [p.heatWord.startsWith("likelier") ? `probability of its likeliest machine ${percent(heat)}` : `attribution ${heat.toPrecision(3)}`];
    return [o.label, ...o.facts, ...said].join("\n");
}

const jobsOf = (scene: ScheduleScene): number => 1 + Math.max(...scene.operations.map((o) => o.job));

export const gridHeight = (scene: ScheduleScene): number => head + row * jobsOf(scene) + 2;

export function operationGrid(scene: ScheduleScene, p: Picture, width: number): SVGElement {
    const columns = 1 + Math.max(...scene.operations.map((o) => o.position));
    const jobs = jobsOf(scene);
    const wide = Math.min(84, (width - left - 4) / columns);
    const height = gridHeight(scene);
    const done = new Set(p.moment.done);
    const colour = heatColour(p.heat);
    const kind = (o: Operation) => [done.has(o.node) ? "done" : "open", p.changed.has(o.node) ? "changed" : "", p.keep.has(o.node) ? "keep" : "", o.node === p.other?.node ? "other" : "", o.node === p.chosen?.node ? "chosen" : ""].join(" ");
    const cell = (o: Operation) => {
        const x = left + wide * o.position;
        const y = head + row * o.job;
        return svg("g", { class: `cell ${kind(o)}`, "data-node": o.node, "data-part": "operation" },
            svg("title", {}, title(o, p)),
            svg("rect", { x: x + 1.5, y: y + 1.5, width: wide - 3, height: row - 3, rx: 3, style: p.heat && !done.has(o.node) ? `fill: ${colour(o.node)}` : "" }),
            svg("text", { x: x + wide / 2, y: y + row / 2, "text-anchor": "middle", "dominant-baseline": "central", class: "label" }, done.has(o.node) ? "✓" : o.short));
    };
    return svg("svg", { class: "operations", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "operations of every job: done, open, chosen" },
        ...Array.from({ length: columns }, (_, k) => svg("text", { x: left + wide * (k + 0.5), y: 11, "text-anchor": "middle", class: "axis" }, `${k + 1}.`)),
        ...Array.from({ length: jobs }, (_, j) => svg("text", { x: left - 6, y: head + row * (j + 0.5), "text-anchor": "end", "dominant-baseline": "central", class: "axis" }, `job ${j + 1}`)),
        ...scene.operations.map(cell));
}

/** About. */
export const queuesHeight = (scene: ScheduleScene): number => 26 * (scene.machines.length + 1);

export function queues(scene: ScheduleScene, p: Picture): HTMLElement | null {
    if (!p.moment.queues) return null;
    const chip = (node: number, machine: number) => el("span", { class: node === p.chosen?.node && machine === p.chosen.machine ? "chip chosen" : "chip", title: scene.operations[node]!.label }, scene.operations[node]!.short);
    return el("table", { class: "queues" },
        el("caption", {}, "In front of the machines: operations that could start now"),
        el("tbody", {}, ...p.moment.queues.map((queue) =>
            el("tr", {},
                el("th", { scope: "row" }, scene.machines[queue.machine]!),
                el("td", {}, queue.free_at > (p.moment.clock ?? 0) ? `busy until ${number(queue.free_at)}` : "free"),
                el("td", {}, ...(queue.nodes.length === 0 ? ["–"] : queue.nodes.map((n) => chip(n, queue.machine))))))));
}
