// The numbers of one node, each with a slider: windows, demands, prizes, processing times, whatever the problem has.
import { el, replace } from "../dom";
import { capital, number } from "../format";
import type { Scene } from "../types";
import type { Api, Edit, Entry, NodeNumbers } from "./api";

export interface NumbersHooks {
    drag(edits: Edit[]): void;
    edit(edits: Edit[]): void;
}

/** What a hand can take hold of. */
function gripsOf(scene: Scene): string {
    if (scene.kind === "schedule") return "the end of a bar in the chart";
    if (scene.kind === "packing") return "an item in the chart of what items take";
    return scene.nodes.some((node) => node.window && !node.depot) ? "a place in the map, or a time window or its end" : "a place in the map";
}

export class NumbersPanel {
    readonly element = el("div", { class: "numbers" });
    private node: number | null = null;

    constructor(private readonly api: Api, scene: Scene, private readonly hooks: NumbersHooks) {
        replace(this.element, el("p", { class: "quiet hint" }, `Drag ${gripsOf(scene)}. Click one for its numbers.`));
    }
    async show(node: number): Promise<void> {
        this.node = node;
        const numbers = await this.api.node(node);
        if (numbers.status === "ok" && this.node === node) this.draw(numbers);
    }
    refresh(): void {
        if (this.node !== null) void this.show(this.node);
    }
    private draw(numbers: NodeNumbers): void {
        const focused = (document.activeElement as HTMLElement | null)?.dataset.key;
        const common = numbers.entries[0]?.label.split(":")[0];
        replace(this.element,
            el("div", { class: "numbers-head" },
                el("strong", {}, capital(common ?? numbers.label)),
                numbers.place ? el("span", { class: "quiet" }, ` at ${number(numbers.place[0])}, ${number(numbers.place[1])}: drag it in the map`) : null,
                el("button", { type: "button", class: "link", "data-key": "numbers-close", click: () => this.close() }, "close")),
            numbers.entries.length > 0 ? el("div", { class: "sliders" }, ...numbers.entries.map((entry) => this.slider(entry))) : el("p", { class: "quiet" }, "It has no further numbers."));
        if (focused) this.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }
    private close(): void {
        this.node = null;
        replace(this.element, el("p", { class: "quiet hint" }, "Click anything in the drawing for its numbers."));
    }
    private slider(entry: Entry): HTMLElement {
        const id = `number-${entry.tensor}-${entry.index}`;
        const edits = (to: number): Edit[] => [{ tensor: entry.tensor, index: entry.index, to }];
        const shown = el("input", { type: "number", id: `${id}-typed`, "data-key": `${id}-typed`, "aria-label": `${entry.label}, typed`, step: "any", value: String(Number(entry.value.toPrecision(6))) });
        const range = el("input", { type: "range", id, "data-key": id, min: String(entry.lowest), max: String(entry.highest), step: String(entry.step || "any"), value: String(entry.value) });
        range.addEventListener("input", () => {
            shown.value = range.value;
            this.hooks.drag(edits(Number(range.value)));
        });
        range.addEventListener("change", () => this.hooks.edit(edits(Number(range.value))));
        shown.addEventListener("change", () => {
            if (shown.value !== "" && Number.isFinite(Number(shown.value))) this.hooks.edit(edits(Number(shown.value)));
        });
        const changed = entry.value !== entry.original;
        return el("div", { class: changed ? "slider-row changed" : "slider-row" },
            el("label", { for: id }, capital(entry.label.split(": ").slice(1).join(": ") || entry.label)), range, shown,
            el("span", { class: "quiet" }, changed ? `was ${number(entry.original)}` : entry.unit));
    }
}
