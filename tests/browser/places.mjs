// Where things are on a page, and what a screen reader makes of it: for reports and for the live page.
import { createRequire } from "node:module";
import fs from "node:fs";

const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe calls serious or critical. */
export async function violations(page) {
    await page.evaluate(axe); // as the page's own policy forbids script elements
    const { violations: all } = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
    return all.filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(" | ")}`);
}

/**
 * What is not where it should be: names on drawings that meet, or that a drawing cuts off; boxes that meet; words that leave
 * their box; numbers of steps that meet; the step that is looked at out of sight in its row; a page wider than its window.
 */
export const outOfPlace = (page) =>
    page.evaluate(() => {
        const found = [];
        const shown = (box) => box.width > 0 && box.height > 0;
        const meet = (a, b, high = 0.5) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > high;
        const pairs = (all, tell) => all.forEach((a, i) => all.slice(0, i).forEach((b) => tell(b, a)));
        const boxed = (elements) => [...elements].map((element) => ({ element, text: element.textContent.slice(0, 40), box: element.getBoundingClientRect() })).filter((each) => shown(each.box));

        for (const drawing of document.querySelectorAll("svg")) {
            const name = drawing.getAttribute("aria-label");
            const all = drawing.getBoundingClientRect();
            const texts = boxed(drawing.querySelectorAll("text"));
            // Boxes hold the line's full height; letters fill its middle.
            pairs(texts, (a, b) => meet(a.box, b.box, 0.25 * Math.min(a.box.height, b.box.height)) && found.push(`${a.text} and ${b.text} meet in ${name}`));
            for (const { text, box } of texts) if (box.left < all.left - 1 || box.right > all.right + 1 || box.bottom > all.bottom + 3 || box.top < all.top - 3) found.push(`${text} is cut off in ${name}`);
        }
        pairs(boxed(document.querySelectorAll(".panel, .card, .timeline")), (a, b) => {
            const stacked = a.element.contains(b.element) || b.element.contains(a.element);
            const floats = [a.element, b.element].some((e) => e.matches(".timeline") || getComputedStyle(e).position === "fixed");
            if (!stacked && !floats && meet(a.box, b.box)) found.push(`two boxes meet: ${a.text} and ${b.text}`);
        });
        pairs(boxed(document.querySelectorAll(".column .number")), (a, b) => {
            const wide = ({ element }) => ((range) => (range.selectNodeContents(element), range.getBoundingClientRect()))(document.createRange());
            if (meet(wide(a), wide(b))) found.push(`the steps' numbers ${a.text} and ${b.text} meet`);
        });
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const parent = node.parentElement;
            if (!node.textContent.trim() || parent.closest("svg, .scroll, .columns-scroll, .filters, .unseen, select, option, script, style")) continue;
            const holder = parent.closest("button, td, th, .card, .panel, .timeline, header, footer");
            if (!holder) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            const [words, box] = [range.getBoundingClientRect(), holder.getBoundingClientRect()];
            if (shown(words) && shown(box) && (words.right > box.right + 1.5 || words.left < box.left - 1.5)) found.push(`"${node.textContent.slice(0, 40)}" leaves its box`);
        }
        const row = document.querySelector(".columns-scroll")?.getBoundingClientRect();
        const here = document.querySelector(".column[aria-current]")?.getBoundingClientRect();
        if (row && here && (here.left < row.left - 1 || here.right > row.right + 1)) found.push("the step that is looked at is out of sight in its row");
        if (document.documentElement.scrollWidth > window.innerWidth) found.push("the page is wider than its window");
        return found;
    });
