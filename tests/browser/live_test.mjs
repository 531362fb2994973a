// The page as a live one uses it: shown with hooks, dragged, given other records.
// Arguments: the cax binary, the source folder, the folder in which the page was built.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { after } from "node:test";
import { bundled } from "./bundle.mjs";
import { explained, launch } from "./support.mjs";

const [cax, source, web] = process.argv.slice(2);
const browser = await launch();
if (typeof browser === "string") {
    console.log(`skipped: ${browser}`);
    process.exit(77);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cax-live-"));
after(async () => {
    await browser.close();
    fs.rmSync(folder, { recursive: true, force: true });
});
const { script, style } = await bundled(web, `export { showExplanation } from "./page"; import "./theme.css"; import "./style.css"; import "./drawing.css";`);

async function shown(problem, size) {
    const { json } = explained(cax, source, folder, { problem, size });
    const page = await browser.newPage({ viewport: { width: 1400, height: 1100 } });
    const noise = [];
    page.on("pageerror", (error) => noise.push(error.message));
    await page.setContent(`<!doctype html><title>-</title><style>${style}</style><div id="page"></div>`);
    await page.evaluate(script.replace("var cax =", "window.cax ="));
    await page.evaluate((record) => {
        window.seen = { pointers: [], selected: [], steps: [] };
        window.handle = window.cax.showExplanation(document.getElementById("page"), record, {
            head: (slot) => slot.append("in the head"),
            step: (slot, step) => (slot.append(`about ${step.step}`), window.seen.steps.push(step.step)),
            drawing: (slot) => slot.append("above the drawing"),
            pointer: (p) => (window.seen.pointers.push({ type: p.type, node: p.node, part: p.part, x: p.at.x, y: p.at.y }), p.part !== "operation"),
            selected: (step) => window.seen.selected.push(step.step),
        });
    }, json);
    return { page, json, noise };
}
const seen = (page) => page.evaluate(() => window.seen);

test("hooks are called where they say", async () => {
    const { page, json, noise } = await shown("cvrptw", "8");
    assert.equal(await page.locator("#head-slot").innerText(), "in the head");
    assert.ok((await page.locator("#picture").innerText()).includes("above the drawing"));
    const first = (await seen(page)).selected;
    assert.equal(first.length, 1);
    assert.equal(await page.locator("#step-slot").innerText(), `about ${first[0]}`);
    assert.equal(await page.evaluate(() => window.handle.select(0)), true);
    assert.equal(await page.evaluate(() => window.handle.select(999)), false);
    assert.deepEqual((await seen(page)).selected, [first[0], 0]);
    assert.equal(await page.locator("#step-slot").innerText(), "about 0");
    assert.equal(await page.evaluate(() => window.handle.step.words), json.steps[0].words);
    assert.deepEqual(noise, []);
    await page.close();
});

test("a dragged node tells where it is in the instance's units, also while the page is redrawn", async () => {
    const { page, json, noise } = await shown("cvrptw", "8");
    const node = json.scene.nodes.find((n) => !n.depot);
    const place = () => page.locator(`.map .node[data-node="${node.node}"]`).first().evaluate((e) => ((b) => ({ x: b.left + b.width / 2, y: b.top + b.height / 2 }))(e.querySelector("circle").getBoundingClientRect()));
    await page.locator(".drawing .map").scrollIntoViewIfNeeded();
    const from = await page.locator(`.drawing .node[data-node="${node.node}"] circle`).evaluate((e) => ((b) => ({ x: b.left + b.width / 2, y: b.top + b.height / 2 }))(e.getBoundingClientRect()));
    assert.ok(await place());
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.evaluate(() => window.handle.hold(true));
    await page.mouse.move(from.x + 30, from.y - 20);
    const { pointers } = await seen(page);
    assert.equal(pointers[0].type, "down");
    assert.equal(pointers[0].node, node.node);
    assert.equal(pointers[0].part, "place");
    const close = (a, b) => Math.abs(a - b) < 0.01 * (1 + Math.abs(json.scene.nodes[0].x - b) + Math.abs(b));
    assert.ok(close(pointers[0].x, node.x) && close(pointers[0].y, node.y), JSON.stringify([pointers[0], node]));
    const moved = pointers.at(-1);
    assert.ok(moved.x > node.x && moved.y > node.y, "right and up");
    // The record in which it lies there puts it under the hand.
    await page.evaluate(([k, at]) => {
        const next = structuredClone(window.handle.record);
        Object.assign(next.scene.nodes[k], { x: at.x, y: at.y });
        window.handle.update(next);
    }, [node.node, moved]);
    const now = await page.locator(`.drawing .node[data-node="${node.node}"] circle`).evaluate((e) => ((b) => ({ x: b.left + b.width / 2, y: b.top + b.height / 2 }))(e.getBoundingClientRect()));
    assert.ok(Math.hypot(now.x - from.x - 30, now.y - from.y + 20) < 1.5, JSON.stringify([from, now]));
    await page.mouse.move(from.x + 40, from.y - 20);
    await page.mouse.up();
    await page.evaluate(() => window.handle.hold(false));
    const after = (await seen(page)).pointers;
    assert.deepEqual([after.at(-2).type, after.at(-1).type], ["move", "up"]);
    assert.ok(after.every((p) => p.node === node.node));
    assert.deepEqual(noise, []);
    await page.close();
});

test("the end of a time window and a bar of a schedule can be taken", async () => {
    const { page, json } = await shown("cvrptw", "8");
    const handle = page.locator('.drawing [data-part="window-end"]').first();
    const node = Number(await handle.getAttribute("data-node"));
    await handle.scrollIntoViewIfNeeded();
    const box = await handle.boundingBox();
    await page.mouse.move(box.x + 4, box.y + 5);
    await page.mouse.down();
    await page.mouse.up();
    const [down] = (await seen(page)).pointers;
    assert.equal(down.part, "window-end");
    const [opens, closes] = json.scene.nodes[node].window;
    assert.ok(Math.abs(down.x - closes) < 0.05 * (closes - opens) + 3, `${down.x} at ${closes}`);
    await page.close();

    const shop = await shown("fjsp", "4x3");
    await shop.page.evaluate(() => window.handle.select(window.handle.record.steps.at(-1).step));
    const bar = shop.page.locator(".drawing .job.done").first();
    await bar.scrollIntoViewIfNeeded();
    const rect = await bar.locator("rect").boundingBox();
    await shop.page.mouse.move(rect.x + rect.width - 1, rect.y + 5);
    await shop.page.mouse.down();
    await shop.page.mouse.up();
    const taken = (await seen(shop.page)).pointers[0];
    assert.equal(taken.part, "bar");
    assert.ok(Math.abs(taken.x - Number(await bar.getAttribute("data-x"))) < 1);
    assert.equal(taken.y, Number(await bar.getAttribute("data-y")));
    await shop.page.close();
});

test("another record keeps step, scroll position, focus and what is open", async () => {
    const { page, json, noise } = await shown("cvrptw", "8");
    await page.evaluate(() => window.handle.select(3));
    await page.locator("#researchers > summary").click();
    await page.locator('[data-key="sort-probability"]').focus();
    await page.evaluate(() => window.scrollTo(0, 500));
    const before = await page.evaluate(() => window.scrollY);
    await page.evaluate((last) => {
        const next = structuredClone(window.handle.record);
        next.solution.cost = 12345;
        next.steps.splice(last, 1);
        window.handle.update(next);
    }, json.steps.length - 1);
    assert.equal(await page.locator('#figures data[data-path="/solution/cost"]').innerText(), "12345");
    assert.equal(await page.locator(".column").count(), json.steps.length - 1);
    const now = await page.evaluate(() => ({ step: window.handle.step.step, scroll: window.scrollY, key: document.activeElement.dataset.key, open: document.getElementById("researchers").open }));
    assert.deepEqual(now, { step: 3, scroll: before, key: "sort-probability", open: true });
    // Fewer parts, as while something is dragged: nothing is asked but the plan and its probabilities.
    await page.evaluate(() => {
        const next = structuredClone(window.handle.record);
        for (const step of next.steps) for (const part of ["attribution", "counterfactual", "subset", "swap", "sensitivity", "forbidden", "alternatives", "price", "thumb"]) step[part] = null;
        Object.assign(next, { plan: null, best_known: null, thumb: null, story: [] });
        window.handle.update(next);
    });
    assert.equal(await page.evaluate(() => window.handle.step.step), 3);
    assert.deepEqual(noise, []);
    await page.close();
});
