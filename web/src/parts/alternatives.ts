// Everything that could have been done instead, with its price. Pointing at a row points at the drawing.
import { bar, el, shown, type Child } from "../dom";
import { capital, compared, near, percent } from "../format";
import { otherRole, type Store } from "../store";
import { columnsOf, openOnes, sorted, tightest, type Column } from "../table_rows";
import type { Alternative, Mark, Slack } from "../types";

const few = 7; // rows at first
const words: Record<Column, string> = { action: "action", probability: "probability", cost: "whole plan", worse_by: "difference", extra: "detour", start: "starts" };
const statusWords: Record<string, string> = { proved: "proved", bounded: "bounded", search: "found", policy: "policy's own" };

const used = (slack: Slack): HTMLElement => el("span", { class: "together" }, `${near(slack.used, slack.limit)} of ${near(slack.limit, slack.limit)}`);
const ruleOf = (row: Alternative): Slack | null => row.forbidden_by ?? tightest(row.slacks)?.slack ?? null;

/** The rule that is the tightest for all rows that have any: said once, above them. */
function commonRule(rows: Alternative[]): string | null {
    const rules = new Set(rows.flatMap((row) => ruleOf(row)?.rule ?? []));
    return rules.size === 1 ? [...rules][0]! : null;
}

function ruleCell(store: Store, row: Alternative, common: string | null): HTMLElement {
    const at = `${store.at}/alternatives/${row.action}`;
    const rule = ruleOf(row);
    if (!rule) return el("td", { class: "rule" }, "–");
    const name = el("span", { class: common ? "unseen" : "" }, `${capital(rule.rule)}: `);
    if (row.forbidden_by) return el("td", { class: "rule forbidden", "data-rule": `${at}/forbidden_by` }, "Not allowed. ", name, used(rule));
    return el("td", { class: "rule", "data-rule": `${at}/slacks/${tightest(row.slacks)!.index}` }, name, used(rule));
}

function valueCell(store: Store, row: Alternative, column: Column): HTMLElement {
    const path = `${store.at}/alternatives/${row.action}/${column}`;
    const scale = Math.min(999, Math.abs(store.explanation.solution.cost)); // differences and ways as precise as the plan
    switch (column) {
        case "probability":
            return el("td", { class: "probability" }, row.allowed ? bar(row.probability, row.action === store.step.action ? "chosen" : "") : null, row.allowed ? shown(path, row.probability, percent(row.probability)) : "–");
        case "cost":
            return el("td", {}, row.cost === null ? "–" : shown(path, row.cost), row.cost === null ? null : el("span", { class: "status" }, ` ${statusWords[row.cost_status] ?? row.cost_status}`));
        case "worse_by":
            return el("td", { class: "compared" }, row.action === store.step.action || row.worse_by === null || row.worse_by === undefined ? "" : shown(path, row.worse_by, compared(row.worse_by, scale), scale));
        case "extra":
        case "start":
            return el("td", { class: "where" }, row[column] === null ? "–" : shown(path, row[column], near(row[column], scale), scale));
        default:
            return el("td", {});
    }
}

export interface AlternativesHooks {
    preview(mark: Mark | null): void;
}

function actionCell(store: Store, row: Alternative, hooks: AlternativesHooks): HTMLElement {
    const role = row.action === store.step.action ? "chosen" : row.action === store.step.runner_up?.action ? otherRole(store.step) : null;
    const point = () => hooks.preview(row.mark ?? null);
    const rest = () => hooks.preview(null);
    return el("th", { scope: "row" },
        el("button", { type: "button", class: "link action", "data-key": `action-${row.action}`, focus: point, blur: rest, click: point }, capital(row.words)),
        role ? el("span", { class: role === "chosen" ? "role chosen" : "role runner-up" }, ` ${role}`) : null);
}

function header(store: Store, columns: Column[], rule: string): HTMLElement {
    const { sorting } = store.view;
    return el("tr", {}, ...columns.map((column) => {
        const current = sorting.column === column;
        const descending = current ? !sorting.descending : column === "probability";
        const order = current ? (sorting.descending ? "descending" : "ascending") : "none";
        return el("th", { scope: "col", "aria-sort": order, class: column === "extra" || column === "start" ? "where" : "" },
            el("button", { type: "button", class: "sort", "data-key": `sort-${column}`, "data-column": column, click: () => store.set({ sorting: { column, descending } }) }, words[column], el("span", { "aria-hidden": "true" }, current ? (sorting.descending ? " ▼" : " ▲") : "")));
    }), rule === "" ? null : el("th", { scope: "col", class: "rule" }, rule));
}

export function alternatives(store: Store, hooks: AlternativesHooks): Child[] {
    const all = store.step.alternatives;
    if (!all) return [el("p", { class: "quiet" }, "Alternatives were not asked for.")];
    const open = openOnes(all);
    const columns = columnsOf(open);
    const sorting = columns.includes(store.view.sorting.column) ? store.view.sorting : { column: "probability" as const, descending: true };
    const rows = sorted(open, sorting);
    const visible = store.view.allRows ? rows : rows.slice(0, few);
    const left = rows.length - visible.length;
    const common = commonRule(rows);
    const ruled = rows.some((row) => ruleOf(row));
    const body = visible.map((row) =>
        el("tr", { class: row.action === store.step.action ? "is-chosen" : row.allowed ? "" : "is-forbidden", "data-action": row.action, mouseenter: () => hooks.preview(row.mark ?? null), mouseleave: () => hooks.preview(null) },
            actionCell(store, row, hooks), ...columns.filter((c) => c !== "action").map((column) => valueCell(store, row, column)), ruled ? ruleCell(store, row, common) : null));
    return [
        el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "table of alternatives" },
            el("table", { class: "alternatives", id: "alternatives-table" }, el("thead", {}, header(store, columns, ruled ? (common ?? "tightest rule") : "")), el("tbody", {}, ...body))),
        rows.length > few
            ? el("button", { type: "button", class: "more", "data-key": "more-rows", "aria-expanded": String(store.view.allRows), click: () => store.set({ allRows: !store.view.allRows }) }, left > 0 ? `Show ${left} more` : "Show fewer")
            : null,
    ];
}
