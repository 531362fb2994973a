// What the live page asks of `cax serve`, and what comes back: docs/serve.md, in types.
import type { Drawing, Explanation } from "../types";

export type Edit = { tensor: string; index: number; to: number } | { node: number; x: number; y: number };

export interface Side {
    action: number;
    words: string;
    probability: number;
    policy_cost: number | null;
    cost: number | null;
    cost_status: string;
    drawing: Drawing | null;
}
export interface Lock {
    step: number;
    action: number;
    words: string;
    probability: number;
    comparison: { insisted: Side; own: Side } | null;
}
export interface Live {
    step: number;
    undo: boolean;
    redo: boolean;
    explained: boolean;
    whole: boolean;
    changes: string[];
    locks: Lock[];
}
export interface Entry {
    tensor: string;
    index: number;
    label: string;
    value: number;
    original: number;
    unit: string;
    step: number;
    lowest: number;
    highest: number;
}
export interface NodeNumbers {
    node: number;
    label: string;
    place: [number, number] | null;
    entries: Entry[];
}
export interface Shown {
    status: "ok";
    record: Explanation;
    live: Live;
}
export interface Saved {
    status: "ok";
    name: string;
    type: string;
    text: string;
}
export interface Declined {
    status: "refused" | "stale" | "failed" | "closed" | "malformed" | "silent";
    words: string;
}
type Ordered = "drag" | "edit" | "lock" | "unlock" | "undo" | "redo" | "reset" | "look" | "explain";

export class Api {
    private session = "";
    private sequence = 0;
    private latest = 0; // whose answer has been passed on

    /** `root`: the path of the page, with the token. */
    constructor(private readonly root: string) {}

    async open(): Promise<Shown | Declined> {
        const answer = await this.post<Shown & { session: string }>("open", {});
        if (answer.status === "ok") this.session = answer.session;
        return answer;
    }
    /** Every question gets the next number. An answer that is older than one that was passed on is stale. */
    async ask(kind: Ordered, fields: Record<string, unknown>): Promise<Shown | Declined> {
        const sequence = ++this.sequence;
        const answer = await this.post<Shown>(kind, { session: this.session, sequence, ...fields });
        if (sequence < this.latest) return { status: "stale", words: "a later answer is shown" };
        if (answer.status !== "stale") this.latest = sequence;
        return answer;
    }
    node(node: number): Promise<(NodeNumbers & { status: "ok" }) | Declined> {
        return this.post("node", { session: this.session, node });
    }
    save(as: string): Promise<Saved | Declined> {
        return this.post("save", { session: this.session, as });
    }
    private async post<T>(kind: string, body: unknown): Promise<T | Declined> {
        try {
            const response = await fetch(`${this.root}api/${kind}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
            return (await response.json()) as T | Declined;
        } catch {
            return { status: "silent", words: "cax serve does not answer: has it been ended?" };
        }
    }
}
