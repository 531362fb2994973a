// Reports to look at, a browser to look with, and what it means that a text shows a number.
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** A running Chromium, or why there is none. */
export async function launch() {
    let chromium;
    try {
        ({ chromium } = await import("playwright-core"));
    } catch {
        return "playwright-core is not installed (npm ci in tests/browser)";
    }
    const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => fs.existsSync(p));
    if (!executablePath) return "there is no Chromium";
    // As root in a container there is neither a sandbox nor much shared memory.
    return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"] });
}

/** The names in the registry. */
export function problemsOf(cax) {
    const { stderr } = spawnSync(cax, ["generate", "nothing", "-o", "/dev/null"], { encoding: "utf8" });
    return /is not one of ([\w, ]+)/.exec(stderr)[1].split(", ");
}

/** Policies that every clone has: a shipped one, or the small one of the goldens. */
export function policyFor(source, problem) {
    const shipped = fs.readdirSync(path.join(source, "models")).find((f) => f.startsWith(`${problem}-`) && f.endsWith(".safetensors"));
    if (shipped) return path.join(source, "models", shipped);
    const goldens = path.join(source, "tests/data/rl4co-golden");
    const golden = fs.readdirSync(goldens).find((f) => f === problem || f.startsWith(`${problem}_`));
    return golden && path.join(goldens, golden, "weights.safetensors");
}

const quick = ["--shots", "32", "--k-max", "4", "--noise-shots", "8", "--reference", "20", "--story-work", "2000", "--search-work", "200", "--proof-work", "1000000", "--solver-work", "200"];

/** Narrow windows leave a policy that looks ahead nothing to decide. */
const generation = { tsptw: ["--set", "hardness=easy"] };

/** Generates an instance, explains it, returns the page and its JSON. */
export function explained(cax, source, folder, { problem, size, steps }, name) {
    const file = (suffix) => path.join(folder, `${problem}${suffix}`);
    const run = (...args) => execFileSync(cax, args, { stdio: ["ignore", "pipe", "inherit"] });
    run("generate", problem, "--size", size, "--count", "1", "--seed", "7", ...(generation[problem] ?? []), "-o", file(".json"));
    if (name !== undefined) {
        const instances = JSON.parse(fs.readFileSync(file(".json"), "utf8"));
        instances.instances[0].name = name;
        fs.writeFileSync(file(".json"), JSON.stringify(instances));
    }
    run("explain", policyFor(source, problem), file(".json"), ...quick, ...(steps ? ["--step", steps] : []), "--json", file("-why.json"), "--html", file(".html"));
    return { html: file(".html"), json: JSON.parse(fs.readFileSync(file("-why.json"), "utf8")) };
}

/** Opens the page; `noise` collects complaints of the browser and requests for anything but the page. */
export async function openPage(browser, html, { hash = "", ...options } = {}) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light", ...options });
    const noise = [];
    const url = pathToFileURL(html).href;
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) noise.push(message.text());
    });
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("request", (request) => {
        if (request.url().split("#")[0] !== url) noise.push(`asked for ${request.url()}`);
    });
    await page.goto(url + hash);
    return { page, noise };
}

/** The field that a JSON pointer names. */
export function pointer(json, at) {
    return at.split("/").slice(1).reduce((value, key) => value[key], json);
}

/** Does the text show the number, at the precision it is written in? `scale`: it is rounded beside that. */
export function reads(text, value, scale) {
    if (value === null) return text === "–";
    if (text === "under 0.1 %") return value > 0 && value < 0.001;
    if (text === "over 99.9 %") return value > 0.999 && value < 1;
    if (text === "under 1 %") return value > 0 && value < 0.01;
    if (text === "over 99 %") return value > 0.99 && value < 1;
    if (text === "the same") return Math.abs(value) <= 1e-6 * Math.abs(scale);
    if (text === "hardly worse" || text === "hardly better") return Math.abs(value) <= 6e-4 * Math.abs(scale) && (value > 0) === text.endsWith("worse");
    const written = parseFloat(text.replace("−", "-")) * (text.endsWith(" better") ? -1 : 1);
    if (text.endsWith("%")) return Math.abs(written - 100 * value) <= (text.includes(".") ? 0.0501 : 0.501);
    const rounding = scale === undefined ? 0 : 6e-4 * Math.abs(scale);
    return Math.abs(written - value) <= 0.006 * Math.abs(value) + rounding + 1e-300;
}

/** All numbers on the page that say which field they show, compared with that field. Returns their paths. */
export async function comparedNumbers(page, json) {
    const numbers = await page.locator("data[data-path]").evaluateAll((all) => all.map((e) => ({ at: e.dataset.path, value: e.value, text: e.textContent, scale: e.dataset.scale })));
    for (const { at, value, text, scale } of numbers) {
        const field = pointer(json, at);
        if (value !== (field === null ? "" : String(field))) throw new Error(`${at}: the page has ${value}, the JSON ${field}`);
        if (!reads(text, field, scale === undefined ? undefined : Number(scale))) throw new Error(`${at}: "${text}" does not show ${field}`);
    }
    return numbers.map((n) => n.at);
}

/** Where the reader is: the step's number, counted from 1. */
export const whereIs = async (page) => Number((await page.locator("#where").innerText()).split(" ")[1]);

/** Opens what is for researchers, which is drawn when it is opened. */
export async function openResearchers(page) {
    await page.locator("#researchers > summary").click();
    await page.locator("#sentences .text").first().waitFor();
}
