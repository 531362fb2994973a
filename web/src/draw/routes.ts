// The route map.
import { groupColour, heatColour } from "../colours";
import { svg } from "../dom";
import { percent } from "../format";
import { boundsOf, fit, type Frame } from "../frame";
import { along, placeLabels, type Named } from "../labels";
import type { Mark, RouteNode, RouteScene } from "../types";
import { arrow } from "./arrow";
import type { Drawer, Drawn, Space } from "./drawing";
import { routeLegend } from "./legend";
import type { Picture, PlanPicture } from "./picture";
import { windows } from "./windows";

const fontSize = 11;
const margin = 26;
const radius = (node: RouteNode, scale = 1): number => (node.depot ? 7 : 3.5 + 6.5 * Math.sqrt(node.weight)) * scale;

export function title(node: RouteNode, p: Picture): string {
    const heat = p.heat?.[node.node];
    const said = heat === undefined ? [] : [p.heatWord.startsWith("likelier") ? `probability ${percent(heat)}` : `attribution ${heat.toPrecision(3)}`];
    return [node.label, ...node.facts, ...said].join("\n");
}

class RouteMap {
    private readonly nodes: RouteNode[];
    constructor(
        readonly scene: RouteScene,
        readonly frame: Frame,
        readonly scale = 1,
    ) {
        this.nodes = scene.nodes;
    }
    at(node: RouteNode) {
        return { ...this.frame.toPixels(node.x, node.y), radius: radius(node, this.scale) };
    }
    end(node: number) {
        return this.at(this.nodes[node]!);
    }
    path(nodes: number[], attributes: Record<string, string | number>): SVGElement {
        const points = nodes.map((node) => this.end(node)).map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`);
        return svg("polyline", { points: points.join(" "), fill: "none", ...attributes });
    }
    mark(mark: Mark | null, kind: string): SVGElement | null {
        if (!mark || mark.node === null || mark.from === undefined || mark.from === mark.node) return null;
        return arrow(kind, this.end(mark.from), this.end(mark.node));
    }
    dot(node: RouteNode, attributes: Record<string, string | number>, words: string): SVGElement {
        const { x, y, radius: r } = this.at(node);
        const data = { "data-node": node.node, "data-x": node.x, "data-y": node.y, "data-part": "place", class: node.depot ? "node depot" : "node" };
        const shape = node.depot ? svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r, rx: 1.5 }) : svg("circle", { cx: x, cy: y, r, ...attributes });
        return svg("g", data, svg("title", {}, words), shape);
    }
    /** Names of the nodes, those of `first` before the others, where they can off the arrows of `marks` and off `paths`. */
    labels(first: Set<number>, paths: number[][], ...marks: (Mark | null)[]): SVGElement {
        const wanted: Named[] = this.nodes.map((node) => ({ ...this.at(node), id: node.node, text: node.short, first: first.has(node.node) || node.depot }));
        const arrows = marks.flatMap((mark) => (mark && mark.node !== null && mark.from !== undefined ? [[mark.from, mark.node]] : []));
        const lines = [...arrows, ...paths].flatMap((path) => path.slice(1).flatMap((to, k) => along(this.end(path[k]!), this.end(to))));
        const placed = placeLabels(wanted, { x: 0, y: 0, width: this.frame.width, height: this.frame.height }, fontSize, lines);
        return svg("g", { class: "labels", "font-size": fontSize },
            ...placed.map((l) => svg("text", { x: l.x + l.width / 2, y: l.y + l.height / 2, "text-anchor": "middle", "dominant-baseline": "central", class: first.has(l.id) ? "label first" : "label", "data-label": l.id }, l.text)));
    }
}

/** Where changed nodes were, with an arrow to where they are now, and rings around all that changed. */
function ghosts(map: RouteMap, p: Picture): (SVGElement | null)[] {
    if (p.before?.kind !== "routes") return [];
    const old = p.before.nodes;
    return map.scene.nodes.filter((n) => p.changed.has(n.node)).flatMap((node) => {
        const now = map.at(node);
        const was = map.at(old[node.node]!);
        const moved = Math.hypot(now.x - was.x, now.y - was.y) > 1;
        return [
            svg("circle", { cx: now.x, cy: now.y, r: now.radius + 6, class: "ring changed" }),
            moved ? svg("circle", { cx: was.x, cy: was.y, r: was.radius, class: "ring ghost" }) : null,
            moved ? arrow("ghost", was, now) : null,
        ];
    });
}

function past(map: RouteMap, p: Picture): SVGElement[] {
    if (p.whole) return (p.whole.paths ?? []).map((path, k) => map.path(path, { class: "whole", stroke: groupColour(k) }));
    const paths = p.moment.paths ?? [];
    return paths.map((path, k) => map.path(path, { class: k === paths.length - 1 ? "past current" : "past" }));
}

/** What the map says, for those who do not see it. */
function described(p: Picture): string {
    if (p.whole) return `route map: ${p.layer === "best" ? "the best plan" : "one possible plan after the change"}`;
    const other = p.otherWords ? `; ${p.before ? "before the change" : p.otherRole}: ${p.otherWords}` : "";
    return `route map: ${p.before ? "after the change" : "chosen"}: ${p.chosenWords}${other}`;
}

function moment(scene: RouteScene, p: Picture, space: Space): Drawn {
    const old = p.before?.kind === "routes" ? p.before.nodes : [];
    const bounds = space.hold ?? boundsOf([...scene.nodes, ...old]);
    const frame = fit(bounds, space.width, space.height, margin);
    // Where many share little room, dots are smaller.
    const map = new RouteMap(scene, frame, Math.min(1, Math.max(0.6, Math.sqrt((frame.width * frame.height) / scene.nodes.length) / 45)));
    const done = new Set(p.moment.done);
    const colour = heatColour(p.heat);
    const first = new Set([p.chosen, p.other, p.blocked].flatMap((mark) => (mark ? [mark.node, mark.from] : [])).filter((n) => n !== null && n !== undefined));
    for (const node of p.changed) first.add(node);
    const dots = scene.nodes.map((n) => map.dot(n, { class: done.has(n.node) ? "done" : "open", style: p.heat && !done.has(n.node) ? `fill: ${colour(n.node)}` : "" }, title(n, p)));
    const pointing = svg("g", { class: "previews" });
    const drawing = svg("svg", { class: "map", width: frame.width, height: frame.height, viewBox: `0 0 ${frame.width} ${frame.height}`, role: "img", "aria-label": described(p) },
        svg("g", { class: "rest" }, ...(p.rest?.paths ?? []).map((path) => map.path(path, {}))),
        ...past(map, p),
        ...scene.nodes.filter((n) => p.keep.has(n.node)).map((n) => svg("circle", { cx: map.at(n).x, cy: map.at(n).y, r: map.at(n).radius + 4, class: "ring keep" })),
        p.whole ? null : map.mark(p.blocked, "blocked"),
        p.whole ? null : map.mark(p.chosen, "chosen"),
        p.whole ? null : map.mark(p.other, "other"), // dashed: both are seen where they lie on one line
        pointing,
        ...ghosts(map, p),
        ...dots,
        p.whole ? map.labels(first, p.whole.paths ?? []) : map.labels(first, [...(p.moment.paths ?? []), ...(p.rest?.paths ?? [])], p.chosen, p.other, p.blocked));
    const timed = windows(scene, p, space);
    return {
        nodes: timed ? [drawing, timed.element] : [drawing],
        bounds,
        legend: routeLegend(scene, p),
        preview(mark) {
            pointing.replaceChildren(...[map.mark(mark, "preview")].filter((e) => e !== null));
            if (mark?.node !== null && mark?.node !== undefined) {
                const { x, y, radius: r } = map.end(mark.node);
                pointing.append(svg("circle", { cx: x, cy: y, r: r + 5, class: "ring preview" }));
            }
        },
        toInstance(clientX, clientY, part = "place") {
            if (part.startsWith("window")) return timed?.toInstance(clientX, clientY) ?? null;
            const box = drawing.getBoundingClientRect();
            if (box.width === 0) return null;
            return frame.toInstance(((clientX - box.left) * frame.width) / box.width, ((clientY - box.top) * frame.height) / box.height);
        },
    };
}

const legsOf = (paths: number[][] | undefined): Set<string> => new Set((paths ?? []).flatMap((path) => path.slice(1).map((to, k) => `${Math.min(path[k]!, to)}-${Math.max(path[k]!, to)}`)));

/** Legs that the other plan has too are drawn quietly. */
function plan(scene: RouteScene, p: PlanPicture, width: number): SVGElement {
    const frame = fit(boundsOf(scene.nodes), width, width * 1.1, 16);
    const map = new RouteMap(scene, frame, 0.6);
    const shared = p.beside ? legsOf(p.beside.paths) : new Set<string>();
    const legs = (p.plan.paths ?? []).flatMap((path, k) =>
        path.slice(1).map((to, i) => {
            const from = path[i]!;
            const same = shared.has(`${Math.min(from, to)}-${Math.max(from, to)}`);
            return { same, leg: map.path([from, to], same ? { class: "leg shared" } : { class: "leg", stroke: groupColour(k) }) };
        }));
    const parts = p.parts ? map.mark(p.parts, "parts") : null;
    return svg("svg", { class: "map small", width: frame.width, height: frame.height, viewBox: `0 0 ${frame.width} ${frame.height}`, role: "img", "aria-label": `route map: ${p.words}` },
        ...legs.filter((l) => l.same).map((l) => l.leg),
        ...legs.filter((l) => !l.same).map((l) => l.leg),
        parts,
        ...scene.nodes.map((n) => map.dot(n, {}, [n.label, ...n.facts].join("\n"))),
        map.labels(new Set([p.parts?.node, p.parts?.from].filter((n) => n !== null && n !== undefined)), p.plan.paths ?? [], p.parts));
}

export const routes: Drawer<RouteScene> = { moment, plan };
