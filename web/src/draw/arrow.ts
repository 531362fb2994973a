// Lines between dots, with a head, that stop short of what they point at.
import { svg } from "../dom";
import type { Point } from "../frame";

export interface End extends Point {
    radius: number;
}

export function arrow(kind: string, from: End, to: End): SVGGElement {
    const dx = to.x - from.x;
    const dy = to.y - from.y;
    const length = Math.hypot(dx, dy);
    const room = length - from.radius - to.radius - 4;
    if (room <= 4) return svg("g", { class: `arrow ${kind}` });
    const [ux, uy] = [dx / length, dy / length];
    const head = Math.min(11, room);
    const tip = { x: to.x - ux * (to.radius + 3), y: to.y - uy * (to.radius + 3) };
    const neck = { x: tip.x - ux * head, y: tip.y - uy * head };
    const start = { x: from.x + ux * (from.radius + 1), y: from.y + uy * (from.radius + 1) };
    const wing = head * 0.48;
    const points = [tip, { x: neck.x - uy * wing, y: neck.y + ux * wing }, { x: neck.x + uy * wing, y: neck.y - ux * wing }];
    return svg("g", { class: `arrow ${kind}` },
        svg("line", { x1: start.x, y1: start.y, x2: neck.x, y2: neck.y }),
        svg("polygon", { points: points.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ") }));
}
