// Small helpers around the document. Text goes in as text nodes only: no string from the JSON is ever parsed as HTML.

type Child = Node | string | number | null | undefined;

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Record<string, string | boolean | ((event: Event) => void)> = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false) element.setAttribute(name, value);
    }
    for (const child of children) {
        if (child !== null && child !== undefined) element.append(child instanceof Node ? child : String(child));
    }
    return element;
}

export function replace(parent: Element, ...children: Child[]): void {
    parent.replaceChildren(...children.filter((c) => c !== null && c !== undefined).map((c) => (c instanceof Node ? c : String(c))));
}

/** Four significant digits, plain notation where it is readable; a missing value is a dash. */
export function number(value: number | null | undefined): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
    return String(Number(value.toPrecision(4)));
}

export function percent(value: number | null | undefined): string {
    if (value === null || value === undefined || !Number.isFinite(value)) return "–";
    if (value > 0 && value < 0.0005) return "under 0.1 %";
    if (value < 1 && value > 0.9995) return "over 99.9 %";
    return `${(100 * value).toFixed(1)} %`;
}

/** A number on the page that says which field of the JSON it shows. */
export function shown(path: string, value: number | null | undefined, text = number(value)): HTMLElement {
    return el("data", { value: value === null || value === undefined ? "" : String(value), "data-path": path }, text);
}

/** A titled box. */
export function panel(id: string, title: string, ...children: Child[]): HTMLElement {
    return el("section", { class: "panel", id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);
}
