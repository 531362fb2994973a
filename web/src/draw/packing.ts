// A knapsack: what is used of every resource, as bars that fill, and the items by what they take of the first two.
import { groupTint, heatColour } from "../colours";
import { svg } from "../dom";
import { capital, number, percent } from "../format";
import { ticks, type Bounds, type Point } from "../frame";
import { placeLabels, textWidth, type Named } from "../labels";
import type { Mark, PackedItem, PackingScene } from "../types";
import type { Drawer, Drawn, Space } from "./drawing";
import { commonLegend } from "./legend";
import type { Picture, PlanPicture } from "./picture";

const fontSize = 11;
const left = 58;
const right = 12;
const row = 30;

/** The resources, one bar each: from nothing to all there is. */
class Bars {
    readonly height: number;
    constructor(
        readonly scene: PackingScene,
        readonly width: number,
    ) {
        this.height = row * scene.resources.length + 4;
    }
    private x(resource: number, amount: number): number {
        return left + (amount / this.scene.resources[resource]!.limit) * (this.width - left - right);
    }
    /** An item on all bars, behind what is used already; what is over the end is drawn to the end. */
    item(item: PackedItem, before: number[], kind: string): SVGElement {
        const fill = /^(done|own|chosen)/.test(kind) ? `fill: ${groupTint(item.node)}; stroke: var(--quiet)` : "";
        return svg("g", { class: `job ${kind}`, "data-node": item.node, "data-part": "share" },
            svg("title", {}, [item.label, ...item.facts].join("\n")),
            ...this.scene.resources.flatMap((_, r) => {
                const [from, to] = [this.x(r, before[r]!), Math.min(this.x(r, before[r]! + item.takes[r]!), this.width - 1)];
                const wide = Math.max(1, to - from);
                const fits = wide > textWidth(item.short, fontSize) + 2 && kind !== "other" && kind !== "blocked";
                return [
                    svg("rect", { x: from, y: row * r + 5, width: wide, height: row - 10, rx: 2, style: fill }),
                    fits ? svg("text", { x: from + wide / 2, y: row * (r + 0.5), "text-anchor": "middle", "dominant-baseline": "central", class: "label" }, item.short) : null,
                ];
            }));
    }
    /** Items one after the other; `kindOf` says how each looks. */
    filled(items: PackedItem[], kindOf: (item: PackedItem) => string): SVGElement[] {
        const used = this.scene.resources.map(() => 0);
        return items.map((item) => {
            const segment = this.item(item, [...used], kindOf(item));
            item.takes.forEach((amount, r) => (used[r]! += amount));
            return segment;
        });
    }
    frames(): SVGElement[] {
        return this.scene.resources.flatMap((resource, r) => [
            svg("text", { x: left - 6, y: row * (r + 0.5), "text-anchor": "end", "dominant-baseline": "central", class: "machine" }, resource.label),
            svg("rect", { class: "resource", x: left, y: row * r + 5, width: this.width - left - right, height: row - 10, rx: 2 }),
        ]);
    }
    element(name: string, ...children: (SVGElement | null)[]): SVGSVGElement {
        return svg("svg", { class: "gantt", width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}`, role: "img", "aria-label": name }, ...this.frames(), ...children);
    }
}

/** The items as dots: what they take of the first resource against the second, sized by what they are worth. */
class Scatter {
    readonly bounds: Bounds;
    private readonly bottom = 34;
    constructor(
        readonly scene: PackingScene,
        readonly width: number,
        readonly height: number,
        hold: Bounds | null,
        readonly scale = 1,
    ) {
        const most = (r: number) => 1.06 * Math.max(...scene.nodes.map((item) => item.takes[r]!), 1e-9);
        this.bounds = hold ?? { left: 0, right: most(0), bottom: 0, top: most(1) };
    }
    at(takes: number[]): Point {
        const { right: most, top } = this.bounds;
        return { x: left + (takes[0]! / most) * (this.width - left - right), y: this.height - this.bottom - (takes[1]! / top) * (this.height - this.bottom - 8) };
    }
    toInstance(px: number, py: number): Point {
        const { right: most, top } = this.bounds;
        return { x: ((px - left) / (this.width - left - right)) * most, y: ((this.height - this.bottom - py) / (this.height - this.bottom - 8)) * top };
    }
    radius(item: PackedItem): number {
        return (3.5 + 6.5 * Math.sqrt(item.weight)) * this.scale;
    }
    dot(item: PackedItem, attributes: Record<string, string | number>, words: string): SVGElement {
        const { x, y } = this.at(item.takes);
        return svg("g", { class: "node", "data-node": item.node, "data-part": "item", "data-x": item.takes[0]!, "data-y": item.takes[1]! },
            svg("title", {}, words), svg("circle", { cx: x, cy: y, r: this.radius(item), ...attributes }));
    }
    ring(mark: Mark | null, kind: string): SVGElement | null {
        const item = mark === null || mark.node === null ? undefined : this.scene.nodes[mark.node];
        if (!item) return null;
        const { x, y } = this.at(item.takes);
        return svg("circle", { cx: x, cy: y, r: this.radius(item) + 5, class: `ring ${kind}` });
    }
    axes(): SVGElement[] {
        const [across, up] = this.scene.resources;
        const { x: x0, y: y0 } = this.at([0, 0]);
        const vertical = ticks(0, this.bounds.right, this.width / 80).map((t) => svg("g", { class: "tick-line" },
            svg("line", { x1: this.at([t, 0]).x, x2: this.at([t, 0]).x, y1: 4, y2: y0 }), svg("text", { x: this.at([t, 0]).x, y: y0 + 13, "text-anchor": "middle" }, number(t))));
        const level = ticks(0, this.bounds.top, this.height / 60).map((t) => svg("g", { class: "tick-line" },
            svg("line", { x1: x0, x2: this.width - right, y1: this.at([0, t]).y, y2: this.at([0, t]).y }), svg("text", { x: x0 - 6, y: this.at([0, t]).y, "text-anchor": "end", "dominant-baseline": "central" }, number(t))));
        return [...vertical, ...level,
            svg("text", { x: this.width - right, y: y0 + 27, "text-anchor": "end", class: "axis" }, `${across!.label} of an item`),
            svg("text", { x: 12, y: 12, class: "axis", transform: `rotate(-90 12 12)`, "text-anchor": "end" }, `${up!.label} of an item`)];
    }
    /** What fits lies within what is left of both. */
    room(used: number[]): SVGElement {
        const open = this.scene.resources.map((resource, r) => Math.max(0, resource.limit - used[r]!));
        const corner = this.at([Math.min(open[0]!, this.bounds.right), Math.min(open[1]!, this.bounds.top)]);
        const origin = this.at([0, 0]);
        return svg("rect", { class: "room", x: origin.x, y: corner.y, width: Math.max(0, corner.x - origin.x), height: Math.max(0, origin.y - corner.y) });
    }
    labels(first: Set<number>): SVGElement {
        const wanted: Named[] = this.scene.nodes.map((item) => ({ ...this.at(item.takes), radius: this.radius(item), id: item.node, text: item.short, first: first.has(item.node) }));
        return svg("g", { class: "labels", "font-size": fontSize },
            ...placeLabels(wanted, { x: 0, y: 0, width: this.width, height: this.height }, fontSize).map((l) =>
                svg("text", { x: l.x + l.width / 2, y: l.y + l.height / 2, "text-anchor": "middle", "dominant-baseline": "central", class: first.has(l.id) ? "label first" : "label", "data-label": l.id }, l.text)));
    }
    element(name: string, kind: string, ...children: (SVGElement | null)[]): SVGSVGElement {
        return svg("svg", { class: kind, width: this.width, height: this.height, viewBox: `0 0 ${this.width} ${this.height}`, role: "img", "aria-label": name }, ...this.axes(), ...children);
    }
}

function described(p: Picture): string {
    if (p.whole) return p.layer === "best" ? "the best packing" : "one possible packing after the change";
    const other = p.otherWords ? `; ${p.before ? "before the change" : "runner-up"}: ${p.otherWords}` : "";
    return `${p.before ? "after the change" : "chosen"}: ${p.chosenWords}${other}`;
}

function title(item: PackedItem, p: Picture): string {
    const heat = p.heat?.[item.node];
    const said = heat === undefined ? [] : [p.heatWord.startsWith("likelier") ? `probability ${percent(heat)}` : `attribution ${heat.toPrecision(3)}`];
    return [item.label, ...item.facts, ...said].join("\n");
}

/** Where changed items were, and rings around all that changed. */
function ghosts(scatter: Scatter, p: Picture): (SVGElement | null)[] {
    if (p.before?.kind !== "packing") return [];
    const old = p.before.nodes;
    return scatter.scene.nodes.filter((item) => p.changed.has(item.node)).flatMap((item) => {
        const was = scatter.at(old[item.node]!.takes);
        return [scatter.ring({ node: item.node }, "changed"), svg("circle", { cx: was.x, cy: was.y, r: scatter.radius(old[item.node]!), class: "ring ghost" })];
    });
}

function moment(scene: PackingScene, p: Picture, space: Space): Drawn {
    const item = (mark: Mark | null) => (mark === null || mark.node === null || p.whole ? null : scene.nodes[mark.node]!);
    const packed = ((p.whole ?? p.moment).packed ?? []).map((node) => scene.nodes[node]!);
    const used = (p.whole ?? p.moment).used ?? scene.resources.map(() => 0);
    const later = (p.rest?.packed ?? []).map((node) => scene.nodes[node]!).filter((i) => !packed.includes(i) && i !== item(p.chosen));
    const bars = new Bars(scene, space.width);
    const [chosen, other, blocked] = [item(p.chosen), item(p.other), item(p.blocked)];
    const pointing = [svg("g", { class: "previews" }), svg("g", { class: "previews" })] as const;
    const filled = bars.element(`filled so far: ${described(p)}`,
        ...bars.filled([...packed, ...(chosen ? [chosen] : []), ...later], (i) => (i === chosen ? "chosen" : !packed.includes(i) ? "rest" : p.changed.has(i.node) ? "done changed" : "done")),
        blocked && bars.item(blocked, used, "blocked"),
        other && bars.item(other, used, "other"),
        pointing[0]);
    const scatter = new Scatter(scene, space.width, Math.max(220, Math.min(space.width * 0.7, space.height)), space.hold);
    const done = new Set(packed.map((i) => i.node));
    const colour = heatColour(p.heat);
    const first = new Set([chosen, other, blocked].flatMap((i) => (i ? [i.node] : [])));
    for (const node of p.changed) first.add(node);
    const drawing = scatter.element(`items by what they take: ${described(p)}`, "map",
        p.whole ? null : scatter.room(used),
        ...scene.nodes.filter((i) => p.keep.has(i.node)).map((i) => scatter.ring({ node: i.node }, "keep")),
        blocked && scatter.ring(p.blocked, "blocked"),
        other && scatter.ring(p.other, "other"),
        chosen && scatter.ring(p.chosen, "chosen"),
        pointing[1],
        ...ghosts(scatter, p),
        ...scene.nodes.map((i) => scatter.dot(i, { class: done.has(i.node) ? "done" : "open", style: p.heat && !done.has(i.node) ? `fill: ${colour(i.node)}` : "" }, title(i, p))),
        scatter.labels(first));
    const legend = commonLegend(p).map(([kind, words]): [string, string] => [kind, words.replace(", one colour per group", "")]);
    if (!p.whole) legend.push(["room", "what still fits"]);
    if (later.length > 0) legend.push(["rest box", "what the plan packs later"]);
    return {
        nodes: [filled, drawing],
        bounds: scatter.bounds,
        legend: [...legend, ["size", `size of a dot: ${scene.weight_word}`]].map(([kind, words]) => [kind!, capital(words!)]),
        preview(mark) {
            const at = item(mark);
            pointing[0].replaceChildren(...(at ? [bars.item(at, used, "preview")] : []));
            pointing[1].replaceChildren(...[scatter.ring(mark, "preview")].filter((e) => e !== null));
        },
        toInstance(clientX, clientY) {
            const box = drawing.getBoundingClientRect();
            if (box.width === 0) return null;
            return scatter.toInstance(((clientX - box.left) * scatter.width) / box.width, ((clientY - box.top) * scatter.height) / box.height);
        },
    };
}

/** Items that the other plan packs, too, are drawn quietly. */
function plan(scene: PackingScene, p: PlanPicture, width: number): SVGElement {
    const packed = (p.plan.packed ?? []).map((node) => scene.nodes[node]!);
    const shared = new Set(p.beside?.packed ?? []);
    const order = [...packed.filter((i) => shared.has(i.node)), ...packed.filter((i) => !shared.has(i.node))];
    const bars = new Bars(scene, width);
    const used = scene.resources.map((_, r) => packed.filter((i) => shared.has(i.node) && i.node !== p.parts?.node).reduce((sum, i) => sum + i.takes[r]!, 0));
    const parts = p.parts && p.parts.node !== null ? scene.nodes[p.parts.node]! : null;
    return bars.element(`packing: ${p.words}`,
        ...bars.filled(order, (i) => `${shared.has(i.node) ? "shared" : "own"}${i === parts ? " parts" : ""}`),
        parts && !packed.includes(parts) ? bars.item(parts, used, "parts") : null);
}

export const packing: Drawer<PackingScene> = { moment, plan };
