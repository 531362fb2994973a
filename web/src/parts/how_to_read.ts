// Ten lines for whoever opens such a page for the first time.
import { el } from "../dom";

const lines: [string, string][] = [
    ["The plan", "was made by a policy, a trained network, one decision after the other. This page tells what it did and whether that was good."],
    ["The story", "says what stands out. Every \"step 12\" in it is a link to that decision."],
    ["The timeline", "has one column per step: how sure the policy was, what the decision cost, and how easily wrong data would upset it. Steps without a choice are grey and skipped."],
    ["Moving", "works with the arrow keys ← and → everywhere, with a click on a column, or with an address that ends in #step=12. The filters leave only close calls, costly or fragile decisions."],
    ["Close call", "means that the runner-up was nearly as likely. Costly: another action leads to a better plan. Fragile: wrong data of one kind change it in half of the cases tried or more."],
    ["Alternatives", "are all actions that were open. \"Whole plan\" is what the finished plan costs if that action is taken; proved means that no plan is better, found that a search knows none better."],
    ["Why not the other?", "exchanges the data of two choices, one kind at a time. Bars to the right speak for the chosen one, to the left for the other."],
    ["Wrong data", "tells how often the decision changes if the numbers of one kind are a little or clearly off."],
    ["What would change it", "is a small change of the data after which the policy decides otherwise; one possible plan then is a checked plan that begins so, not the only one."],
    ["Badges", "say how sure a sentence is: exact, proved, computed, bounded, sampled, not found. Point at one for its meaning."],
];

export function howToRead(): HTMLElement {
    return el("details", { class: "how", id: "how" },
        el("summary", {}, "How to read this page"),
        el("dl", {}, ...lines.flatMap(([term, words]) => [el("dt", {}, term), el("dd", {}, words)])));
}
