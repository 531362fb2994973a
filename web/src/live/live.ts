// The live page: the report, and hands on it. What is dragged is asked for as often as answers come; when the hand
// rests, the decision that is looked at is explained.
import "./live.css";
import { el, replace } from "../dom";
import { showExplanation, type PageHandle } from "../page";
import type { Explanation, Step } from "../types";
import { Api, type Declined, type Edit, type Shown } from "./api";
import { Bench } from "./bench";
import { grip, type Grip } from "./grip";
import { insist } from "./insist";
import { NumbersPanel } from "./numbers";

const restMilliseconds = 350;
const clickPixels = 4;

/** Where two plans part, in words; empty if they do not. */
function parting(before: Explanation, after: Explanation): string {
    const [old, now] = [before.solution.actions, after.solution.actions];
    const at = now.findIndex((action, k) => action !== old[k]);
    if (at < 0) return old.length > now.length ? "The plan ends sooner." : "";
    const was = before.steps[at]?.words;
    return `The plan changes from step ${at + 1} on: ${after.steps[at]!.words}${was ? ` instead of ${was}` : ""}.`;
}

class LivePage {
    private page!: PageHandle;
    private kept!: Shown; // what the server keeps: where an infeasible drag snaps back to
    private readonly bench: Bench;
    private readonly numbers: NumbersPanel;
    private wanted: Edit[] | null = null; // dragged to, and not asked for yet
    private asking = false;
    private dragging: Grip | null = null;
    private resting = 0;
    private looked = -1; // the step that the server was asked about last

    constructor(private readonly api: Api, first: Shown) {
        this.kept = first;
        this.bench = new Bench(first.record, {
            move: (kind) => void this.move(kind),
            explainAll: () => void this.explain(true),
            save: (as) => void this.save(as),
            select: (step) => void this.page.select(step),
            unlock: (step) => void this.keep("unlock", { step }),
        });
        this.numbers = new NumbersPanel(api, first.record.scene, {
            drag: (edits) => this.drag(edits),
            edit: (edits) => void this.keep("edit", { edits }),
        });
    }

    start(root: HTMLElement): void {
        this.looked = this.kept.live.step;
        this.page = showExplanation(root, this.kept.record, {
            head: (slot) => slot.append(this.bench.element),
            drawing: (slot) => slot.append(this.numbers.element),
            step: (slot, step) => replace(slot, insist(step, this.kept.live, {
                lock: (action) => void this.keep("lock", { step: step.step, action }),
                unlock: () => void this.keep("unlock", { step: step.step }),
            })),
            pointer: (pointer) => {
                if (pointer.type === "down") {
                    this.dragging = grip(this.api, this.page, pointer);
                    this.page.hold(true);
                    return true;
                }
                const held = this.dragging;
                if (!held) return;
                const moved = Math.hypot(pointer.event.clientX - held.from.x, pointer.event.clientY - held.from.y) > clickPixels;
                held.moved ||= moved;
                if (pointer.type === "move") {
                    const edits = held.moved ? held.edits(pointer.event) : null;
                    if (edits) this.drag(edits);
                    return;
                }
                this.dragging = null;
                this.page.hold(false);
                this.drop(held, pointer.type === "up" ? held.edits(pointer.event) : null);
            },
            selected: (step) => void this.look(step),
        });
        this.tell(this.kept);
        this.rest();
    }

    private drop(held: Grip, edits: Edit[] | null): void {
        void this.numbers.show(held.node);
        if (!held.moved) return;
        if (edits) void this.keep("edit", { edits });
        else this.snapBack("");
    }

    /** Asks for the latest place only; what lies between is skipped. */
    private drag(edits: Edit[]): void {
        this.wanted = edits;
        this.stopResting();
        if (!this.asking) void this.follow();
    }
    private async follow(): Promise<void> {
        this.asking = true;
        while (this.wanted) {
            const edits = this.wanted;
            this.wanted = null;
            const answer = await this.api.ask("drag", { step: this.page.step.step, edits });
            if (answer.status === "ok") this.show(answer, parting(this.kept.record, answer.record));
            else this.bench.say(answer);
        }
        this.asking = false;
    }

    /** Whatever the server keeps. Nothing that is dragged outlives it. */
    private async keep(kind: "edit" | "lock" | "unlock" | "undo" | "redo" | "reset", fields: Record<string, unknown>): Promise<void> {
        this.wanted = null;
        this.stopResting();
        const answer = await this.api.ask(kind, { step: this.page.step.step, ...fields });
        if (answer.status === "stale") return;
        if (answer.status !== "ok") return this.snapBack(answer.words, answer);
        const before = this.kept.record;
        this.kept = answer;
        this.show(answer, parting(before, answer.record));
        this.numbers.refresh();
        this.rest();
    }
    private move(kind: "undo" | "redo" | "reset"): Promise<void> {
        return this.keep(kind, {});
    }
    private snapBack(words: string, answer?: Declined): void {
        this.show(this.kept, "");
        this.numbers.refresh();
        if (answer) this.bench.say(answer, words);
        this.rest();
    }

    private async look(step: Step): Promise<void> {
        if (step.step === this.looked || this.dragging) return;
        this.looked = step.step;
        this.stopResting();
        const answer = await this.api.ask("look", { step: step.step });
        if (answer.status === "ok") {
            this.kept = answer;
            this.show(answer, "");
        } else this.bench.say(answer);
        this.rest();
    }

    private stopResting(): void {
        clearTimeout(this.resting);
        this.bench.busy("");
    }
    private rest(): void {
        clearTimeout(this.resting);
        this.resting = window.setTimeout(() => void this.explain(false), restMilliseconds);
    }
    private async explain(whole: boolean): Promise<void> {
        clearTimeout(this.resting);
        const { step } = this.page.step;
        const { live } = this.kept;
        const lock = live.locks.find((each) => each.step === step);
        const known = lock ? lock.comparison !== null : live.explained && live.step === step;
        if (this.dragging || (whole ? live.whole : known)) return;
        this.bench.busy(whole ? "Explaining the whole plan …" : lock ? "Comparing …" : `Explaining step ${step + 1} …`);
        const answer = await this.api.ask("explain", { step, ...(whole ? { whole } : {}) });
        if (answer.status === "stale") return;
        this.bench.busy("");
        if (answer.status !== "ok") return this.bench.say(answer);
        this.kept = answer;
        if (!this.dragging) this.show(answer, null);
    }

    private show(answer: Shown, news: string | null): void {
        this.looked = answer.live.step;
        this.page.update(answer.record);
        this.tell(answer, news);
    }
    private tell(answer: Shown, news: string | null = ""): void {
        this.bench.show(answer);
        if (news !== null) this.bench.news(news);
    }

    private async save(as: string): Promise<void> {
        const file = await this.api.save(as);
        if (file.status !== "ok") return this.bench.say(file);
        const url = URL.createObjectURL(new Blob([file.text], { type: file.type }));
        const link = el("a", { href: url, download: file.name });
        link.click();
        setTimeout(() => URL.revokeObjectURL(url), 10_000);
        this.bench.news(`Saved as ${file.name}.`);
    }
}

export async function startLive(root: HTMLElement): Promise<void> {
    const api = new Api(`/${location.pathname.split("/")[1]}/`);
    const first = await api.open();
    if (first.status !== "ok") return replace(root, el("p", {}, `Nothing can be shown: ${first.words}`));
    new LivePage(api, first).start(root);
}
