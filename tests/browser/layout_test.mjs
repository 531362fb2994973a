// The page's modules that know no document, against definitions: placing names, scales, sorting, navigation, numbers.
// Argument: the folder in which the page was built.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { after } from "node:test";
import { imported } from "./bundle.mjs";

const [web] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cax-layout-"));
after(() => fs.rmSync(folder, { recursive: true, force: true }));
const page = await imported(web, folder, "labels", "frame", "format", "navigation", "table_rows");

/** The same numbers in every run. */
function numbers(seed) {
    let state = seed;
    return () => ((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648);
}
const meet = (a, b) => Math.max(a.x, b.x) < Math.min(a.x + a.width, b.x + b.width) && Math.max(a.y, b.y) < Math.min(a.y + a.height, b.y + b.height);

test("names never meet, stay on the drawing, and the important ones are there", () => {
    for (let seed = 1; seed <= 40; ++seed) {
        const next = numbers(seed);
        const within = { x: 0, y: 0, width: 600, height: 400 };
        const wanted = Array.from({ length: 10 + 5 * (seed % 20) }, (_, id) => ({ id, x: 20 + 560 * next(), y: 20 + 360 * next(), radius: 3 + 7 * next(), text: String(id), first: id < 3 }));
        const placed = page.placeLabels(wanted, within, 11);
        placed.forEach((a, i) => placed.slice(0, i).forEach((b) => assert.ok(!meet(a, b), `${a.text} and ${b.text}, seed ${seed}`)));
        for (const box of placed) {
            assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 600 && box.y + box.height <= 400);
            if (wanted[box.id].first) continue;
            for (const dot of wanted) assert.ok(dot.id === box.id || !meet(box, { x: dot.x - dot.radius, y: dot.y - dot.radius, width: 2 * dot.radius, height: 2 * dot.radius }));
        }
        for (const id of [0, 1, 2]) assert.ok(placed.some((box) => box.id === id));
    }
});

test("a map keeps angles, fits, and leads back", () => {
    const next = numbers(7);
    for (let k = 0; k < 50; ++k) {
        const points = Array.from({ length: 12 }, () => ({ x: 1000 * next() - 300, y: 50 * next() }));
        const frame = page.fit(page.boundsOf(points), 300 + 600 * next(), 300 + 300 * next(), 20);
        const [a, b] = [frame.toPixels(0, 0), frame.toPixels(1, 1)];
        assert.ok(Math.abs(b.x - a.x + (b.y - a.y)) < 1e-9 && b.x > a.x, "one scale, y upwards");
        for (const p of points) {
            const at = frame.toPixels(p.x, p.y);
            assert.ok(at.x >= 19.9 && at.x <= frame.width - 19.9 && at.y >= 19.9 && at.y <= frame.height - 19.9);
            const back = frame.toInstance(at.x, at.y);
            assert.ok(Math.hypot(back.x - p.x, back.y - p.y) < 1e-9 * 1000);
        }
    }
    assert.deepEqual(page.ticks(0, 82, 8), [0, 20, 40, 60, 80]);
    assert.deepEqual(page.ticks(0.3, 1.1, 5), [0.4, 0.6, 0.8, 1]);
});

test("rows without a value come last, whatever the order", () => {
    const next = numbers(3);
    const rows = Array.from({ length: 30 }, (_, action) => ({ action, allowed: next() < 0.7, spent: false, forbidden_by: null, probability: next(), cost: next() < 0.5 ? null : Math.round(10 * next()), slacks: [] }));
    for (const descending of [false, true]) {
        const sorted = page.sorted(rows, { column: "cost", descending });
        assert.deepEqual([...sorted].sort((a, b) => a.action - b.action), rows, "the same rows");
        const values = sorted.map((row) => row.cost);
        const known = values.filter((value) => value !== null);
        assert.deepEqual(values.slice(0, known.length), known);
        assert.deepEqual(known, [...known].sort((a, b) => (descending ? b - a : a - b)));
    }
});

test("the tightest rule is the one with the least left, and nothing of nothing is none", () => {
    const rule = (name, used, limit) => ({ family: "f", rule: name, used, limit, slack: limit - used });
    assert.equal(page.tightest([rule("wide", 1, 10), rule("narrow", 9, 10), rule("none", 0, 0)]).slack.rule, "narrow");
    assert.equal(page.tightest([rule("none", 0, 0)]), null);
});

test("the next stop is the nearest one in the direction", () => {
    const among = [2, 5, 6, 9];
    for (let place = 0; place <= 10; ++place) {
        assert.equal(page.nextStop(among, place, 1), Math.min(...among.filter((s) => s > place), Infinity) === Infinity ? place : Math.min(...among.filter((s) => s > place)));
        assert.equal(page.nextStop(among, place, -1), among.some((s) => s < place) ? Math.max(...among.filter((s) => s < place)) : place);
    }
});

test("addresses name steps from 1", () => {
    const steps = [{ step: 4 }, { step: 7 }];
    assert.equal(page.placeFromHash({ steps }, "#step=5"), 0);
    assert.equal(page.placeFromHash({ steps }, "#step=8"), 1);
    for (const hash of ["", "#step=1", "#step=", "#step=x", "#5", "#astep=5"]) assert.equal(page.placeFromHash({ steps }, hash), null, hash);
    assert.equal(page.hashOf(steps[0]), "#step=5");
});

test("numbers are written as people read them", () => {
    const { number, near, signed, percent, wholePercent, duration } = page;
    assert.deepEqual([2139.768, 0.3, 12, null, NaN, 1e-7, 123456789.5].map(number), ["2140", "0.3", "12", "–", "–", "1.00e-7", "1.23e+8"]);
    assert.deepEqual([near(-1.2e-6, 40), near(40.0000012, 40), near(1.918208, 2), near(0.0123, 0)], ["0", "40", "1.918", "0.0123"]);
    assert.deepEqual([signed(0.5), signed(-19.541), signed(1e-9, 2000), signed(null)], ["+0.5", "−19.54", "0", "–"]);
    assert.deepEqual([page.compared(0.2513, 7.009), page.compared(-0.06, 3.36), page.compared(1e-9, 7), page.compared(1e-4, 7), page.compared(null, 7)], ["0.251 worse", "0.06 better", "the same", "hardly worse", "–"]);
    assert.deepEqual([percent(0.5012), percent(0.9999), percent(0.0001), percent(0), percent(1), wholePercent(0.843)], ["50.1 %", "over 99.9 %", "under 0.1 %", "0.0 %", "100.0 %", "84 %"]);
    assert.deepEqual([duration(8.9e-5), duration(0.2659), duration(71.27)], ["under 1 ms", "266 ms", "71.3 s"]);
    assert.deepEqual(page.stepsNamed("At step 12, not step 3."), ["At ", { step: 12, text: "step 12" }, ", not ", { step: 3, text: "step 3" }, "."]);
});
