// Reports to look at, a browser to look with, and what it means that a text shows a number.
import { execFileSync } from "node:child_process";
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

/** Policies that every clone has. */
function policyFor(source, problem) {
    const shipped = fs.readdirSync(path.join(source, "models")).find((f) => f.startsWith(`${problem}-`) && f.endsWith(".safetensors"));
    if (shipped) return path.join(source, "models", shipped);
    const golden = { cvrptw: "cvrptw_instance_norm", op: "op", fjsp: "fjsp" }[problem];
    return path.join(source, "tests/data/rl4co-golden", golden, "weights.safetensors");
}

/** Generates an instance, explains it, returns the page and its JSON. */
export function explained(cax, source, folder, { problem, size, steps }, name) {
    const file = (suffix) => path.join(folder, `${problem}${suffix}`);
    const run = (...args) => execFileSync(cax, args, { stdio: ["ignore", "pipe", "inherit"] });
    run("generate", problem, "--size", size, "--count", "1", "--seed", "7", "-o", file(".json"));
    if (name !== undefined) {
        const instances = JSON.parse(fs.readFileSync(file(".json"), "utf8"));
        instances.instances[0].name = name;
        fs.writeFileSync(file(".json"), JSON.stringify(instances));
    }
    run("explain", policyFor(source, problem), file(".json"), "--step", steps, "--json", file("-why.json"), "--html", file(".html"));
    return { html: file(".html"), json: JSON.parse(fs.readFileSync(file("-why.json"), "utf8")) };
}

/** Opens the page; `noise` collects complaints of the browser and requests for anything but the page. */
export async function openPage(browser, html, options = {}) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light", ...options });
    const noise = [];
    const url = pathToFileURL(html).href;
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) noise.push(message.text());
    });
    page.on("pageerror", (error) => noise.push(error.message));
    page.on("request", (request) => {
        if (request.url() !== url) noise.push(`asked for ${request.url()}`);
    });
    await page.goto(url);
    return { page, noise };
}

/** The field that a JSON pointer names. */
export function pointer(json, at) {
    return at.split("/").slice(1).reduce((value, key) => value[key], json);
}

/** Does the text show the number, at the precision it is written in? */
export function reads(text, value) {
    if (value === null) return text === "–";
    if (text === "under 0.1 %") return value > 0 && value < 0.001;
    if (text === "over 99.9 %") return value > 0.999 && value < 1;
    const written = parseFloat(text);
    if (text.endsWith("%")) return Math.abs(written - 100 * value) <= 0.0501;
    return Math.abs(written - value) <= 0.006 * Math.abs(value) + 1e-300;
}
