// For researchers: the paper's attribution, sufficient subsets, certificates, every sentence, times and hashes.
import { heat } from "../colours";
import { bar, el, shown, svg, type Child } from "../dom";
import { capital, duration, number, percent, spaced } from "../format";
import { numbered } from "../navigation";
import type { Store } from "../store";
import type { Explanation } from "../types";
import { badge } from "./evidence";

export function familyTable(store: Store): Child {
    const { attribution } = store.step;
    if (!attribution) return el("p", { class: "quiet" }, "Attribution was not asked for.");
    const at = `${store.at}/attribution/families`;
    const rows = store.explanation.problem.families.map((family) => {
        const value = attribution.families[family.name];
        return el("tr", { "data-family": family.name },
            el("th", { scope: "row", title: family.hint }, family.label),
            el("td", { class: "wide" }, bar(value?.share, "share")),
            el("td", { class: "value" }, shown(`${at}/${family.name}/share`, value?.share, percent(value?.share))),
            el("td", {}, shown(`${at}/${family.name}/mass`, value?.mass)),
            el("td", {}, shown(`${at}/${family.name}/lambda`, value?.lambda)));
    });
    return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "table of the attribution" }, el("table", { class: "bars families" },
        el("thead", {}, el("tr", {}, ...["rule", "share", "", "mass", "multiplier"].map((h) => (h ? el("th", { scope: "col" }, h) : el("td", {}))))),
        el("tbody", {}, ...rows)));
}

/** The share of every family at every step. */
export function rollout(store: Store, width: number): Child {
    const { explanation, view } = store;
    const { families } = explanation.problem;
    const left = 8 + 7.2 * Math.max(...families.map((f) => f.label.length));
    const wide = Math.max(5, Math.min(24, (width - left - 4) / explanation.steps.length));
    const every = Math.ceil(24 / wide);
    const [head, row] = [18, 22];
    const [w, h] = [left + wide * explanation.steps.length + 4, head + row * families.length + 3];
    const cells = explanation.steps.flatMap((step, place) => families.map((family, k) => {
        const share = step.attribution?.families[family.name]?.share ?? null;
        return svg("rect", { x: left + wide * place + 0.5, y: head + row * k + 1, width: wide - 1, height: row - 2, style: `fill: ${heat(share ?? 0)}`, class: "heat-cell", click: () => store.set({ place }) }, svg("title", {}, `step ${numbered(step)}: ${step.words}\n${family.label}: ${percent(share)}`));
    }));
    return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "shares of all steps" }, svg("svg", { class: "rollout", width: w, height: h, viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": "share of every rule in the attribution at every step" },
        ...families.map((family, k) => svg("text", { x: left - 6, y: head + row * (k + 0.5), "text-anchor": "end", "dominant-baseline": "central" }, family.label)),
        ...explanation.steps.map((step, place) => (place % every === 0 ? svg("text", { x: left + wide * (place + 0.5), y: 10, "text-anchor": "middle" }, numbered(step)) : null)),
        ...cells,
        svg("rect", { x: left + wide * view.place, y: head, width: wide, height: row * families.length, class: "here" })));
}

export function subset(store: Store): Child {
    const { step } = store;
    const found = step.subset;
    if (!found) return el("p", { class: "quiet" }, "No sufficient subset was asked for.");
    if (found.forced) return el("p", {}, "One action was allowed: nothing else matters.");
    const at = `${store.at}/subset`;
    if (!found.accepted && !found.lower_bound) // tested in stages: the few samples of the last size say nothing
        return el("p", {}, "No beginning of the attribution's order could be shown to be enough, up to ", shown(`${at}/k_max`, found.k_max), " of ", shown(`${at}/nodes_in_all`, found.nodes_in_all), " nodes.");
    return el("p", {},
        found.accepted ? "Showing the policy only " : "No beginning of the attribution's order is enough. Showing ",
        found.accepted ? shown(`${at}/size`, found.size) : shown(`${at}/k_max`, found.k_max), " of ", shown(`${at}/nodes_in_all`, found.nodes_in_all),
        " nodes: the same decision in ", shown(`${at}/rate`, found.rate, percent(found.rate)), " of ", shown(`${at}/samples`, found.samples),
        " samples, at least ", shown(`${at}/lower_bound`, found.lower_bound, percent(found.lower_bound)), " with the stated confidence.");
}

export function certificate(store: Store): Child {
    const flip = store.step.counterfactual;
    if (!flip) return el("p", { class: "quiet" }, "No counterfactual was asked for.");
    const at = `${store.at}/counterfactual`;
    const proof = flip.certificate;
    return el("div", {},
        proof ? el("p", {}, capital((proof.words || `${proof.mode}: ${spaced(proof.verdict)}`).replace(/\.$/, "")), `. Answered by: ${spaced(proof.source ?? "nobody")}; verdict: ${spaced(proof.verdict ?? "none")}.`, proof.checked ? " The plan was verified by the problem's own checker." : "") : el("p", {}, `Status: ${spaced(flip.status)}; no certificate.`),
        el("p", { class: "quiet" }, "Size of the change as the network sees it ", shown(`${at}/l1`, flip.l1), "; tried ", shown(`${at}/shots`, flip.shots), " changes, asked the policy ", shown(`${at}/forward_passes`, flip.forward_passes), " times."));
}

export function sentences(store: Store): Child {
    return el("ul", { class: "sentences", id: "sentences" }, ...store.step.sentences.map((sentence) => el("li", { "data-about": sentence.about }, badge(sentence.evidence), el("span", { class: "text" }, sentence.text))));
}

export function times(store: Store): Child {
    return el("p", { class: "quiet", id: "times" }, "Time for this step: ", Object.entries(store.step.seconds ?? {}).map(([part, time]) => `${part} ${duration(time)}`).join(", "), `. The whole explanation: ${duration(store.explanation.wall_seconds)}.`);
}

/** The beginning of a hash; nothing for what came from no file. */
const short = (hash: string | null | undefined, before: string): string => (hash ? `${before}${hash.slice(0, 12)}…` : "");

export function origin(e: Explanation): HTMLElement {
    return el("footer", {}, `cax ${e.version}; policy ${e.policy.path ?? e.policy.network ?? "without a file"}${short(e.policy.sha256, ", SHA-256 ")}; instance${short(e.instances_sha256, " ") || " without a file"}; seed ${number(e.seed)}. Every number here is in the JSON that this page carries.`);
}
