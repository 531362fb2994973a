// Colours that people with colour-blindness tell apart (after Okabe and Ito), the same in light and dark.
const families = ["#0072b2", "#d55e00", "#009e73", "#b1579a", "#8c6d00", "#4b5fc0"];

export const familyColour = (index: number): string => families[index % families.length]!;

export const chosenColour = "var(--chosen)";
export const otherColour = "var(--other)";
export const keepColour = "var(--keep)";

/** Jobs or routes: as many as needed, repeated after ten. */
const groups = ["#4269d0", "#c98a00", "#e0524a", "#3a9d8f", "#3ca951", "#d15bb0", "#8a63d2", "#7d9ad9", "#9c6b4e", "#7f8490"];
export const groupColour = (index: number): string => groups[index % groups.length]!;

/** 0..1 to a colour between two variables of the theme, mixed by the browser. */
export const heat = (share: number): string =>
    `color-mix(in oklab, var(--heat-high) ${(100 * share).toFixed(1)}%, var(--heat-low))`;

/** The colour of a node among the others: the hottest has the strongest. */
export function heatColour(values: number[] | null): (node: number) => string {
    const hottest = Math.max(0, ...(values ?? []));
    return (node) => heat(values && hottest > 0 ? (values[node] ?? 0) / hottest : 0);
}
