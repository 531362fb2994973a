// Time windows: one line per customer, the clock now, and the arrivals that actions mean.
import { el, svg } from "../dom";
import { number } from "../format";
import { ticks, type Point } from "../frame";
import type { Mark, RouteNode, RouteScene } from "../types";
import type { Space } from "./drawing";
import type { Picture } from "./picture";
import { title } from "./routes";

const row = 17;
const head = 22;
const left = 44;
const right = 12;
const most = 10; // rows, unless all are asked for

/** The likeliest ones, or all that are not done. */
function rowsOf(scene: RouteScene, p: Picture, all: boolean): RouteNode[] {
    const timed = scene.nodes.filter((n) => n.window);
    const done = new Set(p.moment.done);
    const open = timed.filter((n) => !done.has(n.node) && !n.depot);
    if (all || open.length <= most) return open;
    const wanted = new Set([...p.changed, p.chosen?.node, p.other?.node, ...p.likely].slice(0, most));
    const named = open.filter((n) => wanted.has(n.node));
    return named.length > 0 ? named : open.slice(0, most);
}

const byEnd = (a: RouteNode, b: RouteNode): number => a.window![1] - b.window![1] || a.window![0] - b.window![0];

export interface Timed {
    element: HTMLElement;
    toInstance(clientX: number, clientY: number): Point | null;
}

export function windows(scene: RouteScene, p: Picture, space: Space): Timed | null {
    if (space.windows === "none" || p.whole || !scene.nodes.some((n) => n.window && !n.depot)) return null;
    const rows = rowsOf(scene, p, space.windows === "all").sort(byEnd);
    if (rows.length === 0) return null;
    const old = p.before?.kind === "routes" ? p.before.nodes : [];
    const arrivals = [p.chosen, p.other, p.blocked].flatMap((mark) => (mark?.arrival === undefined ? [] : [mark.arrival]));
    const lasts = [...rows, ...rows.flatMap((n) => old[n.node] ?? [])].flatMap((n) => n.window ?? []);
    const low = Math.min(p.moment.clock ?? Infinity, ...lasts);
    const high = Math.max(...arrivals, ...lasts);
    const scale = (space.width - left - right) / Math.max(high - low, 1e-9);
    const x = (time: number) => left + (time - low) * scale;
    const height = head + row * rows.length + 6;
    const y = (k: number) => head + row * k;
    const place = new Map(rows.map((n, k) => [n.node, k]));
    const dot = (mark: Mark | null, kind: string) => {
        const k = mark?.node === null || mark?.node === undefined ? undefined : place.get(mark.node);
        return k === undefined || mark?.arrival === undefined ? null : svg("circle", { cx: x(mark.arrival), cy: y(k) + row / 2, r: 5, class: `arrival ${kind}` });
    };
    const clock = p.moment.clock === undefined ? null : svg("line", { x1: x(p.moment.clock), x2: x(p.moment.clock), y1: head - 4, y2: height, class: "clock" });
    const line = (n: RouteNode, k: number) => {
        const [from, to] = n.window!;
        const was = p.changed.has(n.node) ? old[n.node]?.window : undefined;
        return svg("g", { class: "window", "data-node": n.node, "data-part": "window" },
            svg("title", {}, title(n, p)),
            svg("text", { x: left - 6, y: y(k) + row / 2, "text-anchor": "end", "dominant-baseline": "central" }, n.short),
            svg("rect", { x: x(from), y: y(k) + 3, width: Math.max(2, (to - from) * scale), height: row - 6, rx: 3, class: "open" }),
            svg("rect", { x: x(from) - 3, y: y(k), width: 7, height: row, class: "handle", "data-node": n.node, "data-part": "window-start" }),
            svg("rect", { x: x(to) - 4, y: y(k), width: 7, height: row, class: "handle", "data-node": n.node, "data-part": "window-end" }),
            was && svg("rect", { x: x(was[0]), y: y(k) + 2, width: Math.max(2, (was[1] - was[0]) * scale), height: row - 4, rx: 3, class: "ghost" }));
    };
    const axis = ticks(low, high, space.width / 90).map((t) => svg("g", { class: "tick-line" }, svg("line", { x1: x(t), x2: x(t), y1: head - 4, y2: height }), svg("text", { x: Math.min(x(t), space.width - 14), y: 10, "text-anchor": "middle" }, number(t))));
    const chart = svg("svg", { class: "windows", width: space.width, height, viewBox: `0 0 ${space.width} ${height}`, role: "img", "aria-label": "time windows of the customers that are left, the clock now and the arrivals" },
        ...axis, ...rows.map(line), clock, dot(p.blocked, "blocked"), dot(p.other, "other"), dot(p.chosen, "chosen"));
    return {
        element: el("figure", { class: "windows" }, el("figcaption", {}, "Time windows. Dashed line: now. Dots: arrivals, in the colours of the arrows."), chart),
        toInstance(clientX) {
            const box = chart.getBoundingClientRect();
            return box.width === 0 ? null : { x: low + (((clientX - box.left) * space.width) / box.width - left) / scale, y: 0 };
        },
    };
}
