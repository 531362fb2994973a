// node picture.mjs REPORT.html STEP HEIGHT PICTURE.png: what a person sees of a report at one step: the decision before
// and after a change, where one was found.
import { launch, openPage } from "./support.mjs";

const [html, step, height, picture] = process.argv.slice(2);
const browser = await launch();
if (typeof browser === "string") throw new Error(browser);
const { page } = await openPage(browser, html, { viewport: { width: 1240, height: Number(height) } });
await page.locator("#step").fill(String(Number(step) - 1));
const views = page.getByText("before and after");
if (await views.first().isVisible()) await views.first().click();
await page.evaluate(() => document.activeElement?.blur());
await page.screenshot({ path: picture });
await browser.close();
