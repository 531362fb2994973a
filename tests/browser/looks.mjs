// How a report looks: no name over another, small screens, dark, paper, and what a screen reader is told.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { outOfPlace, violations } from "./places.mjs";
import { openPage } from "./support.mjs";

const sizes = { large: { width: 1920, height: 1080 }, wide: { width: 1440, height: 900 }, middle: { width: 1024, height: 768 }, phone: { width: 390, height: 844 } };

/** `thorough`: with axe in every way; a second problem that is drawn in the same way is asked it once, in the dark. */
export async function looks(t, browser, { html, json }, folder, thorough) {
    const some = [...new Set([0, json.plan.close_calls[0], json.plan.costly[0], json.steps.findIndex((s) => s.counterfactual?.scene), json.steps.length - 1])].filter((place) => place >= 0 && place !== undefined);

    for (const [name, viewport] of Object.entries(sizes)) {
        await t.test(`${name}: everything is in its place`, async () => {
            const { page, noise } = await openPage(browser, html, { viewport, hasTouch: name === "phone" });
            for (const place of some) {
                await page.evaluate((hash) => (location.hash = hash), `#step=${json.steps[place].step + 1}`);
                for (const layer of await page.locator("[data-layer]").evaluateAll((all) => all.map((b) => b.dataset.layer))) {
                    await page.locator(`[data-layer="${layer}"]`).evaluate((b) => b.click());
                    assert.deepEqual(await outOfPlace(page), [], `step ${json.steps[place].step + 1}, ${layer}`);
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

    for (const [name, colorScheme] of [["wide", "dark"], ...(thorough ? [["wide", "light"], ["phone", "light"], ["phone", "dark"]] : [])]) {
        await t.test(`${name}, ${colorScheme}: axe finds nothing serious`, async () => {
            const { page } = await openPage(browser, html, { colorScheme, viewport: sizes[name], hasTouch: name === "phone" });
            await page.locator("#how > summary").click();
            await page.locator("#researchers > summary").click();
            assert.deepEqual(await violations(page), []);
            assert.deepEqual(await outOfPlace(page), []);
            const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
            const before = await background();
            await page.locator("#theme").click();
            assert.notEqual(await background(), before);
            await page.close();
        });
    }

    await t.test("paper has the story, every close call and the dearest decisions, in colour, also from a dark screen", async () => {
        const { page } = await openPage(browser, html, { colorScheme: "dark" });
        const file = path.join(folder, "printed.pdf");
        await page.pdf({ path: file, format: "A4" });
        const text = execFileSync("pdftotext", ["-layout", file, "-"], { encoding: "utf8" }).replace(/\s+/g, " ");
        const first = execFileSync("pdftotext", ["-l", "1", file, "-"], { encoding: "utf8" }).replace(/\s+/g, " ");
        assert.ok(first.includes(json.story[0].text.slice(0, 30)), "the story is on the first page");
        for (const place of [...json.plan.close_calls, ...json.plan.costly.slice(0, 1)]) assert.ok(text.includes(`Step ${json.steps[place].step + 1}: `), `step ${json.steps[place].step + 1} is missing`);
        execFileSync("pdftoppm", ["-r", "20", file, path.join(folder, "printed")]);
        const pages = fs.readdirSync(folder).filter((f) => /^printed-.*\.ppm$/.test(f));
        for (const each of pages) {
            const { coloured, dark, all } = pixels(fs.readFileSync(path.join(folder, each)));
            assert.ok(coloured > all / 2000, `${each} has no colours`);
            assert.ok(dark < all / 4, `${each} is dark`);
            assert.ok(dark > all / 200, `${each} is as good as empty`);
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
