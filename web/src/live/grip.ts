// What a hand has taken hold of, and which numbers that moves.
import type { Point } from "../frame";
import type { NodePointer, PageHandle } from "../page";
import type { Bar } from "../types";
import type { Api, Edit, Entry } from "./api";

export interface Grip {
    node: number;
    from: Point; // of the window
    moved: boolean;
    /** What a hand here asks for; null if nothing of this can be moved, or it is not known yet. */
    edits(event: PointerEvent): Edit[] | null;
}

const rounded = (value: number, step: number): number => (step > 0 ? Number((Math.round(value / step) * step).toPrecision(12)) : value);

/** The two numbers of a window: the only pair that reads like it. */
function windowEntries(entries: Entry[], window: [number, number]): [Entry, Entry] | null {
    const near = (a: number, b: number) => Math.abs(a - b) <= 1e-4 * Math.max(1, Math.abs(b));
    for (const start of entries) {
        const end = entries.find((e) => e.tensor === start.tensor && e.index === start.index + 1);
        if (end && near(start.value, window[0]) && near(end.value, window[1])) return [start, end];
    }
    return null;
}

/** Places are rounded to a thousandth of the map. */
function placeStep(page: PageHandle): number {
    const { scene } = page.record;
    if (scene.kind !== "routes") return 0;
    const xs = scene.nodes.flatMap((n) => [n.x, n.y]);
    return 10 ** (Math.floor(Math.log10(Math.max(...xs) - Math.min(...xs) || 1)) - 3);
}

function barOf(page: PageHandle, node: number): Bar | undefined {
    return page.record.solution.drawing.bars?.find((bar) => bar.node === node);
}

export function grip(api: Api, page: PageHandle, pointer: NodePointer): Grip {
    const { node, part, event } = pointer;
    const from = { x: event.clientX, y: event.clientY };
    const none: Grip = { node, from, moved: false, edits: () => null };
    const { scene } = page.record;
    if (part === "place") {
        const step = placeStep(page);
        return { ...none, edits: (at) => {
            const place = page.toInstance(at.clientX, at.clientY, part);
            return place && [{ node, x: rounded(place.x, step), y: rounded(place.y, step) }];
        } };
    }
    if (part === "item" && scene.kind === "packing") {
        let own: Entry[] = [];
        void api.node(node).then((numbers) => {
            if (numbers.status === "ok") own = numbers.entries;
        });
        return { ...none, edits: (at) => {
            const place = page.toInstance(at.clientX, at.clientY, part);
            if (!place) return null;
            const entries = scene.resources.slice(0, 2).map((resource) => own.find((e) => e.tensor === resource.tensor));
            const edits = entries.flatMap((e, k) => (e ? [{ tensor: e.tensor, index: e.index, to: Math.max(e.step, rounded(k === 0 ? place.x : place.y, e.step)) }] : []));
            return edits.length > 0 ? edits : null; // its numbers may not be here yet
        } };
    }
    // Times: what one pixel is worth stays as it was when the hand took hold.
    const [here, next] = [page.toInstance(from.x, from.y, part), page.toInstance(from.x + 1, from.y, part)];
    if (!here || !next) return none;
    const elapsed = (at: PointerEvent) => (at.clientX - from.x) * (next.x - here.x);
    let entries: Entry[] = [];
    void api.node(node).then((numbers) => {
        if (numbers.status === "ok") entries = numbers.entries;
    });
    if (part.startsWith("window") && scene.kind === "routes") {
        const window = scene.nodes.find((n) => n.node === node)?.window;
        if (!window) return none;
        return { ...none, edits: (at) => {
            const pair = windowEntries(entries, window);
            if (!pair) return null;
            const moved = part === "window-start" ? [pair[0]] : part === "window-end" ? [pair[1]] : pair;
            return moved.map((e) => ({ tensor: e.tensor, index: e.index, to: rounded(e.value + elapsed(at), e.step) }));
        } };
    }
    const bar = barOf(page, node);
    if (part !== "bar" || scene.kind !== "schedule" || !bar) return none;
    return { ...none, edits: (at) => {
        const tensors = new Set(entries.map((e) => e.tensor));
        const own = [...tensors].map((t) => entries.filter((e) => e.tensor === t)).find((list) => list.length === scene.machines.length);
        const entry = own?.[bar.machine];
        return entry ? [{ tensor: entry.tensor, index: entry.index, to: Math.max(entry.step, rounded(entry.value + elapsed(at), entry.step)) }] : null;
    } };
}
