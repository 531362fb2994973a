// node picture.mjs REPORT.html STEP WIDTHxHEIGHT LAYER PICTURE.png: what a person sees of a report at one step. LAYER is what the
// drawing shows: "top" for the head of the page, otherwise decision, change, possible or best, with the page scrolled there.
import { launch, openPage } from "./support.mjs";

const [html, step, size, layer, picture] = process.argv.slice(2);
const [width, height] = size.split("x").map(Number);
const browser = await launch();
if (typeof browser === "string") throw new Error(browser);
const { page } = await openPage(browser, html, { viewport: { width, height }, hash: `#step=${step}`, hasTouch: width < 600 });
if (layer !== "top") {
    await page.locator(`[data-layer="${layer}"]`).click();
    await page.evaluate(() => {
        const line = document.getElementById("timeline");
        window.scrollTo(0, line.getBoundingClientRect().top + window.scrollY - 8);
    });
}
await page.evaluate(() => document.activeElement?.blur());
await page.mouse.move(0, 0);
await page.screenshot({ path: picture });
await browser.close();
