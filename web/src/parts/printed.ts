// What goes onto paper beside the story: every close call and the dearest decisions, each with its lines, its picture and
// its likeliest alternatives.
import { el, shown, type Child } from "../dom";
import { drawMoment } from "../draw/drawing";
import { legend } from "../draw/legend";
import { picture } from "../draw/picture";
import { capital, near, percent } from "../format";
import { firstPlace, numbered, stops } from "../navigation";
import { firstView, Store } from "../store";
import { openOnes, sorted } from "../table_rows";
import type { Explanation } from "../types";
import { badge } from "./evidence";
import { origin } from "./researchers";

const rows = 5;
const most = 12; // decisions without a story
const closest = 30; // a long plan has more of them than anybody prints
const dearest = 3;
const width = 330;

function table(store: Store): Child {
    const listed = sorted(openOnes(store.step.alternatives ?? []), { column: "probability", descending: true }).slice(0, rows);
    if (listed.length === 0) return null;
    const at = (action: number) => `${store.at}/alternatives/${action}`;
    return el("table", {},
        el("thead", {}, el("tr", {}, ...["action", "probability", "whole plan"].map((h) => el("th", { scope: "col" }, h)))),
        el("tbody", {}, ...listed.map((row) =>
            el("tr", {}, el("th", { scope: "row" }, capital(row.words)),
                el("td", {}, row.allowed ? shown(`${at(row.action)}/probability`, row.probability, percent(row.probability)) : `not allowed: ${row.forbidden_by?.rule ?? ""} ${near(row.forbidden_by?.used, row.forbidden_by?.limit)} of ${near(row.forbidden_by?.limit, row.forbidden_by?.limit)}`),
                el("td", {}, row.cost === null ? "–" : shown(`${at(row.action)}/cost`, row.cost))))));
}

function card(e: Explanation, place: number): HTMLElement {
    const store = new Store(e, firstView(e, place));
    const drawn = drawMoment(picture(store), { width, height: width * 0.8, windows: "none", hold: null });
    const lines = store.step.lines ?? [];
    return el("article", { class: "printed-step" },
        el("h3", {}, `Step ${numbered(store.step)}: ${store.step.words}`),
        el("div", { class: "printed-row" },
            el("div", {}, el("ul", { class: "lines" }, ...lines.map((line) => el("li", {}, line.text, " ", badge(line.evidence)))), table(store)),
            el("figure", {}, drawn.nodes[0], legend(drawn.legend))));
}

/** Close calls that are not printed, by number. */
function others(e: Explanation): Child {
    const left = (e.plan?.close_calls ?? []).slice(closest).map((place) => numbered(e.steps[place]!)).sort((a, b) => a - b);
    return left.length === 0 ? null : el("p", { class: "quiet" }, `Further close calls, less close than these: steps ${left.join(", ")}.`);
}

/** What stands out, or else what one looks at first; of a few steps without a story, the first ones. */
function placesOf(e: Explanation): number[] {
    if (!e.plan) return stops(e, "all").slice(0, most);
    const standing = new Set([...e.plan.close_calls.slice(0, closest), ...[...e.plan.costly, ...e.plan.better_found].slice(0, dearest)]);
    return standing.size > 0 ? [...standing].sort((a, b) => a - b) : [firstPlace(e)];
}

/** In the order of the plan. Where it comes from stands with the last one: no page has that alone. */
export function printed(e: Explanation): Child[] {
    const cards = placesOf(e).map((place) => card(e, place));
    const last = cards.pop();
    const title = e.plan && e.plan.close_calls.length + e.plan.costly.length + e.plan.better_found.length > 0 ? "Close calls and the dearest decisions" : "The decisions";
    return [el("h2", {}, title), ...cards, el("div", { class: "printed-last" }, last, others(e), origin(e))];
}
