// The page of one explanation: the story, the timeline, one decision with its drawing, the rest for researchers.
import { el, keepingFocus, part, replace } from "./dom";
import type { PageHandle, PageHooks } from "./hooks";
import { firstPlace, hashOf, placeFromHash, placeOfStep } from "./navigation";
import { alternatives } from "./parts/alternatives";
import { sensitivity, swap } from "./parts/bars";
import { change } from "./parts/change";
import { decisionHead, plainLines, slacks, thumb } from "./parts/decision";
import { documentTitle, figures, heading, story } from "./parts/head";
import { howToRead } from "./parts/how_to_read";
import { PicturePanel } from "./parts/picture_panel";
import { plans } from "./parts/plans";
import { decisionRegret, waterfall } from "./parts/regret";
import { printed } from "./parts/printed";
import { certificate, familyTable, origin, rollout, sentences, subset, times } from "./parts/researchers";
import { timeline } from "./parts/timeline";
import { firstView, Store, type News } from "./store";
import type { Explanation } from "./types";

export type { NodePointer, PageHandle, PageHooks } from "./hooks";

/** Elements that stay while their contents change: what is open stays open, what is scrolled stays scrolled. */
function skeleton() {
    const slots = {
        heading: el("div"), figures: el("div"), story: el("div"), waterfall: el("div"), regret: el("div"), head: el("div", { class: "slot", id: "head-slot" }),
        decision: el("div", { "aria-live": "polite" }), lines: el("div"), step: el("div", { class: "slot", id: "step-slot" }),
        alternatives: el("div"), swap: el("div"), sensitivity: el("div"), change: el("div"), slacks: el("div"), thumb: el("div"),
        plans: el("section", { class: "panel", id: "plans", "aria-labelledby": "plans-title" }),
        families: el("div"), rollout: el("div"), subset: el("div"), certificate: el("div"), sentences: el("div"), times: el("div"),
        origin: el("div"), printed: el("section", { id: "printed" }),
    };
    const lead = el("section", { class: "panel", id: "decision", "aria-labelledby": "decision-title" }, slots.decision, slots.lines, slots.regret, slots.step);
    const more = el("section", { class: "panel", id: "more", "aria-label": "more about this decision" },
        part("alternatives", "What else was possible", slots.alternatives),
        el("div", { class: "two" }, part("swap", "Why not the other?", slots.swap), part("sensitivity", "If the data were wrong", slots.sensitivity)),
        part("change", "What would have changed it", slots.change),
        el("div", { class: "two" }, part("slacks", "How tight the rules are", slots.slacks), part("thumb", "Rules of thumb", slots.thumb)));
    const research = el("details", { class: "panel", id: "researchers" },
        el("summary", {}, "For researchers: attribution, certificates, timings"),
        el("div", { class: "columns-2" },
            el("div", {}, part("families", "Attribution: which rules counted", slots.families), part("rollout", "Share of every rule at every step", slots.rollout), part("subset", "Sufficient subset", slots.subset), part("certificate", "Certificate of the change", slots.certificate), slots.times),
            part("all-sentences", "Everything that is said about this step", slots.sentences)));
    return { slots, lead, more, research };
}

export function showExplanation(root: HTMLElement, record: Explanation, hooks: PageHooks = {}): PageHandle {
    const store = new Store(record, firstView(record, placeFromHash(record, location.hash) ?? firstPlace(record)), hooks.pointer !== undefined);
    if (hooks.pointer && store.view.windows === "none") store.view.windows = "likely"; // there to be taken hold of
    const { slots, lead, more, research } = skeleton();
    const line = timeline(store);
    const drawing = new PicturePanel(store);
    const stopping = new AbortController();
    const listening = { signal: stopping.signal };
    const handle: PageHandle = {
        get record() { return store.explanation; },
        get step() { return store.step; },
        update: (next) => keepingFocus(root, () => store.give(next)),
        select(step) {
            const place = placeOfStep(store.explanation, step);
            if (place !== null) store.set({ place });
            return place !== null;
        },
        toInstance: (x, y, part) => drawing.toInstance(x, y, part),
        hold: (still) => drawing.hold(still),
        close() {
            stopping.abort();
            root.replaceChildren();
        },
    };

    function renderRecord(): void {
        const e = store.explanation;
        document.title = documentTitle(e);
        replace(slots.heading, ...heading(e));
        replace(slots.figures, figures(e));
        replace(slots.story, story(store));
        replace(slots.origin, origin(e));
        replace(slots.waterfall, ...waterfall(store));
        line.record();
        renderPlans();
    }
    function renderPlans(): void {
        replace(slots.plans, ...plans(store, Math.max(240, Math.min(900, slots.plans.clientWidth - 34 || 560))));
    }
    function renderResearch(): void {
        if (!research.open) return;
        replace(slots.families, familyTable(store));
        replace(slots.rollout, rollout(store, Math.max(280, slots.rollout.clientWidth || 560)));
        replace(slots.subset, subset(store));
        replace(slots.certificate, certificate(store));
        replace(slots.sentences, sentences(store));
        replace(slots.times, times(store));
    }
    function renderStep(news: News): void {
        replace(slots.alternatives, ...alternatives(store, drawing));
        replace(slots.change, ...change(store));
        drawing.render();
        renderResearch();
        if (news === "view") return;
        replace(slots.decision, ...decisionHead(store));
        replace(slots.lines, plainLines(store));
        replace(slots.regret, ...decisionRegret(store, Math.max(240, Math.min(640, slots.regret.clientWidth || 560))));
        replace(slots.swap, ...swap(store));
        replace(slots.sensitivity, ...sensitivity(store));
        replace(slots.slacks, ...slacks(store));
        replace(slots.thumb, ...thumb(store));
        for (const slot of [slots.slacks, slots.thumb]) slot.closest("section")!.hidden = slot.childElementCount === 0;
        slots.step.replaceChildren();
        hooks.step?.(slots.step, store.step, handle);
    }
    function follow(): void {
        const hash = hashOf(store.step);
        // A notebook shows the page in a sandboxed frame without an address of its own: nothing to follow there.
        if (location.hash !== hash && location.protocol !== "about:") history.replaceState(null, "", hash);
        hooks.selected?.(store.step, handle);
    }

    replace(root,
        el("header", { class: "top" }, slots.heading, slots.figures, slots.head),
        el("section", { class: "panel", id: "summary", "aria-labelledby": "summary-title" }, el("h2", { id: "summary-title" }, "What happened"), slots.story, slots.waterfall, howToRead()),
        record.steps.length > 0 ? line.element : null,
        record.steps.length > 0 ? el("main", { class: "main" }, lead, drawing.element, more) : el("p", {}, "No step was explained."),
        slots.plans, record.steps.length > 0 ? research : null, slots.printed, slots.origin);
    if (record.steps.length === 0) {
        const e = record;
        document.title = documentTitle(e);
        replace(slots.heading, ...heading(e));
        replace(slots.figures, figures(e));
        replace(slots.origin, origin(e));
        return handle;
    }
    store.listen((news) => keepingFocus(root, () => {
        if (news === "record") renderRecord();
        else line.step();
        renderStep(news);
        if (news !== "view") follow();
    }));
    if (hooks.pointer) drawing.watch((pointer) => hooks.pointer!(pointer, handle));
    research.addEventListener("toggle", renderResearch);
    window.addEventListener("hashchange", () => {
        const place = placeFromHash(store.explanation, location.hash);
        if (place !== null) store.set({ place });
    }, listening);
    document.addEventListener("keydown", (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        if ((event.target as Element).closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
        line.move(event.key === "ArrowLeft" ? -1 : 1);
        event.preventDefault();
    }, listening);
    let pending = 0;
    let wide = 0;
    window.addEventListener("resize", () => {
        if (window.innerWidth === wide) return; // a phone's address bar comes and goes
        wide = window.innerWidth;
        cancelAnimationFrame(pending);
        pending = requestAnimationFrame(() => {
            line.step();
            drawing.draw();
            renderPlans();
            renderResearch();
        });
    }, listening);
    window.addEventListener("beforeprint", () => replace(slots.printed, ...printed(store.explanation)), listening);
    window.addEventListener("afterprint", () => slots.printed.replaceChildren(), listening);
    renderRecord();
    renderStep("record");
    hooks.head?.(slots.head, handle);
    hooks.drawing?.(drawing.slot, handle);
    follow();
    return handle;
}
