// The bar below the key figures: back and forth, save, what has been changed, and what the last move did.
import { el, replace } from "../dom";
import { capital, near, number } from "../format";
import type { Explanation } from "../types";
import type { Declined, Live, Shown } from "./api";

export interface BenchHooks {
    move(kind: "undo" | "redo" | "reset"): void;
    explainAll(): void;
    save(as: string): void;
    select(step: number): void;
    unlock(step: number): void;
}

const most = 6; // changes listed

export class Bench {
    readonly element: HTMLElement;
    private readonly undo = this.button("undo", "↶ Undo", () => this.hooks.move("undo"));
    private readonly redo = this.button("redo", "↷ Redo", () => this.hooks.move("redo"));
    private readonly reset = this.button("reset", "Start afresh", () => this.hooks.move("reset"));
    private readonly whole = this.button("explain-all", "Explain the whole plan", () => this.hooks.explainAll());
    private readonly cost = el("span", { class: "live-cost" });
    private readonly working = el("span", { class: "working quiet", role: "status" });
    /** What the last move did, or why it could not be: always in sight. */
    readonly message = el("p", { class: "live-news", role: "status", id: "live-news" });
    private readonly list = el("div", { class: "live-list" });

    constructor(private readonly first: Explanation, private readonly hooks: BenchHooks) {
        const saving = ([["instance", "Instance"], ["explanation", "Explanation"], ["page", "Page"]] as const).map(([as, words]) => this.button(`save-${as}`, words, () => hooks.save(as)));
        this.element = el("section", { class: "panel bench", "aria-label": "what if" },
            el("div", { class: "bench-row" },
                el("strong", {}, "What if?"), this.undo, this.redo, this.reset, this.whole,
                el("span", { class: "save", role: "group", "aria-label": "save" }, el("span", { class: "quiet" }, "Save as "), ...saving),
                this.cost, this.working),
            this.list, this.message);
    }
    show({ record, live }: Shown): void {
        // Before the story is told, what would tell it has nothing to say.
        document.documentElement.dataset.live = (record.story ?? []).length > 0 ? "told" : "untold";
        const now = record.solution.cost;
        const difference = now - this.first.solution.cost;
        const better = record.problem.objective === "maximise" ? difference > 0 : difference < 0;
        replace(this.cost, `${capital(record.problem.cost_word)} ${number(now)}`,
            difference === 0 ? null : el("span", { class: better ? "better" : "worse" }, ` (${difference > 0 ? "+" : "−"}${near(Math.abs(difference), Math.min(999, Math.abs(now)))})`));
        this.undo.disabled = !live.undo;
        this.redo.disabled = !live.redo;
        this.reset.disabled = live.changes.length === 0 && live.locks.length === 0;
        this.whole.disabled = live.whole || live.locks.length > 0;
        replace(this.list, this.changes(live), ...live.locks.map((lock) => this.lock(lock)));
    }
    news(words: string): void {
        this.message.className = "live-news";
        replace(this.message, words);
    }
    /** What could not be done, and why. */
    say(answer: Declined, words = answer.words): void {
        if (answer.status === "stale") return;
        this.message.className = "live-news alarm";
        replace(this.message, answer.status === "refused" ? `That cannot be: ${words}.` : `${capital(words)}.`,
            answer.status === "closed" ? el("button", { type: "button", click: () => location.reload() }, "Load again") : null);
    }
    busy(words: string): void {
        replace(this.working, words);
    }

    private changes(live: Live): HTMLElement | null {
        if (live.changes.length === 0) return null;
        const left = live.changes.length - most;
        return el("p", { class: "live-changes" }, el("span", { class: "quiet" }, "As if "), live.changes.slice(0, most).join("; "), left > 0 ? `; and ${left} more` : "", ".");
    }
    private lock(lock: Live["locks"][number]): HTMLElement {
        return el("p", { class: "live-lock" },
            el("button", { type: "button", class: "link", click: () => this.hooks.select(lock.step) }, `Step ${lock.step + 1}`), ` is yours: ${lock.words}. `,
            el("button", { type: "button", class: "link", "aria-label": `Let the policy decide step ${lock.step + 1}`, click: () => this.hooks.unlock(lock.step) }, "Let the policy decide"));
    }
    private button(id: string, words: string, click: () => void): HTMLButtonElement {
        return el("button", { type: "button", id, "data-key": id, click }, words);
    }
}
