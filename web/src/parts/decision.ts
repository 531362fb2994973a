// One decision in a few words: what was done, how surely, and the plain lines.
import { el, shown, type Child } from "../dom";
import { capital, near, percent } from "../format";
import { isForced, numbered, tagsOf } from "../navigation";
import type { Store } from "../store";
import { badge, said } from "./evidence";
import { linked } from "./head";

export function decisionHead(store: Store): Child[] {
    const { step, explanation, view } = store;
    const tags = tagsOf(explanation, view.place);
    return [
        el("p", { class: "over" }, `Step ${numbered(step)} of ${explanation.solution.actions.length}`, ...tags.map((tag) => el("span", { class: `tag ${tag.replaceAll(" ", "-")}` }, tag))),
        el("h2", { id: "decision-title" }, capital(step.words), isForced(step) ? null : " ", isForced(step) ? null : el("span", { class: "sure" }, shown(`${store.at}/probability`, step.probability, percent(step.probability)))),
    ];
}

/** At most four plain lines; results of the first version have only the long ones. */
export function plainLines(store: Store): HTMLElement {
    const { step } = store;
    const lines = step.lines ?? [];
    const few = lines.length > 0 ? lines : step.sentences.slice(0, 1);
    return el("ul", { class: "lines", id: "lines" }, ...few.map((line, k) => said(linked(store, line.text, `line-${k}`), line.evidence)));
}

/** How much of each rule's limit is used. */
export function slacks(store: Store): Child[] {
    const { step, explanation, at } = store;
    if (step.slacks.length === 0) return []; // no rule limits this action
    const label = (name: string) => explanation.problem.families.find((f) => f.name === name)?.label ?? name;
    return [
        el("div", { class: "scroll" }, el("table", { class: "slacks" },
            el("thead", {}, el("tr", {}, ...["rule", "used", "limit", "left"].map((h) => el("th", { scope: "col" }, h)))),
            el("tbody", {}, ...step.slacks.map((slack, k) =>
                el("tr", {},
                    el("th", { scope: "row", title: label(slack.family) }, capital(slack.rule)),
                    el("td", {}, shown(`${at}/slacks/${k}/used`, slack.used, near(slack.used, slack.limit), slack.limit)),
                    el("td", {}, shown(`${at}/slacks/${k}/limit`, slack.limit)),
                    el("td", {}, shown(`${at}/slacks/${k}/slack`, slack.slack, near(slack.slack, slack.limit), slack.limit)))))))];
}

/** Which simple rules would have done the same. */
export function thumb(store: Store): Child[] {
    const { step, explanation } = store;
    const rules = explanation.thumb?.rules ?? [];
    const words = (name: string) => rules.find((rule) => rule.name === name)?.words ?? name.replaceAll("-", " ");
    const entries = Object.entries(step.thumb ?? {});
    if (entries.length === 0) return [];
    const list = (agrees: boolean) => entries.filter(([, does]) => does === agrees).map(([name]) => words(name)).join("; ");
    const [same, different] = [list(true), list(false)];
    return [
        el("p", {}, same ? `The same as ${same}.` : "None of the simple rules would have done this.", " ", badge("exact")),
        same && different ? el("p", { class: "quiet" }, `Not the same as ${different}.`) : null,
    ];
}
