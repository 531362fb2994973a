// The table of alternatives: which rows, in which order, and which rule is worth naming. Nothing here knows the document.
import type { Alternative, Slack } from "./types";

export type Column = "probability" | "cost" | "worse_by" | "extra" | "start" | "action";
export interface Sorting {
    column: Column;
    descending: boolean;
}

/** What is left to choose from, whether allowed or kept away by a rule with numbers. */
export const openOnes = (all: Alternative[]): Alternative[] => all.filter((a) => a.allowed || (!a.spent && a.forbidden_by !== null && !a.forbidden_by.by_nature));

/** Columns that say something: when an action starts where there is no way to it. */
export function columnsOf(all: Alternative[]): Column[] {
    const filled = (column: Column) => all.some((a) => a[column] !== null && a[column] !== undefined);
    const where: Column = filled("extra") ? "extra" : "start";
    return ["action", "probability", ...(["cost", "worse_by", where] as const).filter(filled)];
}

/** By the column; rows without a value last; the likelier one first on ties, forbidden ones after allowed ones. */
export function sorted(rows: Alternative[], by: Sorting): Alternative[] {
    const sign = by.descending ? -1 : 1;
    return [...rows].sort((a, b) => {
        const x = a[by.column] ?? null;
        const y = b[by.column] ?? null;
        if (by.column === "probability" && a.allowed !== b.allowed) return a.allowed ? -1 : 1;
        if ((x === null) !== (y === null)) return x === null ? 1 : -1;
        if (x !== null && y !== null && x !== y) return sign * (x - y);
        return b.probability - a.probability || a.action - b.action;
    });
}

/** Of the rules that bind an action, the one with the least left of its limit. Nothing of nothing is no news. */
export function tightest(slacks: Slack[]): { slack: Slack; index: number } | null {
    let best: { slack: Slack; index: number } | null = null;
    const left = (slack: Slack) => slack.slack / (Math.abs(slack.limit) || 1);
    slacks.forEach((slack, index) => {
        if (slack.limit === 0 && slack.used === 0) return;
        if (slack.limit !== null && slack.slack !== null && (best === null || left(slack) < left(best.slack))) best = { slack, index };
    });
    return best;
}
