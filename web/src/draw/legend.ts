// What the marks of a drawing mean.
import { el } from "../dom";
import { capital, clipped } from "../format";
import type { RouteScene } from "../types";
import type { Picture } from "./picture";

/** A key under a drawing: a swatch (its look is in the style sheet) and words. */
export function legend(items: [string, string][]): HTMLElement {
    return el("ul", { class: "legend" },
        ...items.filter(([, words]) => words !== "").map(([kind, words]) => el("li", {}, el("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), words)));
}

/** What every kind of drawing has: the chosen action, the other one, what a rule forbade. */
export function commonLegend(p: Picture): [string, string][] {
    const brief = (words: string) => clipped(words, 60);
    if (p.layer === "best") return [["line", "the best plan known, one colour per group"]];
    if (p.layer === "possible") return [["line", "one possible plan after the change, one colour per group"], ["ring", "changed"]];
    const items: [string, string][] = p.before
        ? [["chosen", `after the change: ${brief(p.chosenWords)}`], ["other", `before: ${brief(p.otherWords)}`], ["ring", "changed; dotted: as it was"]]
        : [["chosen", `chosen: ${brief(p.chosenWords)}`], ["other", p.otherWords ? `${p.otherRole}: ${brief(p.otherWords)}` : ""]];
    if (p.blocked) items.push(["blocked", `not allowed: ${brief(p.blockedWords)}`]);
    if (p.heat) items.push(["heat", `stronger colour: ${p.heatWord}`]);
    if (p.keep.size > 0) items.push(["keep", "enough to know for this decision"]);
    return items;
}

export function routeLegend(scene: RouteScene, p: Picture): [string, string][] {
    const items = commonLegend(p).map(([kind, words]): [string, string] => [kind, words.replace("per group", "per route")]);
    if (p.rest) items.push(["rest", "what the plan does later"]);
    if (scene.weight_word) items.push(["size", `size of a dot: ${scene.weight_word}`]);
    return items.map(([kind, words]) => [kind, capital(words)]);
}
