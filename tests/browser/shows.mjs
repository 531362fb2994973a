// What a report shows is what its JSON says.
import assert from "node:assert/strict";
import { comparedNumbers, openPage, openResearchers, pointer, reads } from "./support.mjs";

const flat = (text) => text.replace(/\s+/g, " ").trim();

export async function shows(t, browser, { html, json }) {
    const { page, noise } = await openPage(browser, html, { hash: "#step=1" });
    const goTo = (place) => page.evaluate((hash) => (location.hash = hash), `#step=${json.steps[place].step + 1}`);

    await t.test("the top has the figures and the story", async () => {
        const text = await page.locator("#page").innerText();
        assert.ok(text.toLowerCase().includes(json.problem.title.toLowerCase()));
        assert.ok(reads(await page.locator('#figures data[data-path="/solution/cost"]').innerText(), json.solution.cost));
        assert.ok((await page.title()).includes(json.problem.title));
        assert.deepEqual((await page.locator("#story .text").allInnerTexts()).map(flat), json.story.map((line) => flat(line.text)));
        assert.deepEqual(await page.locator("#story .badge").allInnerTexts(), json.story.map((line) => line.evidence));
        assert.equal(await page.locator("#how dt").count(), 10);
    });

    await t.test("every number of every step is its field, also those for researchers", async () => {
        assert.equal(await page.locator("#researchers").getAttribute("open"), null, "closed at first");
        await openResearchers(page);
        const seen = new Set();
        for (let k = 0; k < json.steps.length; ++k) {
            await goTo(k);
            await page.waitForFunction((words) => document.querySelector("#where").textContent === words, `Step ${json.steps[k].step + 1} of ${json.solution.actions.length}`);
            for (const at of await comparedNumbers(page, json)) seen.add(at);
            const step = json.steps[k];
            assert.deepEqual((await page.locator("#lines .text").allInnerTexts()).map(flat), step.lines.map((line) => flat(line.text)));
            for (const line of [...json.story, ...step.lines, ...step.sentences]) assert.doesNotMatch(line.text, /\b(nan|inf|null)\b/);
            assert.deepEqual((await page.locator("#sentences .text").allInnerTexts()).map(flat), step.sentences.map((s) => flat(s.text)));
            for (const cell of await page.locator("[data-rule]").evaluateAll((all) => all.map((e) => ({ at: e.dataset.rule, text: e.textContent })))) {
                const rule = pointer(json, cell.at);
                const [, used, limit] = /: (\S+) of (\S+)$/.exec(cell.text);
                assert.ok(cell.text.toLowerCase().includes(rule.rule.toLowerCase()) && reads(used, rule.used, rule.limit) && reads(limit, rule.limit, rule.limit), cell.text);
            }
            for (const change of await page.locator(".changes [data-path]").evaluateAll((all) => all.map((e) => ({ at: e.dataset.path, text: e.textContent })))) assert.equal(change.text, `If ${pointer(json, change.at)}`);
        }
        const wanted = [
            [/\/probability$/, () => true],
            [/\/attribution\/families\/.*\/share$/, (s) => s.attribution],
            [/\/slacks\//, (s) => s.slacks.length > 0],
            [/\/alternatives\/\d+\/cost$/, (s) => s.alternatives.some((a) => a.cost !== null)],
            [/\/swap\/families\//, (s) => s.swap.status === "computed" && s.swap.margin !== null],
            [/\/sensitivity\/families\//, (s) => s.sensitivity.status === "computed"],
            [/\/counterfactual\/new\/probability$/, (s) => s.counterfactual.new],
        ];
        for (const [pattern, has] of wanted) assert.ok(!json.steps.some(has) || [...seen].some((at) => pattern.test(at)), `nothing shows ${pattern}`);
        await page.locator("#researchers > summary").click();
    });

    await t.test("the timeline says how sure, how dear and how fragile every step was", async () => {
        const columns = await page.locator(".column").evaluateAll((all) => all.map((e) => ({ name: e.getAttribute("aria-label"), forced: e.classList.contains("forced"), heights: [...e.querySelectorAll(".fill")].map((f) => parseFloat(f.style.height)) })));
        assert.equal(columns.length, json.steps.length);
        columns.forEach(({ name, forced, heights }, k) => {
            const step = json.steps[k];
            assert.ok(name.startsWith(`step ${step.step + 1}: ${step.words}`), name);
            assert.equal(forced, step.runner_up === null);
            if (!forced) assert.ok(Math.abs(heights[0] - Math.max(6, 100 * step.probability)) < 0.1);
            const cost = step.regret ? step.regret.regret[0] : (step.price?.found ?? 0);
            const said = /costs (\S+?)(,|$)/.exec(name);
            assert.equal(said !== null, cost > 0, name);
            if (said) assert.ok(reads(said[1], cost));
        });
        const counts = await page.locator(".filter .count").allInnerTexts();
        assert.equal(Number(counts[0]), json.plan.decisions);
        assert.equal(Number(counts[1]), json.plan.close_call_steps);
        const ranked = json.regret?.ranking.filter((place) => json.steps[place].regret.regret[1] > 0 && json.steps[place].runner_up !== null);
        assert.equal(Number(counts[2]), ranked?.length ?? json.plan.costly_steps + json.plan.better_found_steps);
        assert.equal(Number(counts[3]), json.plan.fragile_count);
    });

    await t.test("the best plan stands beside the policy's, with where they part", async () => {
        const plans = page.locator("#plans");
        const both = json.best_known.gap > 0;
        assert.equal(await plans.locator("svg").count(), both ? 2 : 1);
        if (both && json.best_known.parts_at !== null) {
            assert.ok((await plans.innerText()).includes(json.best_known.instead));
            assert.equal(await plans.locator(".parts").count(), 2);
            await plans.locator("button.link").click();
            assert.equal(await page.locator("#where").innerText(), `Step ${json.best_known.parts_at + 1} of ${json.solution.actions.length}`);
        }
    });

    await t.test("the change, one possible plan and the best plan are drawn", async () => {
        const at = json.steps.findIndex((s) => s.counterfactual?.certificate?.drawing);
        const drawing = () => page.locator(".drawing").innerHTML();
        const legend = () => page.locator(".drawing .legend").innerText();
        if (at >= 0) {
            const { counterfactual } = json.steps[at];
            await goTo(at);
            const before = await drawing();
            await page.locator('[data-layer="change"]').click();
            assert.ok((await legend()).includes(counterfactual.new.words.slice(0, 50)));
            const changed = await drawing();
            assert.notEqual(changed, before);
            await page.locator('[data-layer="possible"]').click();
            assert.ok((await legend()).includes("One possible plan"));
            assert.notEqual(await drawing(), changed);
            await page.locator('[data-layer="decision"]').click();
            assert.equal(await drawing(), before);
        }
        if (json.best_known.gap > 0) {
            await page.locator('[data-layer="best"]').click();
            assert.ok((await legend()).includes("best plan"));
            await page.locator('[data-layer="decision"]').click();
        }
    });

    await t.test("colours follow what is chosen", async () => {
        const looks = new Set();
        for (const value of await page.locator("#heat option").evaluateAll((all) => all.map((o) => o.value))) {
            await page.locator("#heat").selectOption(value);
            looks.add(await page.locator(".drawing").innerHTML());
        }
        assert.ok(looks.size >= 2);
        await page.locator("#heat").selectOption("probability");
    });

    await t.test("nothing was fetched and nobody complained", () => assert.deepEqual(noise, []));
    await page.close();
}
