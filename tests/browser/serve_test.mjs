// `cax serve` in Chromium: real hands on a live page. Arguments: the cax binary, the source folder.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { after } from "node:test";
import { outOfPlace, violations } from "./places.mjs";
import { launch, policyFor, reads } from "./support.mjs";

const [cax, source, pictures] = process.argv.slice(2);
const skipped = 77;
const browser = await launch();
if (typeof browser === "string") {
    console.log(`skipped: ${browser}`);
    process.exit(skipped);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cax-serve-"));
const servers = [];
after(async () => {
    await browser.close();
    for (const server of servers) server.kill("SIGINT");
    fs.rmSync(folder, { recursive: true, force: true });
});

const quick = ["--parts", "swap,sensitivity,forbidden,alternatives,thumb"];

/** `cax serve` of one generated instance: its address. */
async function serve(problem, size) {
    const instance = path.join(folder, `${problem}.json`);
    execFileSync(cax, ["generate", problem, "--size", size, "--count", "1", "--seed", "7", "-o", instance]);
    const server = spawn(cax, ["serve", policyFor(source, problem), instance, "--port", "0", ...quick], { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, CAX_CACHE: folder } });
    servers.push(server);
    let line = "";
    for await (const chunk of server.stdout) {
        line += chunk;
        if (line.includes("\n")) break;
    }
    return { address: line.trim(), server };
}

/** A page of it; `noise` is what the browser complains about and whatever it asks of others. */
async function look(address, options = {}) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1000 }, colorScheme: "light", acceptDownloads: true, ...options });
    const noise = [];
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) noise.push(message.text());
    });
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("request", (request) => {
        if (!request.url().startsWith(address) && !request.url().startsWith("blob:")) noise.push(`asked for ${request.url()}`);
    });
    const response = await page.goto(address);
    assert.equal(response.status(), 200);
    assert.equal(response.request().redirectedFrom(), null);
    await page.locator(".bench").waitFor();
    return { page, noise };
}

/** What the step needs to be explained is there. */
const explained = (page) => page.locator("#swap svg, #swap table, #swap .bars, #swap p:not(.quiet)").first().waitFor({ timeout: 60_000 });
const answerOf = (page, kind) => page.waitForResponse((r) => r.url().endsWith(`/api/${kind}`), { timeout: 60_000 }).then((r) => r.json());
/** Nothing is drawn over its middle. */
const onTop = (page, selector) =>
    page.locator(selector).evaluate((element) => {
        element.style.pointerEvents = "auto"; // so that the browser finds it
        const box = element.getBoundingClientRect();
        const found = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => document.elementFromPoint(box.x + part * box.width, box.y + box.height / 2));
        element.style.pointerEvents = "";
        return found.every((each) => element.contains(each));
    });
const news = (page) => page.locator("#live-news").innerText();

/** A real mouse, from the middle of an element by so many pixels. */
async function drag(page, locator, dx, dy) {
    let box = null; // an answer may draw the picture anew while we look
    for (let tries = 0; !box && tries < 20; ++tries) {
        await locator.evaluate((element) => element.scrollIntoView({ block: "center" }));
        box = await locator.boundingBox();
    }
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let k = 1; k <= 8; ++k) await page.mouse.move(x + (dx * k) / 8, y + (dy * k) / 8);
    const kept = answerOf(page, "edit");
    await page.mouse.up();
    return kept;
}

async function picture(page, name) {
    if (pictures) await page.screenshot({ path: path.join(pictures, `serve-${name}.png`) });
}

test("customers and time windows", async (t) => {
    const { address, server } = await serve("cvrptw", "20");
    const { page, noise } = await look(address);
    const first = JSON.parse(JSON.stringify(await page.evaluate(() => document.title)));
    assert.ok(first.length > 0);
    const place = (node) => page.locator(`#picture svg.map g.node[data-node="${node}"]`);
    const cost = () => page.locator(".live-cost").innerText();

    await t.test("the decision is explained when the hand rests", async () => {
        await explained(page);
        assert.ok((await page.locator("#alternatives-table tbody tr").count()) > 1);
        await picture(page, "open");
    });

    await t.test("a drag flips a decision, and the page shows it", async () => {
        const before = await cost();
        let flipped = null;
        for (const node of [5, 9, 12, 3, 17]) {
            const box = await page.locator("#picture svg.map").boundingBox();
            const own = await place(node).boundingBox();
            const [dx, dy] = [box.x + box.width / 2 - own.x, box.y + box.height / 2 - own.y];
            const answer = await drag(page, place(node), dx, dy);
            if (answer.status !== "ok") continue;
            const said = await news(page);
            if (!said.includes("The plan changes from step")) continue;
            flipped = answer;
            const step = Number(said.match(/step (\d+)/)[1]);
            assert.ok(said.includes(answer.record.steps[step - 1].words), said);
            const { x, y } = answer.record.scene.nodes[node];
            const dot = await place(node).evaluate((g) => [Number(g.dataset.x), Number(g.dataset.y)]);
            assert.deepEqual(dot, [x, y]);
            break;
        }
        assert.ok(flipped, "no drag changed the plan");
        assert.notEqual(await cost(), before);
        assert.ok(reads((await cost()).split(" ")[1], flipped.record.solution.cost));
        assert.ok((await page.locator(".live-changes").innerText()).includes("lay at x ="));
        await picture(page, "dragged");
    });

    await t.test("undo and redo", async () => {
        const moved = await cost();
        let kept = answerOf(page, "undo");
        await page.locator("#undo").click();
        assert.deepEqual((await kept).live.changes, []);
        await page.waitForFunction(() => document.querySelector(".live-changes") === null);
        kept = answerOf(page, "redo");
        await page.locator("#redo").click();
        await kept;
        await page.waitForFunction((was) => document.querySelector(".live-cost").innerText === was, moved);
    });

    await t.test("what cannot be says why and snaps back", async () => {
        await page.locator("#windows").selectOption("all");
        const handle = page.locator('#picture [data-part="window-end"]').last();
        const node = await handle.getAttribute("data-node");
        const width = async () => (await page.locator(`#picture g.window[data-node="${node}"] rect.open`).boundingBox()).width;
        const before = await width();
        const answer = await drag(page, handle, -2000, 0);
        assert.equal(answer.status, "refused");
        const said = await news(page);
        assert.ok(said.startsWith("That cannot be: ") && said.includes("closes"), said);
        await page.waitForFunction(() => document.querySelector("#live-news").classList.contains("alarm"));
        assert.ok(Math.abs((await width()) - before) < 1.5, "it did not snap back");
        await picture(page, "refused");
    });

    await t.test("numbers have sliders, and the keyboard moves them", async () => {
        await place(7).click();
        const demand = page.getByRole("slider", { name: "Demand" });
        await demand.waitFor();
        const kept = answerOf(page, "edit");
        await demand.focus();
        await page.keyboard.press("ArrowRight");
        const answer = await kept;
        assert.equal(answer.status, "ok", answer.words);
        assert.ok(answer.live.changes.some((words) => words.includes("customer 7's demand")), answer.live.changes.join());
        await page.locator(".slider-row.changed").getByText(/^was /).waitFor();
        await picture(page, "numbers");
    });

    await t.test("insisting on a decision", async () => {
        await page.locator("#insist-on").waitFor();
        const action = await page.locator("#insist-on").inputValue();
        const words = await page.locator("#insist-on option").first().innerText();
        const kept = answerOf(page, "lock");
        // An explanation that was asked for before may still be on its way.
        const compared = page.waitForResponse(async (r) => r.url().endsWith("/api/explain") && (await r.json()).live?.locks.length > 0, { timeout: 60_000 }).then((r) => r.json());
        await page.locator("#insist").click();
        const locked = await kept;
        assert.equal(locked.status, "ok", locked.words);
        const { step } = locked.live.locks[0];
        assert.equal(locked.record.solution.actions[step], Number(action));
        assert.ok(words.startsWith(locked.live.locks[0].words));
        await page.getByText("You insist on this.").waitFor();
        const { comparison } = (await compared).live.locks[0];
        await page.locator(".comparison td").first().waitFor({ timeout: 60_000 });
        const costs = await page.locator(".comparison td data").allInnerTexts();
        const expected = [comparison.insisted.policy_cost, comparison.insisted.cost, comparison.own.policy_cost, comparison.own.cost];
        expected.forEach((value, k) => assert.ok(reads(costs[k], value), `${costs[k]} for ${value}`));
        await picture(page, "insisted");
        const freed = answerOf(page, "unlock");
        await page.locator('[data-key="unlock"]').click();
        assert.deepEqual((await freed).live.locks, []);
    });

    await t.test("start afresh, and back", async () => {
        const moved = await cost();
        let kept = answerOf(page, "reset");
        await page.locator("#reset").click();
        assert.deepEqual((await kept).live.changes, []);
        await page.waitForFunction(() => document.querySelector(".live-changes") === null && document.querySelector("#reset").disabled);
        kept = answerOf(page, "undo");
        await page.locator("#undo").click();
        await kept;
        await page.waitForFunction((was) => document.querySelector(".live-cost").innerText === was, moved);
    });

    await t.test("a stale answer is dropped", async () => {
        let held = 0;
        await page.route("**/api/look", async (route) => {
            const response = await route.fetch();
            if (held++ === 0) await new Promise((done) => setTimeout(done, 1500));
            await route.fulfill({ response });
        });
        await page.evaluate(() => document.activeElement?.blur());
        await page.keyboard.press("ArrowRight");
        await page.waitForTimeout(100);
        await page.keyboard.press("ArrowRight");
        await page.locator("#alternatives-table").waitFor();
        const where = await page.locator("#where").innerText();
        await page.waitForTimeout(2000);
        assert.ok(held >= 2);
        assert.equal(await page.locator("#where").innerText(), where);
        assert.equal(await page.locator("#alternatives-table").count(), 1, "the older answer has taken its place");
        await page.unroute("**/api/look");
    });

    await t.test("it is saved as an instance that every command reads", async () => {
        const download = page.waitForEvent("download");
        await page.locator("#save-instance").click();
        const file = path.join(folder, "saved.json");
        await (await download).saveAs(file);
        execFileSync(cax, ["solve", policyFor(source, "cvrptw"), file, "--json", path.join(folder, "solved.json")]);
        const solved = JSON.parse(fs.readFileSync(path.join(folder, "solved.json"), "utf8"));
        assert.ok(reads((await cost()).split(" ")[1], solved.instances[0].cost));
        const paper = page.waitForEvent("download");
        await page.locator("#save-page").click();
        const html = path.join(folder, "saved.html");
        await (await paper).saveAs(html);
        assert.ok(fs.readFileSync(html, "utf8").includes("What if: "));
    });

    await t.test("another browser has a session of its own", async () => {
        const other = await look(address);
        assert.equal(await other.page.locator(".live-changes").count(), 0);
        assert.deepEqual(other.noise, []);
        await other.page.close();
        assert.ok((await page.locator(".live-changes").count()) > 0);
    });

    await t.test("nothing else was asked for and nobody complained", () => assert.deepEqual(noise, []));
    await page.close();
    await t.test("it ends when it is told", async () => {
        const ended = new Promise((done) => server.on("exit", done));
        server.kill("SIGINT");
        assert.equal(await ended, 0);
    });
});

test("processing times", async (t) => {
    const { address } = await serve("fjsp", "4x3");
    const { page, noise } = await look(address);
    await t.test("a bar is dragged to another length", async () => {
        const bar = page.locator('#picture svg.gantt g.job.chosen[data-part="bar"]').first();
        await bar.waitFor();
        const answer = await drag(page, bar, 60, 0);
        assert.equal(answer.status, "ok", answer.words);
        assert.equal(answer.live.changes.length, 1);
        await picture(page, "schedule");
    });
    assert.deepEqual(noise, []);
    await page.close();
});

test("items of a knapsack", { skip: !policyFor(source, "knapsack") }, async (t) => {
    const { address } = await serve("knapsack", "12");
    const { page, noise } = await look(address);
    await t.test("an item is dragged to another weight and volume", async () => {
        const item = page.locator("#picture svg.map g.node:has(circle.open)").first();
        await item.waitFor();
        const answer = await drag(page, item, 30, -20);
        assert.equal(answer.status, "ok", answer.words);
        assert.equal(answer.live.changes.length, 2);
        await picture(page, "packing");
    });
    assert.deepEqual(noise, []);
    await page.close();
});

test("every screen, light and dark, with everything open: all in its place, and axe finds nothing serious", async (t) => {
    const { address } = await serve("cvrptw", "20");
    for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
        for (const colorScheme of ["light", "dark"]) {
            await t.test(`${viewport.width} wide, ${colorScheme}`, async () => {
                const { page, noise } = await look(address, { viewport, colorScheme, hasTouch: viewport.width < 600 });
                await explained(page);
                assert.deepEqual(await violations(page), []);
                assert.deepEqual(await outOfPlace(page), []);
                await page.locator("#insist").click();
                await page.locator(".comparison td").first().waitFor({ timeout: 60_000 });
                await page.locator('#picture g.node[data-node="7"]').click();
                const closes = page.getByRole("spinbutton", { name: "window closes" });
                await closes.fill("1");
                await closes.press("Enter");
                await page.locator("#live-news.alarm").waitFor();
                assert.ok((await news(page)).startsWith("That cannot be: customer 7"), await news(page));
                assert.ok(await onTop(page, "#live-news"), "something is drawn over the message");
                assert.deepEqual(await violations(page), []);
                assert.deepEqual(await outOfPlace(page), []);
                await picture(page, `everything-${viewport.width}-${colorScheme}`);
                assert.deepEqual(noise, []);
                await page.close();
            });
        }
    }
});

test("on a telephone", async () => {
    const { address } = await serve("op", "20");
    const { page, noise } = await look(address, { viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true });
    await page.locator("#alternatives-table").waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "wider than the window");
    await page.locator('#picture g.node[data-node="4"]').click();
    await page.getByRole("slider", { name: "Prize" }).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "wider than the window");
    await picture(page, "telephone");
    assert.deepEqual(noise, []);
    await page.close();
});
