// Where names stand on a drawing so that none hides another. Nothing here knows the document.

import type { Point } from "./frame";

export interface Box {
    x: number;
    y: number;
    width: number;
    height: number;
}
export interface Named {
    id: number;
    x: number; // of the dot
    y: number;
    radius: number;
    text: string;
    first: boolean; // placed before the others, and rather over a dot than not at all
}
export interface Placed extends Box {
    id: number;
    text: string;
}

export function overlap(a: Box, b: Box): boolean {
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Generous: no usual font is wider. */
export const textWidth = (text: string, fontSize: number): number => text.length * fontSize * 0.66 + 2;

const inside = (box: Box, within: Box): boolean => box.x >= within.x && box.y >= within.y && box.x + box.width <= within.x + within.width && box.y + box.height <= within.y + within.height;

/** Boxes around a dot where its name may stand, the most natural first. */
function candidates(named: Named, fontSize: number): Box[] {
    const width = textWidth(named.text, fontSize);
    const height = fontSize * 1.25;
    return [2, 7].flatMap((gap) => {
        const far = named.radius + gap;
        const slant = far * 0.72;
        const at = (cx: number, cy: number): Box => ({ x: named.x + cx - width / 2, y: named.y + cy - height / 2, width, height });
        return [
            at(far + width / 2, 0),
            at(slant + width / 2, -slant - height / 2),
            at(0, -far - height / 2),
            at(0, far + height / 2),
            at(-far - width / 2, 0),
            at(slant + width / 2, slant + height / 2),
            at(-slant - width / 2, -slant - height / 2),
            at(-slant - width / 2, slant + height / 2),
        ];
    });
}

/** Small boxes along a line, for names to keep off it. */
export function along(from: Point, to: Point): Box[] {
    const count = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 6);
    return Array.from({ length: count + 1 }, (_, k) => ({ x: from.x + ((to.x - from.x) * k) / Math.max(1, count) - 2, y: from.y + ((to.y - from.y) * k) / Math.max(1, count) - 2, width: 4, height: 4 }));
}

/**
 * Names keep off each other and off dots, and where they can off what is marked (`marks`). Those that find no place are
 * left out (the drawing tells them when pointed at).
 */
export function placeLabels(wanted: Named[], within: Box, fontSize: number, marks: Box[] = []): Placed[] {
    const dots = wanted.map((n) => ({ id: n.id, x: n.x - n.radius, y: n.y - n.radius, width: 2 * n.radius, height: 2 * n.radius }));
    const placed: Placed[] = [];
    for (const named of [...wanted].sort((a, b) => Number(b.first) - Number(a.first))) {
        const free = candidates(named, fontSize).filter((box) => inside(box, within) && !placed.some((other) => overlap(box, other)));
        const clear = free.filter((box) => !dots.some((dot) => dot.id !== named.id && overlap(box, dot)));
        const unmarked = clear.find((box) => !marks.some((mark) => overlap(box, mark)));
        const box = unmarked ?? clear[0] ?? (named.first ? free[0] : undefined);
        if (box) placed.push({ ...box, id: named.id, text: named.text });
    }
    return placed;
}
