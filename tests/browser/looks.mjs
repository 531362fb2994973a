// How a report looks: no name over another, small screens, dark, paper, and what a screen reader is told.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";
import { openPage } from "./support.mjs";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Pairs of names on drawings whose boxes meet. */
const collisions = (page) =>
    page.evaluate(() => {
        const found = [];
        for (const drawing of document.querySelectorAll("svg")) {
            const texts = [...drawing.querySelectorAll("text")].map((e) => ({ text: e.textContent, box: e.getBoundingClientRect() })).filter((t) => t.box.width > 0);
            for (let i = 0; i < texts.length; ++i) {
                for (let k = 0; k < i; ++k) {
                    const [a, b] = [texts[i].box, texts[k].box];
                    // Boxes hold the line's full height; letters fill its middle.
                    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) - 0.25 * Math.min(a.height, b.height);
                    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && high > 0) found.push(`${texts[k].text} and ${texts[i].text} in ${drawing.getAttribute("aria-label")}`);
                }
            }
        }
        return found;
    });

async function violations(page) {
    await page.evaluate(axe); // as the page's own policy forbids script elements
    const { violations: all } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
    return all.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`);
}

const sizes = { wide: { width: 1440, height: 900 }, middle: { width: 1024, height: 768 }, phone: { width: 390, height: 844 } };

/** `thorough`: at all sizes and with axe; a second problem that is drawn in the same way needs less. */
export async function looks(t, browser, { html, json }, folder, thorough) {
    const some = [...new Set([0, json.plan.close_calls[0], json.plan.costly[0], json.steps.findIndex((s) => s.counterfactual?.scene), json.steps.length - 1])].filter((place) => place >= 0 && place !== undefined);

    for (const [name, viewport] of Object.entries(sizes).filter(([name]) => thorough || name === "phone")) {
        await t.test(`${name}: no name hides another, nothing is wider than the window`, async () => {
            const { page, noise } = await openPage(browser, html, { viewport, hasTouch: name === "phone" });
            for (const place of some) {
                await page.evaluate((hash) => (location.hash = hash), `#step=${json.steps[place].step + 1}`);
                for (const layer of await page.locator("[data-layer]").evaluateAll((all) => all.map((b) => b.dataset.layer))) {
                    await page.locator(`[data-layer="${layer}"]`).evaluate((b) => b.click());
                    assert.deepEqual(await collisions(page), [], `step ${json.steps[place].step + 1}, ${layer}`);
                    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "wider than the window");
                }
            }
            if (name === "phone") {
                const top = (selector) => page.locator(selector).evaluate((e) => e.getBoundingClientRect().top + window.scrollY);
                assert.ok((await top("#story")) < 844, "the story begins on the first screen");
                assert.ok((await top("#lines")) < (await top(".drawing")), "words come before the map");
                const small = await page.locator(".column, .go").evaluateAll((all) => all.filter((e) => e.getBoundingClientRect().width < 24).length);
                assert.equal(small, 0, "too small for a thumb");
            }
            assert.deepEqual(noise, []);
            await page.close();
        });
    }

    for (const colorScheme of thorough ? ["light", "dark"] : []) {
        await t.test(`${colorScheme}: axe finds nothing serious`, async () => {
            const { page } = await openPage(browser, html, { colorScheme });
            await page.locator("#how > summary").click();
            await page.locator("#researchers > summary").click();
            assert.deepEqual(await violations(page), []);
            const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
            const before = await background();
            await page.locator("#theme").click();
            assert.notEqual(await background(), before);
            await page.close();
        });
    }

    await t.test("paper has the story and every close call, in colour, also from a dark screen", async () => {
        const { page } = await openPage(browser, html, { colorScheme: "dark" });
        const file = path.join(folder, "printed.pdf");
        await page.pdf({ path: file, format: "A4" });
        const text = execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" }).replace(/\s+/g, " ");
        const first = execFileSync("pdftotext", ["-l", "1", file, "-"], { encoding: "utf8" }).replace(/\s+/g, " ");
        assert.ok(first.includes(json.story[0].text.slice(0, 30)), "the story is on the first page");
        for (const place of json.plan.close_calls) assert.ok(text.includes(`Step ${json.steps[place].step + 1}: `), `step ${json.steps[place].step + 1} is missing`);
        execFileSync("pdftoppm", ["-r", "20", file, path.join(folder, "printed")]);
        const pages = fs.readdirSync(folder).filter((f) => /^printed-.*\.ppm$/.test(f));
        for (const each of pages) {
            const { coloured, dark, all } = pixels(fs.readFileSync(path.join(folder, each)));
            assert.ok(coloured > all / 2000, `${each} has no colours`);
            assert.ok(dark < all / 4, `${each} is dark`);
            assert.ok(dark > all / 500, `${each} is empty`);
            fs.rmSync(path.join(folder, each));
        }
        assert.equal(await page.locator("#printed > *").count(), 0, "the screen is as before");
        await page.close();
    });
}

/** How many pixels of a binary PPM have a colour, and how many are not white. */
function pixels(file) {
    const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(file.subarray(0, 40).toString("latin1"));
    const data = file.subarray(header[0].length);
    let [coloured, dark] = [0, 0];
    for (let k = 0; k + 2 < data.length; k += 3) {
        const [low, high] = [Math.min(data[k], data[k + 1], data[k + 2]), Math.max(data[k], data[k + 1], data[k + 2])];
        if (high - low > 40) ++coloured;
        if (high < 200) ++dark;
    }
    return { coloured, dark, all: data.length / 3 };
}
