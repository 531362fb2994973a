// What the page is given: cax/explanation/1 as `cax explain` writes it, as far as the page looks at it. A part that
// was not asked for is null.

export interface Family {
    name: string;
    label: string;
    hint: string;
    data?: string; // what its numbers are called: "demands"
}

export interface RouteNode {
    node: number;
    label: string;
    short: string;
    x: number;
    y: number;
    depot: boolean;
    weight: number; // 0..1, for the size of the dot
    window?: [number, number];
    facts: string[];
}
export interface RouteScene {
    kind: "routes";
    weight_word: string;
    nodes: RouteNode[];
}
export interface Operation {
    node: number;
    label: string;
    short: string;
    job: number;
    position: number;
    facts: string[];
}
export interface ScheduleScene {
    kind: "schedule";
    machines: string[];
    operations: Operation[];
}
export interface PackedItem {
    node: number;
    label: string;
    short: string;
    worth: number;
    takes: number[]; // of every resource
    weight: number; // 0..1, for the size of the dot
    facts: string[];
}
export interface PackingScene {
    kind: "packing";
    weight_word: string;
    resources: { label: string; limit: number; tensor: string }[];
    nodes: PackedItem[];
}
/** One shape per kind; `draw/drawing.ts` knows who draws which. */
export type Scene = RouteScene | ScheduleScene | PackingScene;

export interface Bar {
    node: number;
    machine: number;
    start: number;
    end: number;
}
/** Where an action leads: a leg of a route, a bar of a schedule, or an item. */
export interface Mark {
    node: number | null;
    from?: number;
    arrival?: number;
    machine?: number;
    start?: number;
    end?: number;
    used?: number[];
}
/** What is on the drawing: paths of routes, bars of a schedule, or what is packed. */
export interface Drawing {
    paths?: number[][];
    bars?: Bar[];
    packed?: number[];
    used?: number[]; // of every resource
}
export interface Moment extends Drawing {
    at?: number;
    clock?: number;
    done: number[];
    queues?: { machine: number; free_at: number; nodes: number[] }[];
}

export interface Choice {
    action: number;
    words: string;
    probability: number;
    mark: Mark;
}
export interface Slack {
    family: string;
    rule: string;
    used: number;
    limit: number;
    slack: number;
    by_nature?: boolean; // no number could be otherwise
}
export interface Attribution {
    families: Record<string, { mass: number; lambda: number | null; score: number | null; share: number | null }>;
    top: string | null;
    nodes: number[];
    node_families: Record<string, number[]>;
}
export interface Change {
    tensor: string;
    index: number;
    from: number; // as the network sees it
    to: number;
    shown_from: number; // in the units of the instance file
    shown_to: number;
    node: number | null;
    words: string;
}
export interface Certificate {
    mode: string;
    source: string;
    verdict: string;
    checked: boolean;
    words?: string;
    cost?: number | null;
    drawing: Drawing | null;
}
export interface Counterfactual {
    status: string;
    shots: number;
    tried?: number | null; // changes of one number, by the search that follows the gradient
    tried_together?: number | null; // of several
    forward_passes: number;
    l1: number | null;
    new: Choice | null;
    changes: Change[];
    scene: Scene | null;
    moment: Moment | null;
    certificate: Certificate | null;
}
export interface Subset {
    accepted: boolean;
    forced: boolean;
    k_max: number;
    nodes_in_all: number;
    size: number;
    nodes: number[];
    rate: number;
    lower_bound: number;
    samples: number;
}
export interface Sentence {
    about: string;
    text: string;
    evidence: string;
}
/** A sentence for whoever wants to know what happened; fields: JSON pointers to what it quotes. */
export interface Line extends Sentence {
    fields: string[];
}
export interface Alternative {
    action: number;
    words: string;
    allowed: boolean;
    spent: boolean; // nothing is left to do about it
    forbidden_by: Slack | null;
    probability: number;
    extra: number | null;
    start: number | null;
    end: number | null;
    slacks: Slack[];
    cost: number | null;
    cost_status: string;
    bound: number | null;
    policy_cost: number | null;
    regret: number | null;
    worse_by?: number | null; // than the chosen one
    mark?: Mark | null;
}
/** What the decision gave away against the best other action that has a price. */
export interface Price {
    given_away: number | null; // of all allowed actions, proved; null where that is not known
    interval: [number, number | null];
    found: number; // of the actions compared
    compared: number;
    allowed: number;
    status: string;
    instead: number;
    instead_words: string;
}
/** What this decision cost: how much dearer the best plan became by it. */
export interface StepRegret {
    status: string; // forced, free, proved, bounded, search or unknown
    value: [number | null, number | null]; // cost of the best plan that begins like this, the decision included
    regret: [number | null, number | null]; // contains it; null: no bound is known
    estimate: number; // by the best plans found; the estimates add up to the gap
    better: { action: number | null; words: string; cost: number; changes?: number; mark?: Mark | null; drawing?: Drawing | null } | null;
    consequence?: string | null;
    drawing?: Drawing | null; // of the best plan that begins like this
}
/** The regrets of all decisions add up to the gap. */
export interface PlanRegret {
    gap: [number, number | null];
    located: number;
    proved_steps: number;
    ranking: number[]; // places in `steps`, the costliest first
}
export interface Swap {
    status: string;
    other: number | null;
    other_words: string | null;
    margin: number | null;
    families: Record<string, number> | null;
    single: Record<string, number> | null;
}
export interface Sensitivity {
    status: string;
    sizes: number[];
    shots: number;
    families: Record<string, { score: number; error: number; flip_rate: number; score_interval: [number, number]; flip_interval: [number, number]; percentile: number | null }>;
    unusual: string | null;
}
export interface Forbidden extends Slack {
    action: number;
    words: string;
    probability: number;
}
/** Why a node that somebody asked about was not chosen. */
export interface WhyNot extends Partial<Choice> {
    node: number;
    label: string;
    allowed: boolean;
    chosen: boolean;
    reason?: string; // it is not allowed
    used?: number | null; // of the rule that is broken
    limit?: number | null;
    counterfactual: Counterfactual | null;
}
/** What stands out in the whole plan; steps are places in `steps`. */
export interface Plan {
    decisions: number;
    forced: number;
    close_calls: number[];
    close_call_steps: number;
    ties?: number[]; // no preference: the first of equals was taken
    tie_steps?: number;
    costly: number[];
    costly_steps: number;
    regret: number | null;
    better_found: number[];
    better_found_steps: number;
    fragile: number | null;
    fragile_rate: number | null;
    fragile_family: string | null;
    fragile_steps?: number[];
    fragile_count?: number;
    tight: (Slack & { step: number })[];
    blocked_steps: number;
}
export interface BestKnown {
    cost: number;
    status: string;
    lower_bound: number | null;
    gap: number;
    parts_at: number | null;
    instead: string | null;
    instead_mark?: Mark | null;
    drawing: Drawing;
}
export interface ThumbRule {
    name: string;
    words: string;
    rate: number;
    chance: number;
}
export interface Step extends Choice {
    step: number;
    allowed: number;
    actions: number;
    runner_up: Choice | null;
    slacks: Slack[];
    moment: Moment;
    attribution: Attribution | null;
    counterfactual: Counterfactual | null;
    subset: Subset | null;
    policy?: Choice & { agrees: boolean }; // what it would do, where somebody else decided
    why_not?: WhyNot | null;
    // The following are missing in results of the first version.
    swap?: Swap | null;
    sensitivity?: Sensitivity | null;
    forbidden?: Forbidden[] | null;
    alternatives?: Alternative[] | null;
    price?: Price | null;
    regret?: StepRegret | null;
    thumb?: Record<string, boolean> | null;
    lines?: Line[];
    sentences: Sentence[];
    seconds: Record<string, number>;
}
export interface Explanation {
    schema: string;
    version: string;
    seed: number;
    policy: { path: string | null; sha256: string | null; problem: string; size: string | null; network?: string };
    instances_sha256: string | null;
    wall_seconds: number;
    problem: { name: string; title: string; objective?: "minimise" | "maximise"; cost_word: string; node_word: string; families: Family[] };
    instance: { name: string; size: string; description: string };
    notes: string[];
    scene: Scene;
    solution: { cost: number; valid: boolean; actions: number[]; drawing: Drawing };
    steps: Step[];
    story?: Line[];
    plan?: Plan | null;
    regret?: PlanRegret | null;
    best_known?: BestKnown | null;
    thumb?: { rules: ThumbRule[]; best: string | null } | null;
}
