// How sure a sentence is.
import { el } from "../dom";

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

/** A sentence with its badge behind it. */
export function said(text: (Node | string)[], evidence: string): HTMLElement {
    return el("li", {}, el("span", { class: "text" }, ...text), " ", badge(evidence));
}
