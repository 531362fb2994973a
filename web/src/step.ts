// What is said about one step: sentences with their evidence, slacks, the counterfactual's changes.
import { el, number, percent, shown } from "./dom";
import type { Certificate, Counterfactual } from "./types";
import type { Store } from "./view";

/** What each word of evidence lets a reader conclude. */
const meaning: Record<string, string> = {
    exact: "read off the state or the policy's own output: no estimate",
    computed: "follows from its definition; says how strongly the policy reacts, not what the cause is",
    proved: "a checker that shares nothing with the search has verified it",
    bounded: "holds with a stated confidence or between stated limits",
    sampled: "found or estimated by random samples; not proved to be the best",
    "not found": "the search found nothing; that is no proof that there is nothing",
    refuted: "proved to be impossible",
    undecided: "the time or sample limit came first",
};

export function sentences(store: Store): HTMLElement {
    return el(
        "ul",
        { class: "sentences", id: "sentences" },
        ...store.step.sentences.map((sentence) =>
            el(
                "li",
                { "data-about": sentence.about },
                el("span", { class: `badge ${sentence.evidence.replaceAll(" ", "-")}`, title: meaning[sentence.evidence] ?? "" }, sentence.evidence),
                el("span", {}, sentence.text),
            ),
        ),
    );
}

export function slacks(store: Store): HTMLElement {
    const { step, view, explanation } = store;
    const at = `/steps/${view.step}/slacks`;
    if (step.slacks.length === 0) return el("p", { class: "quiet" }, "No rule limits this action.");
    const label = (name: string) => explanation.problem.families.find((f) => f.name === name)?.label ?? name;
    return el(
        "table",
        { class: "slacks" },
        el("thead", {}, el("tr", {}, ...["rule", "used", "limit", "to spare"].map((h) => el("th", { scope: "col" }, h)))),
        el(
            "tbody",
            {},
            ...step.slacks.map((slack, k) =>
                el(
                    "tr",
                    {},
                    el("th", { scope: "row" }, `${label(slack.family)}: ${slack.rule}`),
                    el("td", {}, shown(`${at}/${k}/used`, slack.used)),
                    el("td", {}, shown(`${at}/${k}/limit`, slack.limit)),
                    el("td", {}, shown(`${at}/${k}/slack`, slack.slack)),
                ),
            ),
        ),
    );
}

function certificateLine(certificate: Certificate | null): Node | null {
    if (!certificate) return null;
    const what =
        certificate.mode === "prefix" ? "what was done so far, then the new action, can be completed" : "the changed instance has a solution";
    return el(
        "p",
        {},
        `Certificate: ${what}: ${certificate.verdict.replaceAll("_", " ")}`,
        certificate.source ? ` (${certificate.source})` : null,
        certificate.checked ? "; the witness was verified by the problem's own checker." : ".",
    );
}

function changesTable(at: string, found: Counterfactual): Node | null {
    if (found.changes.length === 0) return null;
    const most = 12;
    const rows = found.changes.slice(0, most).map((change, k) =>
        el(
            "tr",
            {},
            el("td", {}, change.words),
            el("td", {}, shown(`${at}/changes/${k}/shown_from`, change.shown_from)),
            el("td", {}, shown(`${at}/changes/${k}/shown_to`, change.shown_to)),
        ),
    );
    const left = found.changes.length - rows.length;
    return el(
        "table",
        { class: "changes" },
        el("thead", {}, el("tr", {}, ...["change", "from", "to"].map((h) => el("th", { scope: "col" }, h)))),
        el("tbody", {}, ...rows, left > 0 ? el("tr", {}, el("td", { colspan: "3", class: "quiet" }, `and ${left} more changes, all in the JSON`)) : null),
    );
}

export function counterfactual(store: Store): HTMLElement {
    const { step, view } = store;
    const found = step.counterfactual;
    if (!found) return el("p", { class: "quiet" }, "No counterfactual was asked for.");
    const at = `/steps/${view.step}/counterfactual`;
    const head = found.new
        ? el(
              "p",
              {},
              el("strong", {}, found.new.words),
              " instead, with ",
              shown(`${at}/new/probability`, found.new.probability, percent(found.new.probability)),
              "; total change ",
              shown(`${at}/l1`, found.l1),
              ".",
          )
        : el("p", {}, `${found.status.replaceAll("_", " ")}: none of `, shown(`${at}/shots`, found.shots), " changes tried makes the policy decide otherwise.");
    return el(
        "div",
        { class: `status-${found.status}` },
        head,
        changesTable(at, found),
        certificateLine(found.certificate),
        el("p", { class: "quiet" }, "Tried ", shown(`${at}/shots`, found.shots), ` changes, asked the policy `, shown(`${at}/forward_passes`, found.forward_passes), " times."),
    );
}

export function subset(store: Store): HTMLElement {
    const { step, view } = store;
    const found = step.subset;
    if (!found) return el("p", { class: "quiet" }, "No sufficient subset was asked for.");
    if (found.forced) return el("p", {}, "One action was allowed: nothing else matters.");
    const at = `/steps/${view.step}/subset`;
    return el(
        "p",
        {},
        found.accepted ? "Showing the policy only the marked nodes, " : "No beginning of the attribution's order is enough. Showing ",
        found.accepted ? shown(`${at}/size`, found.size) : shown(`${at}/k_max`, found.k_max),
        " of ",
        shown(`${at}/nodes_in_all`, found.nodes_in_all),
        ": the same decision in ",
        shown(`${at}/rate`, found.rate, percent(found.rate)),
        " of ",
        shown(`${at}/samples`, found.samples),
        " samples, at least ",
        shown(`${at}/lower_bound`, found.lower_bound, percent(found.lower_bound)),
        " with the stated confidence.",
    );
}

export function seconds(store: Store): string {
    return Object.entries(store.step.seconds)
        .map(([part, time]) => `${part} ${number(time)} s`)
        .join(", ");
}
