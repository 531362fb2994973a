// What the reader has chosen to see. One object, one list of listeners: every part of the page redraws from it.
import type { Drawing, Explanation, Mark, Moment, Scene, Step } from "./types";

export type Layer = "decision" | "counterfactual" | "witness";

export interface View {
    step: number; // index into Explanation.steps
    heat: string; // a family's name, "all" or "none"
    sufficient: boolean;
    layer: Layer;
}

export class Store {
    private readonly listeners: (() => void)[] = [];
    constructor(
        readonly explanation: Explanation,
        readonly view: View,
    ) {}
    get step(): Step {
        return this.explanation.steps[this.view.step]!;
    }
    listen(listener: () => void): void {
        this.listeners.push(listener);
        listener();
    }
    set(change: Partial<View>): void {
        Object.assign(this.view, change);
        if (!layersOf(this.step).includes(this.view.layer)) this.view.layer = "decision";
        for (const listener of this.listeners) listener();
    }
}

/** Steps count from 0 in the data and from 1 for people. */
export function numbered(step: Step): number {
    return step.step + 1;
}

/** Which drawings a step has. */
export function layersOf(step: Step): Layer[] {
    const layers: Layer[] = ["decision"];
    if (step.counterfactual?.scene) layers.push("counterfactual");
    if (step.counterfactual?.scene && step.counterfactual.certificate?.drawing) layers.push("witness");
    return layers;
}

/** Everything that the drawing of one step needs, whichever layer is chosen. */
export interface Picture {
    scene: Scene;
    moment: Moment;
    before: Scene | null; // the scene as it was, where this one is changed
    changed: Set<number>; // nodes that the change touches
    chosen: Mark | null;
    other: Mark | null; // runner-up, or what was chosen before the change
    chosenWords: string;
    otherWords: string;
    rest: Drawing | null; // what follows, drawn faintly
    witness: Drawing | null;
    heat: number[] | null; // per node
    keep: Set<number>; // sufficient nodes
}

export function picture(store: Store): Picture {
    const { explanation, step, view } = store;
    const heat =
        view.heat === "none" || !step.attribution
            ? null
            : view.heat === "all"
              ? step.attribution.nodes
              : (step.attribution.node_families[view.heat] ?? null);
    const keep = new Set(view.sufficient && step.subset?.accepted ? step.subset.nodes : []);
    const common = { heat, keep };
    const cf = step.counterfactual;
    if (view.layer !== "decision" && cf?.scene && cf.moment && cf.new) {
        const witness = view.layer === "witness" ? (cf.certificate?.drawing ?? null) : null;
        return {
            ...common,
            scene: cf.scene,
            moment: cf.moment,
            before: explanation.scene,
            changed: new Set(cf.changes.flatMap((change) => (change.node === null ? [] : [change.node]))),
            chosen: cf.new.mark,
            other: step.mark,
            chosenWords: cf.new.words,
            otherWords: step.words,
            rest: null,
            witness,
        };
    }
    return {
        ...common,
        scene: explanation.scene,
        moment: step.moment,
        before: null,
        changed: new Set(),
        chosen: step.mark,
        other: step.runner_up?.mark ?? null,
        chosenWords: step.words,
        otherWords: step.runner_up?.words ?? "",
        rest: explanation.solution.drawing,
        witness: null,
    };
}
