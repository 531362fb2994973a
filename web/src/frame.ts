// From an instance's units to pixels and back. Nothing here knows the document.

export interface Point {
    x: number;
    y: number;
}
export interface Bounds {
    left: number;
    right: number;
    bottom: number;
    top: number;
}
export interface Frame {
    width: number;
    height: number;
    bounds: Bounds;
    toPixels(x: number, y: number): Point;
    toInstance(px: number, py: number): Point;
}

export function boundsOf(points: Point[]): Bounds {
    const xs = points.map((p) => p.x);
    const ys = points.map((p) => p.y);
    return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
}

/** The same length in both directions; as large as width and height allow; y grows upwards. */
export function fit(bounds: Bounds, width: number, mostHeight: number, margin: number): Frame {
    const wide = Math.max(bounds.right - bounds.left, 1e-9);
    const high = Math.max(bounds.top - bounds.bottom, 1e-9);
    const scale = Math.min((width - 2 * margin) / wide, (mostHeight - 2 * margin) / high);
    const height = Math.max(140, high * scale + 2 * margin);
    const x0 = (width - wide * scale) / 2;
    const y0 = (height - high * scale) / 2;
    return {
        width,
        height,
        bounds,
        toPixels: (x, y) => ({ x: x0 + (x - bounds.left) * scale, y: y0 + (bounds.top - y) * scale }),
        toInstance: (px, py) => ({ x: bounds.left + (px - x0) / scale, y: bounds.top - (py - y0) / scale }),
    };
}

/** Numbers at round distances from `low` to `high`, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
    const raw = (high - low) / Math.max(1, count);
    if (!(raw > 0)) return [low];
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw)!;
    const first = Math.ceil(low / step - 1e-9);
    return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}
