// Who draws what: one drawer per kind of scene. A further kind needs a file of its own, a line in `drawers`, and its
// shape in types.ts.
import type { Bounds, Point } from "../frame";
import type { Windows } from "../store";
import type { Mark, Scene } from "../types";
import type { Picture, PlanPicture } from "./picture";
import { packing } from "./packing";
import { routes } from "./routes";
import { schedule } from "./schedule";

export interface Space {
    width: number;
    height: number; // at most; of the main picture
    windows: Windows;
    hold: Bounds | null; // keep to these, though the scene may have grown: while something is dragged
}

/** A drawing on the page. Elements that stand for a node have `data-node`, and where it applies `data-part`. */
export interface Drawn {
    nodes: Node[];
    bounds: Bounds;
    legend: [string, string][];
    /** Points at where an action would lead; null = no more. */
    preview(mark: Mark | null): void;
    /** The instance's units at a point of the window: places of a map, time and machine of a schedule, time of a window, what an item takes. */
    toInstance(clientX: number, clientY: number, part?: string): Point | null;
}

export interface Drawer<S extends Scene> {
    moment(scene: S, picture: Picture, space: Space): Drawn;
    /** A finished plan, small. */
    plan(scene: S, picture: PlanPicture, width: number): SVGElement;
}

const drawers: { [K in Scene["kind"]]: Drawer<Extract<Scene, { kind: K }>> } = { routes, schedule, packing };

const drawerOf = (scene: Scene): Drawer<Scene> => drawers[scene.kind] as unknown as Drawer<Scene>;

export const drawMoment = (picture: Picture, space: Space): Drawn => drawerOf(picture.scene).moment(picture.scene, picture, space);
export const drawPlan = (picture: PlanPicture, width: number): SVGElement => drawerOf(picture.scene).plan(picture.scene, picture, width);
