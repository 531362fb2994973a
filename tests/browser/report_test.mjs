// Opens the report of every problem in Chromium and compares what it shows with its JSON.
// Arguments: the cax binary, the source folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { after } from "node:test";
import { explained, openPage, launch, pointer, reads } from "./support.mjs";

const [cax, source] = process.argv.slice(2);
const skipped = 77;
const browser = await launch();
if (typeof browser === "string") {
    console.log(`skipped: ${browser}`);
    process.exit(skipped);
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "cax-browser-"));
after(async () => {
    await browser.close();
    fs.rmSync(folder, { recursive: true, force: true });
});

const examples = [
    { problem: "cvrptw", size: "20", steps: "1-10" },
    { problem: "op", size: "20", steps: "all" },
    { problem: "fjsp", size: "6x4", steps: "3-12" },
];

for (const example of examples) {
    test(example.problem, async (t) => {
        const report = explained(cax, source, folder, example);
        const { json } = report;
        const { page, noise } = await openPage(browser, report.html);
        const last = json.steps.length - 1;
        const legend = () => page.locator(".legend").first().innerText();

        await t.test("the header says what the solution costs", async () => {
            const text = await page.locator("header").innerText();
            assert.ok(text.includes(json.problem.title), text);
            assert.ok(reads(await page.locator('header data[data-path="/solution/cost"]').innerText(), json.solution.cost));
        });

        await t.test("the slider moves by keyboard, and every number is its field", async () => {
            await page.locator("#step").focus();
            for (let k = 0; k <= last; ++k) {
                const step = json.steps[k];
                assert.equal(await page.locator("#where").innerText(), `Step ${step.step + 1} of ${json.solution.actions.length}`);
                const numbers = await page.locator("data[data-path]").evaluateAll((all) => all.map((e) => ({ path: e.dataset.path, value: e.value, text: e.textContent })));
                assert.ok(numbers.length > 10);
                for (const { path: at, value, text } of numbers) {
                    const field = pointer(json, at);
                    assert.equal(value, field === null ? "" : String(field), at);
                    assert.ok(reads(text, field), `${at}: ${text} for ${field}`);
                }
                assert.ok(numbers.some((n) => n.path.startsWith(`/steps/${k}/attribution`)) || step.attribution === null);
                const said = await page.locator("#sentences li > span:last-child").allInnerTexts();
                assert.deepEqual(said, step.sentences.map((s) => s.text.replace(/\s+/g, " ")));
                await page.keyboard.press("ArrowRight");
            }
            await page.locator("#previous").click();
        });

        await t.test("colours follow the chosen family", async () => {
            const at = json.steps.findIndex((s) => s.attribution?.top);
            await page.locator("#step").fill(String(at));
            const { attribution } = json.steps[at];
            const looks = new Set();
            for (const family of ["none", "all", ...json.problem.families.map((f) => f.name)]) {
                await page.locator("#heat").selectOption(family);
                looks.add(await page.locator(".drawing svg").first().locator("xpath=..").innerHTML());
                const values = family === "all" ? attribution.nodes : attribution.node_families[family];
                if (!values) continue;
                const hottest = Math.max(...values);
                const titles = await page.locator(".drawing svg title").allTextContents();
                assert.ok(hottest === 0 || titles.some((text) => text.includes(`attribution ${hottest.toPrecision(3)}`)), family);
            }
            assert.ok(looks.size >= 3, "drawings differ between families");
            await page.locator("#heat").selectOption("all");
        });

        await t.test("the counterfactual and its witness are drawn", async () => {
            const at = json.steps.findIndex((s) => s.counterfactual?.certificate?.drawing);
            assert.ok(at >= 0, "no step has a certified counterfactual");
            const { counterfactual } = json.steps[at];
            await page.locator("#step").fill(String(at));
            const before = await page.locator(".drawing").innerHTML();
            await page.locator('input[value="counterfactual"]').check();
            assert.ok((await legend()).includes(`after the change: ${counterfactual.new.words}`));
            assert.ok((await page.locator("#counterfactual").innerText()).includes(counterfactual.changes[0].words));
            const changed = await page.locator(".drawing").innerHTML();
            assert.notEqual(changed, before);
            await page.locator('input[value="witness"]').check();
            assert.ok((await legend()).includes("witness"));
            assert.notEqual(await page.locator(".drawing").innerHTML(), changed);
            await page.locator('input[value="decision"]').check();
        });

        await t.test("clicks into the rollout and the list of decisions move there", async () => {
            const where = async () => Number((await page.locator("#where").innerText()).split(" ")[1]);
            await page.locator("#step").fill("0");
            await page.locator("#decisions button.link").nth(last).click();
            assert.equal(await where(), json.steps[last].step + 1);
            const cells = page.locator('#rollout g[aria-label="cell"]').first().locator("rect");
            assert.equal(await cells.count(), json.steps.length * json.problem.families.length);
            await cells.nth(json.problem.families.length).click();
            assert.equal(await where(), json.steps[1].step + 1);
        });

        await t.test("it is dark when asked, fits a telephone and prints", async () => {
            const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
            const light = await background();
            await page.locator("#theme").click();
            assert.notEqual(await background(), light);
            await page.setViewportSize({ width: 400, height: 800 });
            await page.waitForTimeout(100);
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "wider than the window");
            const pdf = await page.pdf();
            assert.ok(pdf.length > 10_000);
        });

        await t.test("nothing was fetched and nobody complained", () => assert.deepEqual(noise, []));
        await page.close();
    });
}

test("names in the instance file cannot run script", async () => {
    const name = `"><img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>\u2028 ' <b>bold</b>`;
    const report = explained(cax, source, folder, { problem: "op", size: "20", steps: "1" }, name);
    const { page, noise } = await openPage(browser, report.html);
    assert.ok((await page.locator("header").textContent()).includes(name));
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator("header img, header b").count(), 0);
    assert.deepEqual(noise, []);
    await page.close();
});

test("a study shows its answers, tables and figures", async () => {
    const rows = [["op", "lp", 0.7, 0.1, 0.9], ["op", "<b>proxy</b>", 0.812345, 0.05, null], ["fjsp", "lp", 0.5, null, 0.25]];
    const study = {
        schema: "cax/study/1", version: "0", seed: 1, citation: "somebody", policies: [],
        answers: [{ question: "does it agree?", problem: "op", answer: "not shown", evidence: "0.1 [-0.1, 0.3]" }],
        tables: {
            agreement: { title: "Agreement", columns: ["problem", "predictor", "mean", "std", "paper mean"], rows, notes: ["read it so"] },
            difference: { title: "Differences", columns: ["problem", "a - b", "low", "high"], rows: [["op", 0.1, -0.1, 0.3]], notes: [] },
        },
    };
    const input = path.join(folder, "tables.json");
    const output = path.join(folder, "study.html");
    fs.writeFileSync(input, JSON.stringify(study));
    execFileSync(cax, ["report", input, "-o", output]);
    const { page, noise } = await openPage(browser, output);
    const cells = await page.locator("#table-agreement tbody td").allInnerTexts();
    assert.equal(cells.length, 15);
    rows.flat().forEach((value, k) => assert.ok(typeof value === "string" ? cells[k] === value : reads(cells[k], value), cells[k]));
    assert.equal(await page.locator("#table-agreement svg g[aria-label='bar'] rect").count(), rows.length);
    assert.equal(await page.locator("#table-difference svg").count(), 1);
    assert.ok((await page.locator("#answers").innerText()).includes("not shown"));
    assert.deepEqual(noise, []);
    await page.close();
});
