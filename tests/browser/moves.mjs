// Getting around: keys, links, filters, sorting, pointing.
import assert from "node:assert/strict";
import { openPage, whereIs } from "./support.mjs";

/** Numbers of the steps with a choice, counted from 1. */
const decisions = (json) => json.steps.filter((s) => s.runner_up !== null).map((s) => s.step + 1);

export async function moves(t, browser, { html, json }) {
    const { page, noise } = await openPage(browser, html);
    const free = decisions(json);
    const current = () => page.evaluate(() => document.activeElement?.dataset.key ?? "");

    await t.test("it opens at the decision that stands out most", async () => {
        const place = json.plan.costly[0] ?? json.plan.close_calls[0] ?? json.steps.findIndex((s) => s.runner_up !== null);
        assert.equal(await whereIs(page), json.steps[place].step + 1);
    });

    await t.test("arrow keys walk through the decisions, skip forced steps, and the address follows", async () => {
        await page.evaluate((step) => (location.hash = `#step=${step}`), free[0]);
        for (const step of free) {
            assert.equal(await whereIs(page), step);
            assert.equal(new URL(page.url()).hash, `#step=${step}`);
            assert.equal(await page.locator(".column[aria-current]").count(), 1);
            await page.keyboard.press("ArrowRight");
        }
        assert.equal(await whereIs(page), free.at(-1), "stays at the last one");
        await page.keyboard.press("ArrowLeft");
        assert.equal(await whereIs(page), free.at(-2));
        await page.locator("#next").click();
        await page.locator("#previous").click();
        assert.equal(await whereIs(page), free.at(-2));
    });

    await t.test("a deep link opens its step, also a forced one, and nonsense is ignored", async () => {
        const wanted = json.steps.at(-1).step + 1;
        const other = await openPage(browser, html, { hash: `#step=${wanted}` });
        assert.equal(await whereIs(other.page), wanted);
        await other.page.evaluate(() => (location.hash = "#step=99999"));
        await other.page.evaluate(() => (location.hash = "#step=x"));
        assert.equal(await whereIs(other.page), wanted);
        assert.deepEqual(other.noise, []);
        await other.page.close();
    });

    await t.test("filters leave what they name", async () => {
        const named = { close: json.plan.close_calls, costly: [...json.plan.costly, ...json.plan.better_found], fragile: json.plan.fragile_steps };
        for (const [filter, places] of Object.entries(named)) {
            const button = page.locator(`.filter.${filter}`);
            if (places.length === 0) {
                assert.ok(await button.isDisabled());
                continue;
            }
            await button.click();
            assert.equal(await button.getAttribute("aria-pressed"), "true");
            const steps = [...places].sort((a, b) => a - b).map((place) => json.steps[place].step + 1);
            await page.evaluate((step) => (location.hash = `#step=${step}`), steps[0]);
            const walked = [];
            for (const _ of steps) {
                walked.push(await whereIs(page));
                await page.keyboard.press("ArrowRight");
            }
            assert.deepEqual(walked, steps);
        }
        await page.locator(".filter.all").click();
    });

    await t.test("the table sorts by every column, by mouse and by key", async () => {
        const place = json.steps.findIndex((s) => s.alternatives?.filter((a) => a.allowed).length > 2);
        if (place < 0) return;
        await page.evaluate((step) => (location.hash = `#step=${step}`), json.steps[place].step + 1);
        if (await page.locator(".more").count()) await page.locator(".more").click();
        const actions = () => page.locator("#alternatives-table tbody tr").evaluateAll((all) => all.map((row) => Number(row.dataset.action)));
        const columns = await page.locator("button.sort").evaluateAll((all) => all.map((b) => b.dataset.column));
        for (const column of columns) {
            for (let twice = 0; twice < 2; ++twice) {
                await page.locator(`button.sort[data-column="${column}"]`).focus();
                await page.keyboard.press("Enter");
                assert.equal(await current(), `sort-${column}`, "focus stays");
                const order = await page.locator(`th:has(> [data-column="${column}"])`).getAttribute("aria-sort");
                const values = (await actions()).map((a) => json.steps[place].alternatives[a]).filter((a) => column !== "probability" || a.allowed).map((a) => a[column]).filter((v) => v !== null);
                const sign = order === "ascending" ? 1 : -1;
                values.forEach((value, k) => assert.ok(k === 0 || sign * (value - values[k - 1]) >= 0, `${column} ${order}: ${values}`));
            }
        }
        const open = json.steps[place].alternatives.filter((a) => a.allowed || (!a.spent && a.forbidden_by && !a.forbidden_by.by_nature));
        assert.deepEqual((await actions()).sort((a, b) => a - b), open.map((a) => a.action));
    });

    await t.test("pointing at an alternative, by mouse or by key, points at the drawing", async () => {
        const place = json.steps.findIndex((s) => s.alternatives?.some((a) => a.allowed && a.action !== s.action && a.mark?.node !== null && a.mark?.node !== a.mark?.from));
        if (place < 0) return;
        await page.evaluate((step) => (location.hash = `#step=${step}`), json.steps[place].step + 1);
        const { action } = json.steps[place].alternatives.find((a) => a.allowed && a.action !== json.steps[place].action && a.mark.node !== null && a.mark.node !== a.mark.from);
        const row = page.locator(`#alternatives-table tr[data-action="${action}"]`);
        await page.mouse.move(2, 2);
        assert.equal(await page.locator(".previews *").count(), 0);
        await row.hover();
        assert.ok((await page.locator(".previews *").count()) > 0);
        await page.mouse.move(2, 2);
        assert.equal(await page.locator(".previews *").count(), 0);
        await row.locator("button").focus();
        assert.ok((await page.locator(".previews *").count()) > 0);
        await page.evaluate(() => document.activeElement.blur());
    });

    await t.test("with the keyboard alone one reaches everything, and sees where one is", async () => {
        await page.reload();
        await page.keyboard.press("Tab");
        const reached = new Set();
        for (let k = 0; k < 160; ++k) {
            const at = await page.evaluate(() => {
                const e = document.activeElement;
                if (!e || e === document.body) return null;
                const style = getComputedStyle(e);
                return { id: e.id || e.dataset.key || e.tagName, seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0 };
            });
            if (at === null) break;
            assert.ok(at.seen, `no outline around ${at.id}`);
            reached.add(at.id);
            await page.keyboard.press("Tab");
        }
        for (const wanted of ["previous", "next", "filter-all", "heat", "theme", "sort-probability"]) assert.ok(reached.has(wanted), `${wanted} is not reached: ${[...reached]}`);
    });

    await t.test("nothing was fetched and nobody complained", () => assert.deepEqual(noise, []));
    await page.close();
}
