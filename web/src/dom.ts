// Small helpers around the document. Text goes in as text nodes only: no string from the JSON is ever parsed as HTML.
import { number } from "./format";

export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

function dress<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
    }
    for (const child of children) {
        if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
    }
    return element;
}

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
    return dress(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
    return dress(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

export function replace(parent: Element, ...children: Child[]): void {
    parent.replaceChildren(...children.filter((c) => c !== null && c !== undefined && c !== false).map((c) => (c instanceof Node ? c : String(c))));
}

/** A number on the page that says which field of the JSON it shows; `scale` if it is rounded beside that. */
export function shown(path: string, value: number | null | undefined, text = number(value), scale?: number | null): HTMLElement {
    return el("data", { value: value === null || value === undefined ? "" : String(value), "data-path": path, "data-scale": scale }, text);
}

/** A titled part of the page. */
export function part(id: string, title: string, ...children: Child[]): HTMLElement {
    return el("section", { class: "part", id, "aria-labelledby": `${id}-title` }, el("h3", { id: `${id}-title` }, title), ...children);
}

/** A titled box. */
export function panel(id: string, title: string, ...children: Child[]): HTMLElement {
    return el("section", { class: "panel", id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);
}

/** A bar of a share between 0 and 1. */
export function bar(share: number | null | undefined, kind = ""): HTMLElement {
    const filled = el("span", { class: `bar ${kind}` });
    filled.style.width = `${100 * Math.min(1, Math.max(0, share ?? 0))}%`;
    return el("span", { class: "track", "aria-hidden": "true" }, filled);
}

/** Renders, and puts the keyboard's focus where it was: on the element with the same `data-key`. */
export function keepingFocus(root: HTMLElement, render: () => void): void {
    const active = document.activeElement;
    const key = active instanceof HTMLElement && root.contains(active) ? active.dataset.key : undefined;
    render();
    if (key === undefined || root.contains(active)) return;
    root.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
