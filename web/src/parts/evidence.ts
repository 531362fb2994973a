// How sure a sentence is.
import { el } from "../dom";
import type { Store } from "../store";

/** What each word of evidence lets a reader conclude. */
export const meaning: Record<string, string> = {
    exact: "read off the plan or the policy's own output: no estimate",
    computed: "follows from its definition; says how strongly the policy reacts, not what the cause is",
    proved: "a proof or an independent checker stands behind it",
    bounded: "holds with a stated confidence or between stated limits",
    sampled: "found or estimated by a search or random samples; not proved to be the best",
    "not found": "the search found nothing; that is no proof that there is nothing",
    refuted: "proved to be impossible",
    undecided: "the time or sample limit came first",
};

export function badge(evidence: string): HTMLElement {
    return el("span", { class: `badge ${evidence.replaceAll(" ", "-")}`, title: meaning[evidence] ?? "" }, evidence);
}

/** Instead of a part that is not there. On a live page most come later. */
export function absent(store: Store): HTMLElement {
    const { step, live } = store;
    const bare = !step.swap && !step.sensitivity && !step.counterfactual && !step.attribution;
    const words = !live || !bare ? "This was not asked for." : step.policy ? "You decided this, not the policy." : "Comes when your hand rests.";
    return el("p", { class: "quiet" }, words);
}

/** A sentence with its badge behind it. */
export function said(text: (Node | string)[], evidence: string): HTMLElement {
    return el("li", {}, el("span", { class: "text" }, ...text), " ", badge(evidence));
}
