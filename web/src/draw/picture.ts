// Everything that a drawing of one step needs, whichever layer is chosen.
import type { Explanation, Drawing, Mark, Moment, Scene, Step } from "../types";
import { otherRole, type Layer, type Store } from "../store";

export interface Picture {
    layer: Layer;
    scene: Scene;
    moment: Moment;
    before: Scene | null; // the scene as it was, where this one is changed
    changed: Set<number>; // nodes that the change touches
    chosen: Mark | null;
    other: Mark | null; // runner-up, or what was chosen before the change
    chosenWords: string;
    otherWords: string;
    otherRole: string; // "runner-up"
    blocked: Mark | null; // what a rule kept the policy from
    blockedWords: string;
    whole: Drawing | null; // a finished plan, drawn instead of the moment
    rest: Drawing | null; // what follows, drawn faintly
    heat: number[] | null; // per node, for its colour
    heatWord: string;
    keep: Set<number>; // nodes that were enough
    likely: number[]; // nodes that actions lead to, the likeliest first
}

export interface PlanPicture {
    scene: Scene;
    plan: Drawing;
    beside: Drawing | null; // the plan to compare with: what both share is drawn quietly
    parts: Mark | null; // where they part
    words: string; // what the picture shows, for those who do not see it
}

/** Per node: the probability of the likeliest action that leads there. */
function probabilities(step: Step): number[] | null {
    if (!step.alternatives) return null;
    const values: number[] = [];
    for (const each of step.alternatives) {
        const node = each.mark?.node;
        if (node !== null && node !== undefined) values[node] = Math.max(values[node] ?? 0, each.probability);
    }
    return Array.from(values, (value) => value ?? 0);
}

function heatOf(store: Store): number[] | null {
    const { step, view } = store;
    if (view.heat === "none") return null;
    if (view.heat === "probability") return probabilities(step);
    if (view.heat === "all") return step.attribution?.nodes ?? null;
    return step.attribution?.node_families[view.heat] ?? null;
}

function likely(step: Step): number[] {
    const open = (step.alternatives ?? []).filter((each) => each.allowed).sort((a, b) => b.probability - a.probability);
    const marks = [step.mark, step.runner_up?.mark, ...(step.forbidden ?? []).map((f) => step.alternatives?.[f.action]?.mark), ...open.map((each) => each.mark)];
    return [...new Set(marks.flatMap((mark) => (mark?.node === null || mark?.node === undefined ? [] : [mark.node])))];
}

function blockedOf(step: Step): Pick<Picture, "blocked" | "blockedWords"> {
    const favourite = step.forbidden?.[0];
    const mark = favourite ? step.alternatives?.find((each) => each.action === favourite.action)?.mark : null;
    return favourite && mark ? { blocked: mark, blockedWords: favourite.words } : { blocked: null, blockedWords: "" };
}

export function picture(store: Store): Picture {
    const { explanation, step, view } = store;
    const flip = step.counterfactual;
    const plain: Picture = {
        layer: view.layer,
        scene: explanation.scene,
        moment: step.moment,
        before: null,
        changed: new Set(),
        chosen: step.mark,
        other: step.runner_up?.mark ?? null,
        chosenWords: step.words,
        otherWords: step.runner_up?.words ?? "",
        otherRole: otherRole(step),
        ...blockedOf(step),
        whole: null,
        rest: explanation.solution.drawing,
        heat: heatOf(store),
        heatWord: view.heat === "probability" ? "likelier for the policy" : "larger attribution",
        keep: new Set(view.sufficient && step.subset?.accepted ? step.subset.nodes : []),
        likely: likely(step),
    };
    if (view.layer === "best" && explanation.best_known) {
        return { ...plain, blocked: null, chosen: null, other: null, whole: explanation.best_known.drawing, rest: null, heat: null };
    }
    if ((view.layer === "change" || view.layer === "possible") && flip?.scene && flip.moment && flip.new) {
        return {
            ...plain,
            scene: flip.scene,
            moment: flip.moment,
            before: explanation.scene,
            changed: new Set(flip.changes.flatMap((change) => (change.node === null ? [] : [change.node]))),
            chosen: flip.new.mark,
            other: step.mark,
            chosenWords: flip.new.words,
            otherWords: step.words,
            blocked: null,
            whole: view.layer === "possible" ? (flip.certificate?.drawing ?? null) : null,
            rest: null,
            heat: null,
        };
    }
    return plain;
}

/** The policy's plan, and the best one known beside it. */
export function planPictures(e: Explanation): { own: PlanPicture; best: PlanPicture | null } {
    const best = e.best_known && e.best_known.gap > 0 ? e.best_known : null;
    const parting = best?.parts_at !== null && best?.parts_at !== undefined ? e.steps.find((step) => step.step === best.parts_at) : undefined;
    return {
        own: { scene: e.scene, plan: e.solution.drawing, beside: best?.drawing ?? null, parts: parting?.mark ?? null, words: "the policy's plan" },
        best: best && { scene: e.scene, plan: best.drawing, beside: e.solution.drawing, parts: best.instead_mark ?? null, words: best.status === "proved" ? "the best plan there is" : "the best plan found" },
    };
}
