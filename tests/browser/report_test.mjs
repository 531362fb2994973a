// Opens the report of every problem in Chromium and compares what it shows with its JSON.
// Arguments: the cax binary, the source folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test, { after } from "node:test";
import { looks } from "./looks.mjs";
import { moves } from "./moves.mjs";
import { shows } from "./shows.mjs";
import { comparedNumbers, explained, launch, openPage, openResearchers, policyFor, problemsOf, reads, whereIs } from "./support.mjs";

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

const sizes = { fjsp: "4x3", cvrptw: "12", op: "20" }; // others: 8
const drawn = new Set(); // kinds of drawings that have been looked at
for (const problem of problemsOf(cax)) {
    if (!policyFor(source, problem)) {
        test(problem, { skip: `there is no policy for ${problem}` }, () => {});
        continue;
    }
    test(problem, async (t) => {
        const report = explained(cax, source, folder, { problem, size: sizes[problem] ?? "8" });
        const { kind } = report.json.scene;
        await shows(t, browser, report);
        await moves(t, browser, report);
        await looks(t, browser, report, folder, !drawn.has(kind));
        drawn.add(kind);
    });
}

test("some steps alone have no story, and the page says what there is", async () => {
    const report = explained(cax, source, folder, { problem: "op", size: "20", steps: "2-4" });
    const { page, noise } = await openPage(browser, report.html, { hash: "#step=3" });
    assert.equal(await page.locator("#story").count(), 0);
    assert.equal(await page.locator("#where").innerText(), `Step 3 of ${report.json.solution.actions.length}`);
    assert.equal(await page.locator(".column").count(), 3);
    assert.deepEqual(noise, []);
    await page.close();
});

test("in a sandboxed frame, as notebooks have it, the page shows its data and keys walk", async () => {
    const report = explained(cax, source, folder, { problem: "op", size: "20", steps: "2-4" });
    const page = await browser.newPage();
    const escaped = fs.readFileSync(report.html, "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    await page.setContent(`<iframe srcdoc="${escaped}" sandbox="allow-scripts" style="width:900px;height:700px"></iframe>`);
    const frame = page.frameLocator("iframe");
    const where = (step) => frame.locator("#where", { hasText: `Step ${step} of ${report.json.solution.actions.length}` });
    await frame.locator("#where").waitFor();
    const first = Number(/Step (\d+)/.exec(await frame.locator("#where").innerText())[1]);
    assert.equal(await frame.locator(".column").count(), 3);
    await frame.locator(first < 4 ? "#next" : "#previous").click();
    await where(first < 4 ? first + 1 : first - 1).waitFor();
    await page.close();
});

test("a result of the first version is shown with what it has", async () => {
    const report = explained(cax, source, folder, { problem: "op", size: "20", steps: "2-4" });
    const { json } = report;
    for (const key of ["story", "plan", "best_known", "thumb"]) delete json[key];
    for (const step of json.steps) for (const key of ["lines", "swap", "sensitivity", "forbidden", "alternatives", "price", "thumb"]) delete step[key];
    const old = path.join(folder, "old.json");
    fs.writeFileSync(old, JSON.stringify(json));
    execFileSync(cax, ["report", old, "-o", path.join(folder, "old.html")]);
    const { page, noise } = await openPage(browser, path.join(folder, "old.html"));
    await openResearchers(page);
    assert.ok((await comparedNumbers(page, json)).some((at) => at.includes("/attribution/")));
    assert.equal(await page.locator("#lines .text").innerText(), json.steps[0].sentences[0].text);
    await page.keyboard.press("ArrowRight");
    assert.equal(await whereIs(page), 3);
    assert.deepEqual(noise, []);
    await page.close();
});

test("names in the instance file are in the title and cannot run script", async () => {
    const name = `"><img src=x onerror="window.hacked=1"></script><script>window.hacked=1</script>\u2028 ' <b>bold</b>`;
    const report = explained(cax, source, folder, { problem: "op", size: "20", steps: "1" }, name);
    const { page, noise } = await openPage(browser, report.html);
    assert.equal(await page.locator("h1").textContent(), name);
    assert.ok((await page.title()).includes("onerror"));
    assert.ok((await page.title()).includes(report.json.problem.title));
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
