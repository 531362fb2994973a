// The large drawing with its layers, and the hands on it.
import { el, replace } from "../dom";
import { drawMoment, type Drawn } from "../draw/drawing";
import { legend } from "../draw/legend";
import { picture } from "../draw/picture";
import type { Bounds, Point } from "../frame";
import type { NodePointer } from "../hooks";
import { layersOf, layerWords, type Layer, type Store, type Windows } from "../store";
import type { Mark } from "../types";

export class PicturePanel {
    readonly slot = el("div", { class: "slot" });
    readonly element: HTMLElement;
    private readonly layers = el("div", { class: "layers", role: "group", "aria-label": "what the drawing shows" });
    private readonly drawing = el("div", { class: "drawing" });
    private readonly colour = el("select", { id: "heat", change: () => this.store.set({ heat: this.colour.value }) });
    private readonly windows = el("select", { id: "windows", change: () => this.store.set({ windows: this.windows.value as Windows }) });
    private readonly timed = el("label", {}, "Time windows ", this.windows);
    private drawn: Drawn | null = null;
    private held: Bounds | null = null;

    constructor(private readonly store: Store) {
        this.element = el("section", { class: "panel picture", id: "picture", "aria-label": "drawing" },
            this.slot, this.layers, this.drawing,
            el("div", { class: "options" }, el("label", {}, "Colour by ", this.colour), this.timed));
    }
    /** Another record, step or view. */
    render(): void {
        const { explanation, step, view } = this.store;
        const available = layersOf(explanation, step);
        replace(this.layers, ...available.map((layer: Layer) =>
            el("button", { type: "button", class: "layer", "data-layer": layer, "data-key": `layer-${layer}`, "aria-pressed": String(layer === view.layer), click: () => this.store.set({ layer }) }, layerWords[layer])));
        this.layers.hidden = available.length < 2;
        const colours: [string, string][] = [
            ...(step.alternatives ? [["probability", "probability"] as [string, string]] : []),
            ...(step.attribution ? [["all", "attribution, all rules"] as [string, string], ...explanation.problem.families.map((f): [string, string] => [f.name, `attribution, ${f.label}`])] : []),
            ["none", "nothing"],
        ];
        replace(this.colour, ...colours.map(([value, words]) => el("option", { value, selected: value === view.heat }, words)));
        replace(this.windows, ...([["none", "hidden"], ["likely", "the likeliest"], ["all", "all that are left"]] as const).map(([value, words]) => el("option", { value, selected: value === view.windows }, words)));
        this.timed.hidden = !(explanation.scene.kind === "routes" && explanation.scene.nodes.some((n) => n.window && !n.depot)) || view.layer === "possible" || view.layer === "best";
        this.draw();
    }
    draw(): void {
        const width = Math.max(260, Math.min(900, this.drawing.clientWidth || 620));
        const height = Math.max(300, Math.min(width, 0.6 * window.innerHeight));
        this.drawn = drawMoment(picture(this.store), { width, height, windows: this.store.view.windows, hold: this.held });
        const [first, ...others] = this.drawn.nodes;
        replace(this.drawing, first, legend(this.drawn.legend), ...others);
    }
    preview(mark: Mark | null): void {
        this.drawn?.preview(mark);
    }
    hold(still: boolean): void {
        this.held = still ? (this.drawn?.bounds ?? null) : null;
        if (!still) this.draw();
    }
    toInstance(clientX: number, clientY: number, part?: string): Point | null {
        return this.drawn?.toInstance(clientX, clientY, part) ?? null;
    }
    /** Tells of hands on nodes. The drawing may be replaced under the hand: its container keeps it. */
    watch(tell: (pointer: NodePointer) => boolean | void): void {
        let grip: { node: number; part: string; id: number } | null = null;
        const pass = (type: NodePointer["type"], event: PointerEvent, node: number, part: string) =>
            tell({ type, node, part, at: this.toInstance(event.clientX, event.clientY, part) ?? { x: NaN, y: NaN }, event });
        this.drawing.classList.add("live");
        this.drawing.addEventListener("pointerdown", (event) => {
            const target = (event.target as Element).closest<SVGElement>("[data-node]");
            if (!target || event.button !== 0) return;
            const [node, part] = [Number(target.dataset.node), target.dataset.part ?? ""];
            if (pass("down", event, node, part) === false) return;
            grip = { node, part, id: event.pointerId };
            this.drawing.setPointerCapture(event.pointerId);
            event.preventDefault();
        });
        for (const [name, type] of [["pointermove", "move"], ["pointerup", "up"], ["pointercancel", "cancel"]] as const) {
            this.drawing.addEventListener(name, (event) => {
                if (!grip || event.pointerId !== grip.id) return;
                const { node, part } = grip;
                if (type !== "move") grip = null;
                pass(type, event, node, part);
            });
        }
    }
}
