// The policy's plan beside the best one known, and where they part.
import { el, shown, type Child } from "../dom";
import { drawPlan } from "../draw/drawing";
import { planPictures } from "../draw/picture";
import { capital } from "../format";
import { placeOfStep } from "../navigation";
import type { Store } from "../store";

export function plans(store: Store, width: number): Child[] {
    const e = store.explanation;
    const { own, best } = planPictures(e);
    const wide = e.scene.kind !== "routes" || !best || width < 420;
    const alone = !best && e.scene.kind === "routes" ? Math.min(width, 460) : width;
    const each = wide ? alone : Math.floor((width - 16) / 2);
    const figure = (picture: typeof own, cost: HTMLElement) => el("figure", {}, el("figcaption", {}, `${capital(picture.words)}: `, cost), drawPlan(picture, each));
    const parts = e.best_known?.parts_at;
    const place = parts === null || parts === undefined ? null : placeOfStep(e, parts);
    return [
        el("h2", { id: "plans-title" }, best ? "The two plans" : "The plan"),
        best && place !== null
            ? el("p", {}, "They part at ", el("button", { type: "button", class: "link", "data-key": "parts", click: () => store.set({ place, filter: "all" }) }, `step ${e.steps[place]!.step + 1}`), `: the policy's choice was "${e.steps[place]!.words}", the other plan's "${e.best_known!.instead}" (${{ routes: "arrows", schedule: "framed", packing: "marked" }[e.scene.kind]}).`)
            : null,
        el("div", { class: wide ? "pair stacked" : "pair" },
            figure(own, shown("/solution/cost", e.solution.cost)),
            best ? figure(best, shown("/best_known/cost", e.best_known!.cost)) : null),
        best ? el("p", { class: "quiet" }, "Grey: what both plans share. Colours: what only this one does.") : null,
    ];
}
