// A study: the answers first, then every table with its notes, and figures of those that have something to draw:
// agreement, intervals of differences, and any number that stands beside the paper's.
import * as Plot from "@observablehq/plot";
import { el, panel, replace } from "./dom";
import { number } from "./format";

type Value = string | number | null;
type Row = Record<string, Value>;

interface Table {
    title: string;
    columns: string[];
    rows: Value[][];
    notes: string[];
}
interface Study {
    version: string;
    seed: number;
    citation?: string;
    answers?: { question: string; problem: string; answer: string; evidence: string }[];
    tables?: Record<string, Table>;
    policies?: { path: string; problem: string; seed: number }[];
}

const ours = "#0072b2";
const papers = "#d55e00";
const longest = 40; // rows; more are folded away

const records = (table: Table): Row[] => table.rows.map((row) => Object.fromEntries(table.columns.map((column, k) => [column, row[k] ?? null])));
const words = (row: Row): string => Object.values(row).filter((value) => typeof value === "string").join(", ");
const isNumber = (value: Value | undefined): value is number => typeof value === "number";

function tableElement(table: Table): HTMLElement {
    const body = el("table", {},
        el("thead", {}, el("tr", {}, ...table.columns.map((column) => el("th", { scope: "col" }, column)))),
        el("tbody", {}, ...table.rows.map((row) => el("tr", {}, ...row.map((value) => el("td", {}, typeof value === "string" ? value : number(value)))))));
    if (table.rows.length <= longest) return el("div", { class: "scroll" }, body);
    return el("details", {}, el("summary", {}, `${table.rows.length} rows`), el("div", { class: "scroll" }, body));
}

/** Bars per problem and predictor with their spread over policies; the paper's values as diamonds. */
function agreement(table: Table): Node | null {
    if (!["problem", "predictor", "mean", "std", "paper mean"].every((column) => table.columns.includes(column))) return null;
    const rows = records(table).filter((row) => isNumber(row.mean));
    const spread = rows.filter((row) => isNumber(row.std));
    return Plot.plot({
        width: 860, height: 300, marginBottom: 60, marginLeft: 50,
        x: { label: null, tickRotate: -35, domain: [...new Set(rows.map((row) => row.predictor))] },
        fx: { label: null },
        y: { label: "agreement", grid: true, domain: [0, 1] },
        ariaLabel: "agreement per problem and predictor",
        marks: [
            Plot.barY(rows, { fx: "problem", x: "predictor", y: "mean", fill: ours, title: (row: Row) => `${words(row)}: ${number(row.mean as number)}` }),
            Plot.ruleX(spread, { fx: "problem", x: "predictor", y1: (row: Row) => (row.mean as number) - (row.std as number), y2: (row: Row) => (row.mean as number) + (row.std as number) }),
            Plot.dot(rows.filter((row) => isNumber(row["paper mean"])), { fx: "problem", x: "predictor", y: "paper mean", symbol: "diamond2", fill: papers, r: 6 }),
            Plot.ruleY([0]),
        ],
    });
}

/** A point with its interval per row, and zero. */
function intervals(table: Table): Node | null {
    const point = table.columns.find((column) => column === "a - b" || column === "lp - proxy");
    // Over whole instances where the table has that: decisions of one instance are not independent.
    const [low, high] = ["low", "high"].map((end) => [`${end} (instances)`, end].find((column) => table.columns.includes(column)));
    if (!point || !low || !high) return null;
    const rows = records(table).filter((row) => isNumber(row[point]) && isNumber(row[low]) && isNumber(row[high]));
    if (rows.length === 0) return null;
    return Plot.plot({
        width: 860, height: 50 + 18 * rows.length, marginLeft: 240,
        x: { label: point, grid: true }, y: { label: null, domain: rows.map(words) },
        ariaLabel: "differences with their intervals",
        marks: [Plot.ruleX([0], { strokeDasharray: "3,3" }), Plot.ruleY(rows, { y: words, x1: low, x2: high, stroke: ours, strokeWidth: 2 }), Plot.dot(rows, { y: words, x: point, fill: ours, r: 4 })],
    });
}

/** Where a column stands beside the paper's: both as points on one line. */
function besideThePaper(table: Table): Node | null {
    const column = table.columns.find((name) => table.columns.includes(`paper ${name}`));
    if (!column) return null;
    const rows = records(table).filter((row) => isNumber(row[column]) && isNumber(row[`paper ${column}`]));
    if (rows.length < 2) return null;
    return Plot.plot({
        width: 860, height: 50 + 18 * rows.length, marginLeft: 240,
        x: { label: column, grid: true, zero: true }, y: { label: null, domain: rows.map(words) },
        ariaLabel: `${column}, ours and the paper's`,
        marks: [Plot.ruleY(rows, { y: words, x1: column, x2: `paper ${column}`, strokeOpacity: 0.4 }), Plot.dot(rows, { y: words, x: column, fill: ours, r: 5 }), Plot.dot(rows, { y: words, x: `paper ${column}`, fill: papers, symbol: "diamond2", r: 5 })],
    });
}

function section(name: string, table: Table): HTMLElement {
    const figure = agreement(table) ?? intervals(table) ?? besideThePaper(table);
    return panel(`table-${name.replace(/[^a-z0-9]+/gi, "-")}`, table.title,
        figure ? el("figure", { class: "scroll" }, figure) : null,
        figure && table.columns.some((c) => c.startsWith("paper")) ? el("p", { class: "quiet" }, "Blue: this study. Orange diamonds: the paper.") : null,
        tableElement(table),
        ...table.notes.map((note) => el("p", { class: "quiet" }, note)));
}

/** Which method says something: methods down, problems across; the numbers are in the table itself. */
function glance(table: Table | undefined): HTMLElement | null {
    const verdict = "says something?";
    if (!table || !["problem", "method", verdict].every((column) => table.columns.includes(column))) return null;
    const rows = records(table);
    const problems = [...new Set(rows.map((row) => row.problem))];
    const methods = [...new Set(rows.map((row) => row.method))];
    const said = (method: Value, problem: Value) => rows.find((row) => row.method === method && row.problem === problem)?.[verdict] ?? null;
    return panel("glance", "Which method says something, against majority and chance?", tableElement({
        title: "", notes: [], columns: ["method", ...problems.map(String)],
        rows: methods.map((method) => [method ?? null, ...problems.map((problem) => said(method ?? null, problem ?? null))]),
    }), el("p", { class: "quiet" }, ...table.notes.slice(0, 1)));
}

export function showStudy(root: Element, study: Study): void {
    document.title = "cax study";
    const tables = Object.entries(study.tables ?? {});
    const answers = study.answers ?? [];
    replace(root,
        el("header", {}, el("h1", {}, "Do the explanations agree?"), el("p", {}, `A study by cax ${study.version}, seed ${number(study.seed)}, ${number(study.policies?.length)} policies. ${study.citation ?? ""}`)),
        answers.length > 0 ? panel("answers", "The answers", el("div", { class: "scroll" }, tableElement({ title: "", notes: [], columns: ["question", "problem", "answer", "evidence"], rows: answers.map((a) => [a.question, a.problem, a.answer, a.evidence]) }))) : null,
        glance(study.tables?.explanations),
        ...tables.filter(([, table]) => Array.isArray(table.rows) && table.rows.length > 0).map(([name, table]) => section(name, table)),
        tables.length === 0 ? el("p", {}, "The study has no table.") : null);
}
