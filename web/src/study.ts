// A study's tables and figures: every object of the JSON that has rows becomes a table, and where the study's and the
// paper's number stand side by side, a chart.
import * as Plot from "@observablehq/plot";
import { el, number, panel, replace } from "./dom";

type Row = Record<string, unknown>;

function cell(value: unknown): string {
    if (typeof value === "number") return number(value);
    if (value === null || value === undefined) return "–";
    if (Array.isArray(value)) return value.map(cell).join(" … ");
    if (typeof value === "object") return Object.entries(value).map(([key, part]) => `${key} ${cell(part)}`).join(", ");
    return String(value);
}

function table(rows: Row[]): HTMLElement {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return el("table", {},
        el("thead", {}, el("tr", {}, ...columns.map((c) => el("th", { scope: "col" }, c.replaceAll("_", " "))))),
        el("tbody", {}, ...rows.map((row) => el("tr", {}, ...columns.map((c) => el("td", {}, cell(row[c])))))));
}

/** Ours beside the paper's, where a table has both. */
function chart(rows: Row[]): Node | null {
    const both = rows.filter((row) => typeof row.ours === "number" && typeof row.paper === "number");
    if (both.length < 2) return null;
    const label = (row: Row) => Object.entries(row).filter(([, v]) => typeof v === "string").map(([, v]) => v).join(", ");
    const points = both.flatMap((row) => [{ row: label(row), who: "ours", value: row.ours as number }, { row: label(row), who: "paper", value: row.paper as number }]);
    return Plot.plot({
        marginLeft: 220, width: 720, height: 50 + 18 * both.length,
        x: { grid: true, label: null }, y: { label: null },
        color: { legend: true, domain: ["ours", "paper"], range: ["#0072b2", "#d55e00"] },
        marks: [Plot.ruleY(both, { y: label, x1: "ours", x2: "paper", strokeOpacity: 0.4 } as Plot.RuleYOptions), Plot.dot(points, { x: "value", y: "row", fill: "who", r: 5 })],
    });
}

function section(name: string, value: unknown): HTMLElement | null {
    const rows = Array.isArray(value) ? value : ((value as Row | null)?.rows ?? null);
    if (!Array.isArray(rows) || rows.length === 0 || typeof rows[0] !== "object" || rows[0] === null) return null;
    const title = String((value as Row).title ?? name.replaceAll("_", " "));
    const note = (value as Row).note ?? (value as Row).caption;
    return panel(`table-${name.replace(/[^a-z0-9]+/gi, "-")}`, title, note ? el("p", { class: "quiet" }, String(note)) : null, chart(rows as Row[]), el("div", { class: "scroll" }, table(rows as Row[])));
}

export function showStudy(root: Element, study: Row): void {
    document.title = "cax study";
    const tables = (study.tables ?? study) as Row;
    const sections = Object.entries(tables).map(([name, value]) => section(name, value)).filter((s) => s !== null);
    replace(root,
        el("header", {}, el("h1", {}, "Study: do the explanations agree?"), el("p", {}, `cax ${cell(study.version)}, seed ${cell(study.seed)}`)),
        ...(sections.length > 0 ? sections : [el("p", {}, "The study has no table yet.")]));
}
