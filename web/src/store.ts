// What the reader has chosen to see of which record. One object; the parts of the page listen to it.
import { isForced, type Filter } from "./navigation";
import type { Sorting } from "./table_rows";
import type { Explanation, Step } from "./types";

/** What the large drawing shows. */
export type Layer = "decision" | "change" | "possible" | "best";
export const layerWords: Record<Layer, string> = {
    decision: "decision",
    change: "what would change it",
    possible: "one possible plan",
    best: "best plan",
};

/** Which time windows are drawn. */
export type Windows = "none" | "likely" | "all";
/** Beside the words the drawing should fit into the window without scrolling. */
const roomForWindows = (): boolean => window.innerWidth < 1000 || window.innerHeight >= 1000;

export interface View {
    place: number; // in Explanation.steps
    filter: Filter;
    layer: Layer;
    heat: string; // "probability", "all" rules, a family's name or "none"
    sufficient: boolean; // mark the nodes that were enough
    sorting: Sorting;
    allRows: boolean;
    windows: Windows;
}
/** What a listener hears: another record, another step, or only another way of showing it. */
export type News = "record" | "step" | "view";

export class Store {
    private readonly listeners: ((news: News) => void)[] = [];
    constructor(
        public explanation: Explanation,
        readonly view: View,
        readonly live = false, // parts that are missing may come
    ) {}
    get step(): Step {
        return this.explanation.steps[this.view.place]!;
    }
    /** JSON pointer of the shown step. */
    get at(): string {
        return `/steps/${this.view.place}`;
    }
    listen(listener: (news: News) => void): void {
        this.listeners.push(listener);
    }
    set(change: Partial<View>): void {
        const moved = change.place !== undefined && change.place !== this.view.place;
        Object.assign(this.view, change);
        this.tell(moved ? "step" : "view");
    }
    /** Another record of the same plan: the reader stays where they are. */
    give(explanation: Explanation): void {
        const step = this.explanation.steps[this.view.place]?.step ?? 0;
        const same = explanation.steps.findIndex((each) => each.step === step);
        this.explanation = explanation;
        this.view.place = same >= 0 ? same : Math.min(this.view.place, Math.max(0, explanation.steps.length - 1));
        this.tell("record");
    }
    private tell(news: News): void {
        if (!layersOf(this.explanation, this.step).includes(this.view.layer)) this.view.layer = "decision";
        for (const listener of this.listeners) listener(news);
    }
}

/** What the other action of a step is: where somebody else decided otherwise, the policy's own. */
export const otherRole = (step: Step): string => (step.policy && !step.policy.agrees ? "policy's choice" : "runner-up");

/** Which drawings there are of a step. */
export function layersOf(e: Explanation, step: Step | undefined): Layer[] {
    const layers: Layer[] = ["decision"];
    const flip = step?.counterfactual;
    if (flip?.scene && flip.new) layers.push("change");
    if (flip?.scene && flip.certificate?.drawing) layers.push("possible");
    if (e.best_known?.drawing && e.best_known.gap > 0) layers.push("best");
    return layers;
}

export function firstView(e: Explanation, place: number): View {
    const priced = e.steps.some((step) => !isForced(step) && step.alternatives);
    return {
        place,
        filter: "all",
        layer: "decision",
        heat: priced ? "probability" : "none",
        sufficient: false,
        sorting: { column: "probability", descending: true },
        allRows: false,
        windows: roomForWindows() ? "likely" : "none",
    };
}
