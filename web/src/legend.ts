import { el } from "./dom";

/** A key under a drawing: a swatch (its look is in the style sheet) and words. */
export function legend(items: [string, string][]): HTMLElement {
    return el(
        "ul",
        { class: "legend" },
        ...items
            .filter(([, words]) => words !== "")
            .map(([kind, words]) => el("li", {}, el("span", { class: `swatch ${kind}`, "aria-hidden": "true" }), words)),
    );
}
