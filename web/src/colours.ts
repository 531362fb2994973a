// Colours that people with colour-blindness tell apart; their values for light, dark and paper are in the style sheet.

/** Jobs or routes: as many as needed, repeated after eight. */
export const groupColour = (index: number): string => `var(--group-${index % 8})`;
/** The same, mixed with the ground so that dark and light text can be read on it. */
export const groupTint = (index: number): string => `color-mix(in oklab, var(--group-${index % 8}) 38%, var(--panel))`;

/** 0..1 to a colour between two variables of the theme, mixed by the browser. */
export const heat = (share: number): string => `color-mix(in oklab, var(--heat-high) ${(100 * share).toFixed(1)}%, var(--heat-low))`;

/** The colour of a node among the others: the hottest has the strongest. */
export function heatColour(values: number[] | null): (node: number) => string {
    const hottest = Math.max(0, ...(values ?? []));
    return (node) => heat(values && hottest > 0 ? (values[node] ?? 0) / hottest : 0);
}
