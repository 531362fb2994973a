// Numbers and words as people read them. Nothing here knows the document.

type Maybe = number | null | undefined;
const missing = (value: Maybe): value is null | undefined => value === null || value === undefined || !Number.isFinite(value);

/** Four significant digits, plain notation where it is readable; a missing value is a dash. */
export function number(value: Maybe): string {
    if (missing(value)) return "–";
    if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(2);
    return String(Number(value.toPrecision(4)));
}

/** As precise as four digits of `scale` are: what is left of 40 is 0, not -1.2e-6. */
export function near(value: Maybe, scale: Maybe): string {
    if (missing(value)) return "–";
    if (missing(scale) || scale === 0) return number(value);
    const digits = Math.max(0, 3 - Math.floor(Math.log10(Math.abs(scale))));
    const rounded = Number(value.toFixed(Math.min(digits, 12)));
    return String(rounded === 0 ? 0 : rounded);
}

/** How much worse than something else, at the precision of `scale`: "0.25 worse", "0.06 better", "the same". */
export function compared(worseBy: Maybe, scale: Maybe): string {
    if (missing(worseBy)) return "–";
    const size = near(Math.abs(worseBy), scale);
    if (size === "0") return Math.abs(worseBy) <= 1e-6 * Math.abs(scale ?? 0) ? "the same" : `hardly ${worseBy > 0 ? "worse" : "better"}`;
    return `${size} ${worseBy > 0 ? "worse" : "better"}`;
}

/** With its sign; nothing where it is only rounding beside `scale`. */
export function signed(value: Maybe, scale: Maybe = value): string {
    if (missing(value)) return "–";
    if (Math.abs(value) <= 1e-6 * Math.abs(scale ?? 0)) return "0";
    return value > 0 ? `+${number(value)}` : `−${number(-value)}`;
}

/** A share in percent, halves up: of the decimal that the file writes, as in sentences. `half / power` is the double nearest to a half. */
function roundedPercent(share: number, digits: number): string {
    const power = 10 ** digits;
    const below = Math.floor(Math.abs(share) * 100 * power);
    const rounded = Math.abs(share) >= (below + 0.5) / (100 * power) ? below + 1 : below;
    return `${share < 0 && rounded > 0 ? "-" : ""}${(rounded / power).toFixed(digits)} %`;
}

export function percent(value: Maybe): string {
    if (missing(value)) return "–";
    if (value > 0 && value < 0.0005) return "under 0.1 %";
    if (value < 1 && value >= 0.9995) return "over 99.9 %";
    return roundedPercent(value, 1);
}

export function wholePercent(value: Maybe): string {
    if (missing(value)) return "–";
    if (value > 0 && value < 0.005) return "under 1 %";
    if (value < 1 && value >= 0.995) return "over 99 %";
    return roundedPercent(value, 0);
}

/** A time that a computer took. */
export function duration(seconds: Maybe): string {
    if (missing(seconds)) return "–";
    if (seconds >= 1) return `${number(Number(seconds.toPrecision(3)))} s`;
    if (seconds >= 1e-3) return `${number(Number((seconds * 1e3).toPrecision(3)))} ms`;
    return "under 1 ms";
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const spaced = (word: string): string => word.replaceAll("_", " ");

/** Words of an action, short enough for a table or a legend. */
export function clipped(text: string, most: number): string {
    return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** A text cut at every "step 12": what lies between, and the numbers. */
export function stepsNamed(text: string): (string | { step: number; text: string })[] {
    const parts: (string | { step: number; text: string })[] = [];
    let from = 0;
    for (const match of text.matchAll(/\bstep (\d+)\b/g)) {
        if (match.index > from) parts.push(text.slice(from, match.index));
        parts.push({ step: Number(match[1]), text: match[0] });
        from = match.index + match[0].length;
    }
    if (from < text.length) parts.push(text.slice(from));
    return parts;
}
