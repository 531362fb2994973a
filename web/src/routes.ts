// The route map and the chart of time windows.
import * as Plot from "@observablehq/plot";
import { chosenColour, groupColour, heatColour, keepColour, otherColour } from "./colours";
import { el } from "./dom";
import { legend } from "./legend";
import type { Mark, RouteNode, RouteScene } from "./types";
import type { Picture } from "./view";

interface Leg {
    x1: number;
    y1: number;
    x2: number;
    y2: number;
}

function legs(scene: RouteScene, paths: number[][] | undefined): (Leg & { path: number })[] {
    return (paths ?? []).flatMap((path, index) =>
        path.slice(1).map((to, k) => ({ ...leg(scene, path[k]!, to), path: index })),
    );
}

function leg(scene: RouteScene, from: number, to: number): Leg {
    const a = scene.nodes[from]!;
    const b = scene.nodes[to]!;
    return { x1: a.x, y1: a.y, x2: b.x, y2: b.y };
}

function markLegs(scene: RouteScene, mark: Mark | null): Leg[] {
    if (mark === null || mark.node === null || mark.from === undefined) return [];
    return [leg(scene, mark.from, mark.node)];
}

const ends = { x1: "x1", y1: "y1", x2: "x2", y2: "y2" } as const;
const radius = (node: RouteNode): number => 4 + 7 * Math.sqrt(node.weight);

function title(node: RouteNode, p: Picture): string {
    const heat = p.heat?.[node.node];
    return [node.label, ...node.facts, ...(heat === undefined ? [] : [`attribution ${heat.toPrecision(3)}`])].join("\n");
}

/** Where changed nodes were, with an arrow to where they are now. */
function ghosts(scene: RouteScene, p: Picture): Plot.Markish[] {
    if (p.before?.kind !== "routes") return [];
    const old = p.before.nodes;
    const moved = scene.nodes.filter(
        (n) => p.changed.has(n.node) && (old[n.node]!.x !== n.x || old[n.node]!.y !== n.y),
    );
    return [
        Plot.dot(moved, { x: (n) => old[n.node]!.x, y: (n) => old[n.node]!.y, r: radius, stroke: "currentColor", strokeDasharray: "2,2", strokeOpacity: 0.7 }),
        Plot.arrow(moved, { x1: (n) => old[n.node]!.x, y1: (n) => old[n.node]!.y, x2: "x", y2: "y", stroke: "currentColor", strokeOpacity: 0.7, headLength: 5 }),
        Plot.dot(
            scene.nodes.filter((n) => p.changed.has(n.node)),
            { x: "x", y: "y", r: (n: RouteNode) => radius(n) + 7, stroke: chosenColour, strokeWidth: 2, strokeDasharray: "4,3" },
        ),
    ];
}

function map(scene: RouteScene, p: Picture, width: number): SVGSVGElement | HTMLElement {
    const customers = scene.nodes.filter((n) => !n.depot);
    const depots = scene.nodes.filter((n) => n.depot);
    const done = new Set(p.moment.done);
    const colour = heatColour(p.heat);
    const paths = p.witness ? p.witness.paths : p.moment.paths;
    return Plot.plot({
        width,
        aspectRatio: 1,
        height: undefined,
        margin: 26,
        x: { axis: null, inset: 4 },
        y: { axis: null, inset: 4 },
        r: { type: "identity" },
        opacity: { type: "identity" },
        color: { type: "identity" },
        ariaLabel: "route map",
        marks: [
            Plot.link(legs(scene, p.rest?.paths), { ...ends, stroke: "currentColor", strokeOpacity: 0.16, strokeDasharray: "1,4", strokeWidth: 1.5 }),
            Plot.link(legs(scene, paths), {
                ...ends,
                stroke: p.witness ? (l: { path: number }) => groupColour(l.path) : "currentColor",
                strokeOpacity: p.witness ? 0.9 : 0.6,
                strokeWidth: p.witness ? 2 : 1.6,
            } as Plot.LinkOptions),
            ...(p.witness
                ? []
                : [
                      Plot.arrow(markLegs(scene, p.other), { ...ends, stroke: otherColour, strokeWidth: 2.5, strokeDasharray: "6,4", headLength: 7, insetEnd: 11 }),
                      Plot.arrow(markLegs(scene, p.chosen), { ...ends, stroke: chosenColour, strokeWidth: 3.5, headLength: 8, insetEnd: 11 }),
                  ]),
            Plot.dot(
                customers.filter((n) => p.keep.has(n.node)),
                { x: "x", y: "y", r: (n: RouteNode) => radius(n) + 4, stroke: keepColour, strokeWidth: 3 },
            ),
            ...ghosts(scene, p),
            Plot.dot(customers, {
                x: "x",
                y: "y",
                r: radius,
                fill: (n: RouteNode) => colour(n.node),
                fillOpacity: (n: RouteNode) => (done.has(n.node) ? 0.45 : 1),
                stroke: "currentColor",
                strokeOpacity: (n: RouteNode) => (done.has(n.node) ? 0.4 : 0.9),
                title: (n: RouteNode) => title(n, p),
                className: "nodes",
            } as Plot.DotOptions),
            Plot.dot(depots, { x: "x", y: "y", r: 8, symbol: "square", fill: "currentColor", title: (n: RouteNode) => title(n, p) }),
            Plot.text(customers, { x: "x", y: "y", text: "short", dx: 11, dy: -10, textAnchor: "start", fontSize: 10, fill: "currentColor", stroke: "var(--panel)", strokeWidth: 3, pointerEvents: "none" } as Plot.TextOptions),
        ],
    });
}


/** One line per node: its window, the clock now, and the arrival that the decision means. */
function windows(scene: RouteScene, p: Picture, width: number): Node | null {
    const timed = scene.nodes.filter((n) => n.window);
    if (timed.length === 0) return null;
    const done = new Set(p.moment.done);
    const old = p.before?.kind === "routes" ? p.before.nodes : null;
    const moved = timed.filter((n) => old?.[n.node]?.window && (old[n.node]!.window![0] !== n.window![0] || old[n.node]!.window![1] !== n.window![1]));
    const rule = (mark: Mark | null) => (mark && mark.arrival !== undefined && mark.node !== null ? [{ t: mark.arrival, n: scene.nodes[mark.node]!.short }] : []);
    const chart = Plot.plot({
        width,
        height: 52 + 11 * timed.length,
        marginLeft: 34,
        marginTop: 34,
        x: { axis: "top", label: "time", grid: true },
        y: { domain: timed.map((n) => n.short), label: null, tickSize: 0 },
        style: { fontSize: "9px" },
        opacity: { type: "identity" },
        ariaLabel: "time windows",
        marks: [
            Plot.barX(timed, { x1: (n) => n.window![0], x2: (n) => n.window![1], y: "short", fill: "var(--bar)", fillOpacity: (n: RouteNode) => (done.has(n.node) ? 0.3 : 1), rx: 3, insetTop: 1.5, insetBottom: 1.5, title: (n: RouteNode) => title(n, p) } as Plot.BarXOptions),
            Plot.barX(moved, { x1: (n) => old![n.node]!.window![0], x2: (n) => old![n.node]!.window![1], y: "short", stroke: chosenColour, strokeDasharray: "3,2", insetTop: 1, insetBottom: 1 }),
            ...(p.moment.clock === undefined ? [] : [Plot.ruleX([p.moment.clock], { stroke: "currentColor", strokeDasharray: "3,3" })]),
            Plot.dot(rule(p.other), { x: "t", y: "n", stroke: otherColour, strokeWidth: 2.5, r: 4 }),
            Plot.dot(rule(p.chosen), { x: "t", y: "n", fill: chosenColour, r: 5 }),
        ],
    });
    return el("details", { open: true, id: "windows" }, el("summary", {}, "Time windows: dashed line = clock now, dots = arrivals"), chart);
}

export function drawRoutes(scene: RouteScene, p: Picture, width: number): Node[] {
    const items: [string, string][] = p.witness
        ? [["line", "a complete solution of the changed instance: the witness"]]
        : [
              ["chosen", p.before ? `after the change: ${p.chosenWords}` : p.chosenWords],
              ["other", p.before ? `before: ${p.otherWords}` : p.otherWords ? `runner-up: ${p.otherWords}` : ""],
          ];
    if (p.heat) items.push(["heat", "stronger = larger attribution"]);
    if (p.keep.size > 0) items.push(["keep", "sufficient nodes"]);
    if (p.before) items.push(["ghost", "changed; dotted = where it was"]);
    items.push(["size", `size of a dot: ${scene.weight_word}`]);
    return [map(scene, p, width), legend(items), ...[windows(scene, p, width)].filter((n) => n !== null)];
}
