// What a live page may hang into the page of an explanation, and what it is given to work with.
import type { Point } from "./frame";
import type { Explanation, Step } from "./types";

/** A hand on something drawn. From "down" to "up" or "cancel" the node and the part stay those of "down". */
export interface NodePointer {
    type: "down" | "move" | "up" | "cancel";
    node: number;
    /** "place" (a map), "window", "window-start", "window-end" (time windows), "bar", "operation" (a schedule). */
    part: string;
    /** In the instance's units: x and y of a map; time and machine of a schedule; time and 0 of a window. */
    at: Point;
    event: PointerEvent;
}

export interface PageHooks {
    /** Called once, with an empty element below the key figures. */
    head?(slot: HTMLElement, page: PageHandle): void;
    /** Called with an empty element below the plain lines, whenever another step or record is shown. */
    step?(slot: HTMLElement, step: Step, page: PageHandle): void;
    /** Called once, with an empty element above the drawing. */
    drawing?(slot: HTMLElement, page: PageHandle): void;
    /** Return false from a "down" to let the event pass (nothing is captured then). */
    pointer?(pointer: NodePointer, page: PageHandle): boolean | void;
    /** After another step was chosen, and once at the beginning. */
    selected?(step: Step, page: PageHandle): void;
}

export interface PageHandle {
    readonly record: Explanation;
    /** The step that is shown. */
    readonly step: Step;
    /** Shows another record of the same plan; step, scroll position and focus stay. */
    update(record: Explanation): void;
    /** Shows the step of this number, from 0 as in the data; false if it was not explained. */
    select(step: number): boolean;
    /** The instance's units at a point of the window, for a part as in NodePointer; null if there is no such drawing. */
    toInstance(clientX: number, clientY: number, part?: string): Point | null;
    /** While true, the drawing keeps its scale though nodes leave it: for as long as something is dragged. */
    hold(still: boolean): void;
    /** Takes the page down and stops listening. */
    close(): void;
}
