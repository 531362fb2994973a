// Which decisions there are to go through, and how the address names them. Nothing here knows the document.
// A place is an index into `steps`; a step's number counts from 0 in the data and from 1 for people.
import type { Alternative, Explanation, Step } from "./types";

export type Filter = "all" | "close" | "costly" | "fragile";
export const filterWords: Record<Filter, string> = { all: "all decisions", close: "close calls", costly: "costly", fragile: "fragile" };

export const numbered = (step: Step): number => step.step + 1;
export const isForced = (step: Step): boolean => step.runner_up === null;

/** The places that a filter shows; forced steps are no decisions. */
export function stops(e: Explanation, filter: Filter): number[] {
    const free = e.steps.flatMap((step, place) => (isForced(step) ? [] : [place]));
    if (filter === "all" || !e.plan) return free;
    const named = { close: e.plan.close_calls, costly: costlyPlaces(e), fragile: e.plan.fragile_steps ?? [] }[filter];
    const wanted = new Set(named);
    return free.filter((place) => wanted.has(place));
}

/** The decisions that cost something, the costliest first: by their regret, or where that is unknown by what was found. */
export function costlyPlaces(e: Explanation): number[] {
    if (e.regret) return e.regret.ranking.filter((place) => (e.steps[place]?.regret?.estimate ?? 0) > 0);
    return e.plan ? [...e.plan.costly, ...e.plan.better_found] : [];
}

/** The next stop after `place` in a direction; where there is none, `place` itself. */
export function nextStop(among: number[], place: number, by: 1 | -1): number {
    const found = by > 0 ? among.find((stop) => stop > place) : among.filter((stop) => stop < place).at(-1);
    return found ?? place;
}

/** What is said of a decision in one word each. */
export function tagsOf(e: Explanation, place: number): string[] {
    const step = e.steps[place]!;
    if (isForced(step)) return ["forced"];
    const tags: string[] = [];
    if (e.plan?.close_calls.includes(place)) tags.push("close call");
    if (e.regret ? costlyPlaces(e).includes(place) : e.plan?.costly.includes(place)) tags.push("costly");
    if (!e.regret && e.plan?.better_found.includes(place)) tags.push("better found");
    if (e.plan?.fragile_steps?.includes(place)) tags.push("fragile");
    return tags;
}

/** What to look at first: what cost most, else the closest call, else the first decision. */
export function firstPlace(e: Explanation): number {
    return costlyPlaces(e)[0] ?? e.plan?.close_calls[0] ?? stops(e, "all")[0] ?? 0;
}

export const hashOf = (step: Step): string => `#step=${numbered(step)}`;

/** The place that "#step=26" names, or nothing. */
export function placeFromHash(e: Explanation, hash: string): number | null {
    const match = /(?:^#|&)step=(\d+)(?:&|$)/.exec(hash);
    return match ? placeOfStep(e, Number(match[1]) - 1) : null;
}

/** Where the step of that number (from 0) is, if it was explained. */
export function placeOfStep(e: Explanation, step: number): number | null {
    const place = e.steps.findIndex((each) => each.step === step);
    return place < 0 ? null : place;
}

export const chosenOf = (step: Step): Alternative | null => step.alternatives?.find((each) => each.action === step.action) ?? null;

/** The family whose wrong data upset the decision most often. */
export function mostUpsetting(step: Step): { family: string; rate: number } | null {
    const families = Object.entries(step.sensitivity?.families ?? {});
    if (step.sensitivity?.status !== "computed" || families.length === 0) return null;
    const [family, value] = families.reduce((a, b) => (b[1].flip_rate > a[1].flip_rate ? b : a));
    return { family, rate: value.flip_rate };
}
