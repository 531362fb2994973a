// What would have changed the decision: before and after, and one possible plan then.
import { el, shown, type Child } from "../dom";
import { capital, percent } from "../format";
import type { Layer, Store } from "../store";
import type { Counterfactual } from "../types";
import { layersOf } from "../store";
import { absent, badge } from "./evidence";

const most = 6; // changes that are listed

function onMap(store: Store, layer: Layer, words: string): HTMLElement | null {
    if (!layersOf(store.explanation, store.step).includes(layer)) return null;
    const current = store.view.layer === layer;
    return el("button", { type: "button", class: "show", "data-key": `show-${layer}`, "aria-pressed": String(current), click: () => store.set({ layer: current ? "decision" : layer }) }, words);
}

/** What was tried in vain. */
function nothing(found: Counterfactual, path: string): Child[] {
    if (found.tried === null || found.tried === undefined) return ["None of ", shown(`${path}/shots`, found.shots), " random changes makes the policy decide otherwise. "];
    const several: Child[] = found.tried_together ? [" and ", shown(`${path}/tried_together`, found.tried_together), " of several"] : [];
    return ["None of ", shown(`${path}/tried`, found.tried), " changes of one number", ...several, " makes the policy decide otherwise. "];
}

export function change(store: Store): Child[] {
    const { step, at } = store;
    const found = step.counterfactual;
    if (!found) return [absent(store)];
    const path = `${at}/counterfactual`;
    if (!found.new) return [el("p", {}, ...nothing(found, path), badge("not found"))];
    const certificate = found.certificate;
    const listed = found.changes.slice(0, most).map((each, k) =>
        el("li", { "data-path": `${path}/changes/${k}/words` }, `If ${each.words}`));
    const left = found.changes.length - listed.length;
    return [
        el("div", { class: "before-after" },
            el("div", { class: "before" }, el("h4", {}, "As it is"), el("p", {}, capital(step.words), " ", shown(`${at}/probability`, step.probability, percent(step.probability)))),
            el("div", { class: "after" }, el("h4", {}, "After the change"), el("p", {}, capital(found.new.words), " ", shown(`${path}/new/probability`, found.new.probability, percent(found.new.probability))))),
        el("ul", { class: "changes" }, ...listed, left > 0 ? el("li", { class: "quiet" }, `and ${left} more, all in the JSON`) : null),
        certificate?.drawing && certificate.cost !== null && certificate.cost !== undefined
            ? el("p", {}, `One possible plan then has ${store.explanation.problem.cost_word} `, shown(`${path}/certificate/cost`, certificate.cost), ". ", badge(certificate.checked ? "proved" : "sampled"))
            : found.status === "refuted" ? el("p", {}, capital((certificate?.words || "no plan begins so").replace(/\.$/, "")), ". ", badge("refuted")) : null,
        el("p", { class: "buttons" }, onMap(store, "change", "Show the change"), " ", onMap(store, "possible", "Show one possible plan")),
    ];
}
