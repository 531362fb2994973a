// The page of one explanation: a drawing and what is said about it, a slider through the steps, the whole rollout.
import { counterfactual, seconds, sentences, slacks, subset } from "./step";
import { el, panel, percent, replace, shown } from "./dom";
import { decisions, familyTable, rollout } from "./families";
import { drawRoutes } from "./routes";
import { drawSchedule } from "./schedule";
import type { Explanation } from "./types";
import { layersOf, numbered, picture, Store, type Layer } from "./view";

const layerWords: Record<Layer, string> = {
    decision: "the decision",
    counterfactual: "counterfactual: before and after",
    witness: "certificate: the witness",
};

function header(e: Explanation): HTMLElement {
    return el(
        "header",
        {},
        el("h1", {}, "Why did the policy do that?"),
        el("p", {}, `${e.problem.title}: ${e.instance.name ? `${e.instance.name}, ` : ""}${e.instance.description}. The policy's solution has ${e.problem.cost_word} `, shown("/solution/cost", e.solution.cost), e.solution.valid ? " and is valid." : " and is NOT valid."),
        ...e.notes.map((note) => el("p", { class: "note" }, note)),
    );
}

function controls(store: Store): HTMLElement {
    const { steps, problem } = store.explanation;
    const slider = el("input", {
        type: "range", id: "step", min: "0", max: String(steps.length - 1), value: String(store.view.step), step: "1",
        input: (event) => store.set({ step: Number((event.target as HTMLInputElement).value) }),
    });
    const move = (by: number) => () => store.set({ step: Math.min(steps.length - 1, Math.max(0, store.view.step + by)) });
    const where = el("output", { id: "where", for: "step", "aria-live": "polite" });
    const heat = el("select", { id: "heat", change: (event) => store.set({ heat: (event.target as HTMLSelectElement).value }) },
        el("option", { value: "all" }, "all rules together"),
        ...problem.families.map((f) => el("option", { value: f.name }, f.label)),
        el("option", { value: "none" }, "nothing"));
    const keep = el("input", { type: "checkbox", id: "keep", checked: true, change: (event) => store.set({ sufficient: (event.target as HTMLInputElement).checked }) });
    const layers = el("fieldset", { class: "layers" });
    store.listen(() => {
        const { step, view } = store;
        slider.value = String(view.step);
        slider.setAttribute("aria-valuetext", `step ${numbered(step)}: ${step.words}`);
        replace(where, `Step ${numbered(step)} of ${store.explanation.solution.actions.length}`);
        const available = layersOf(step);
        replace(layers, el("legend", {}, "Show "), ...(Object.keys(layerWords) as Layer[]).map((layer) =>
            el("label", {}, el("input", { type: "radio", name: "layer", value: layer, checked: layer === view.layer, disabled: !available.includes(layer), change: () => store.set({ layer }) }), layerWords[layer])));
        (layers.querySelector<HTMLInputElement>(`input[value="${view.layer}"]`))!.checked = true;
    });
    return el("nav", { class: "controls", "aria-label": "what to show" },
        el("div", { class: "slider" },
            el("button", { type: "button", id: "previous", "aria-label": "previous step", click: move(-1) }, "◀"),
            el("label", { for: "step", class: "hidden" }, "step"), slider,
            el("button", { type: "button", id: "next", "aria-label": "next step", click: move(1) }, "▶"), where),
        layers,
        el("label", {}, "Colour by ", heat),
        el("label", {}, keep, "sufficient nodes"));
}

/** The beginning of a hash; nothing for what came from no file. */
function short(hash: string | null, before = ", SHA-256 "): string {
    return hash === null ? "" : `${before}${hash.slice(0, 12)}…`;
}

function footer(e: Explanation): HTMLElement {
    return el("footer", {}, `cax ${e.version}; policy ${e.policy.path ?? e.policy.network ?? "without a file"}${short(e.policy.sha256)}; instance${short(e.instances_sha256, " ") || " without a file"}; seed ${e.seed}. All of this is in the JSON that this page carries.`);
}

export function showExplanation(root: Element, e: Explanation): void {
    document.title = `${e.instance.name || e.problem.name}: why did the policy do that?`;
    if (e.steps.length === 0) {
        replace(root, header(e), el("p", {}, "No step was explained."), footer(e));
        return;
    }
    const store = new Store(e, { step: 0, heat: e.steps.some((s) => s.attribution) ? "all" : "none", sufficient: true, layer: "decision" });
    const drawing = el("div", { class: "drawing" });
    const decision = el("h2", { id: "decision" });
    const said = el("div");
    const tight = el("div");
    const family = el("div");
    const flip = el("div");
    const kept = el("div");
    const times = el("p", { class: "quiet" });
    const heat = el("div", { class: "scroll" });
    const list = el("div", { class: "scroll" });
    replace(
        root,
        header(e),
        controls(store),
        el("main", {},
            el("div", {},
                el("section", { class: "panel picture", "aria-label": "drawing" }, drawing),
                panel("rollout", "The whole rollout: share of every rule at every step", heat),
                panel("slacks", "How tight the rules are", tight)),
            el("div", {},
                el("section", { class: "panel", id: "why" }, decision, said),
                panel("families", "Which rules counted", family),
                panel("counterfactual", "What would have changed it", flip),
                panel("subset", "What was enough", kept, times))),
        panel("decisions", "All explained decisions", list),
        footer(e));
    const draw = () => {
        const p = picture(store);
        const width = Math.max(300, Math.min(760, drawing.clientWidth || 620));
        replace(drawing, ...(p.scene.kind === "routes" ? drawRoutes(p.scene, p, width) : drawSchedule(p.scene, p, width)));
        replace(heat, rollout(store, Math.max(420, heat.clientWidth || 620)));
    };
    store.listen(() => {
        const { step, view } = store;
        replace(decision, step.words, ": ", shown(`/steps/${view.step}/probability`, step.probability, percent(step.probability)));
        replace(said, sentences(store));
        replace(tight, slacks(store));
        replace(family, familyTable(store));
        replace(flip, counterfactual(store));
        replace(kept, subset(store));
        replace(times, `Time: ${seconds(store)}.`);
        replace(list, decisions(store));
        draw();
    });
    let pending = 0;
    window.addEventListener("resize", () => {
        cancelAnimationFrame(pending);
        pending = requestAnimationFrame(draw);
    });
}
