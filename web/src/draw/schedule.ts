// The Gantt chart, the grid of operations and the queue in front of every machine.
import { groupColour, groupTint } from "../colours";
import { svg } from "../dom";
import { capital, number } from "../format";
import { ticks } from "../frame";
import { textWidth } from "../labels";
import type { Bar, Drawing, Mark, ScheduleScene } from "../types";
import type { Drawer, Drawn, Space } from "./drawing";
import { commonLegend } from "./legend";
import { gridHeight, operationGrid, queues, queuesHeight } from "./operations";
import type { Picture, PlanPicture } from "./picture";

const head = 22;
const left = 72;
const right = 10;

function markBar(mark: Mark | null): Bar | null {
    if (mark === null || mark.node === null || mark.machine === undefined) return null;
    return { node: mark.node, machine: mark.machine, start: mark.start!, end: mark.end! };
}
const lastOf = (...drawings: (Drawing | Bar[] | null | undefined)[]): number => Math.max(1, ...drawings.flatMap((d) => (Array.isArray(d) ? d : (d?.bars ?? []))).map((b) => b.end));

/** A chart of machines over time, to put bars on. */
class Chart {
    readonly height: number;
    private readonly scale: number;
    constructor(
        readonly scene: ScheduleScene,
        readonly width: number,
        readonly last: number,
        readonly row: number,
        readonly fontSize: number,
    ) {
        this.height = head + row * scene.machines.length + 4;
        this.scale = (width - left - right) / last;
    }
    x(time: number): number {
        return left + time * this.scale;
    }
    time(px: number): number {
        return (px - left) / this.scale;
    }
    machine(py: number): number {
        return Math.min(this.scene.machines.length - 1, Math.max(0, Math.floor((py - head) / this.row)));
    }
    axes(): SVGElement[] {
        const every = ticks(0, this.last, this.width / 80).map((t) =>
            svg("g", { class: "tick-line" }, svg("line", { x1: this.x(t), x2: this.x(t), y1: head - 4, y2: this.height }), svg("text", { x: Math.min(this.x(t), this.width - 10), y: 10, "text-anchor": "middle" }, number(t))));
        const names = this.scene.machines.map((name, k) => svg("text", { x: left - 6, y: head + this.row * (k + 0.5), "text-anchor": "end", "dominant-baseline": "central", class: "machine" }, name));
        return [...every, ...names];
    }
    bar(bar: Bar, kind: string, named: boolean): SVGElement {
        const operation = this.scene.operations[bar.node]!;
        const wide = Math.max(1, (bar.end - bar.start) * this.scale);
        const y = head + this.row * bar.machine + 2;
        const fill = kind === "rest" || kind === "shared" || kind === "other" || kind === "blocked" || kind === "preview" ? "" : `fill: ${groupTint(operation.job)}; stroke: ${groupColour(operation.job)}`;
        const fits = named && wide > textWidth(operation.short, this.fontSize) + 4;
        return svg("g", { class: `job ${kind}`, "data-node": bar.node, "data-part": "bar", "data-x": bar.end, "data-y": bar.machine },
            svg("title", {}, `${operation.label}\n${number(bar.start)} to ${number(bar.end)}\n${operation.facts.join("\n")}`),
            svg("rect", { x: this.x(bar.start), y, width: wide, height: this.row - 4, rx: 2.5, style: fill }),
            fits ? svg("text", { x: this.x(bar.start) + wide / 2, y: y + (this.row - 4) / 2, "text-anchor": "middle", "dominant-baseline": "central", class: "label", "font-size": this.fontSize }, operation.short) : null);
    }
    element(name: string, ...children: (SVGElement | null)[]): SVGSVGElement {
        return svg("svg", { class: "gantt", width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}`, role: "img", "aria-label": name }, ...this.axes(), ...children);
    }
}

function described(p: Picture): string {
    if (p.whole) return `Gantt chart: ${p.layer === "best" ? "the best plan" : "one possible plan after the change"}`;
    const other = p.otherWords ? `; ${p.before ? "before the change" : p.otherRole}: ${p.otherWords}` : "";
    return `Gantt chart: ${p.before ? "after the change" : "chosen"}: ${p.chosenWords}${other}`;
}

function moment(scene: ScheduleScene, p: Picture, space: Space): Drawn {
    const bars = p.whole ? (p.whole.bars ?? []) : (p.moment.bars ?? []);
    const [chosen, other, blocked] = p.whole ? [null, null, null] : [markBar(p.chosen), markBar(p.other), markBar(p.blocked)];
    const taken = new Set(bars.map((b) => b.node));
    const rest = (p.rest?.bars ?? []).filter((b) => !taken.has(b.node) && b.node !== chosen?.node);
    const last = space.hold?.right ?? lastOf(bars, rest, [chosen, other, blocked].filter((b) => b !== null));
    const below = p.whole ? 0 : gridHeight(scene) + queuesHeight(scene);
    const row = Math.max(22, Math.min(40, (space.height - head - below) / scene.machines.length));
    const chart = new Chart(scene, space.width, last, row, 11);
    const pointing = svg("g", { class: "previews" });
    const drawing = chart.element(described(p),
        ...rest.map((b) => chart.bar(b, "rest", false)),
        ...bars.map((b) => chart.bar(b, p.changed.has(b.node) ? "done changed" : "done", true)),
        blocked && chart.bar(blocked, "blocked", false),
        other && chart.bar(other, "other", other.machine !== chosen?.machine),
        chosen && chart.bar(chosen, "chosen", true),
        pointing,
        p.moment.clock === undefined || p.whole ? null : svg("line", { x1: chart.x(p.moment.clock), x2: chart.x(p.moment.clock), y1: head - 4, y2: chart.height, class: "clock" }));
    const items = commonLegend(p).map(([kind, words]): [string, string] => [`${kind} box`, capital(words.replace("per group", "per job"))]);
    if (rest.length > 0) items.push(["rest box", "What the plan does later"]);
    return {
        nodes: [drawing, ...(p.whole ? [] : [operationGrid(scene, p, space.width), queues(scene, p)].filter((n) => n !== null))],
        bounds: { left: 0, right: last, bottom: 0, top: scene.machines.length },
        legend: items,
        preview(mark) {
            const at = markBar(mark);
            pointing.replaceChildren(...(at ? [chart.bar(at, "preview", false)] : []));
        },
        toInstance(clientX, clientY) {
            const box = drawing.getBoundingClientRect();
            if (box.width === 0) return null;
            return { x: chart.time(((clientX - box.left) * chart.width) / box.width), y: chart.machine(((clientY - box.top) * chart.height) / box.height) };
        },
    };
}

/** Operations that the other plan puts on the same machine at the same time are drawn quietly. */
function plan(scene: ScheduleScene, p: PlanPicture, width: number): SVGElement {
    const chart = new Chart(scene, width, lastOf(p.plan, p.beside), 20, 9);
    const where = (b: Bar) => `${b.node} ${b.machine} ${b.start}`;
    const shared = new Set((p.beside?.bars ?? []).map(where));
    const parts = markBar(p.parts);
    return chart.element(`Gantt chart: ${p.words}`,
        ...(p.plan.bars ?? []).map((b) => chart.bar(b, shared.has(where(b)) ? "shared" : "own", true)),
        parts && chart.bar(parts, "parts", false));
}

export const schedule: Drawer<ScheduleScene> = { moment, plan };
