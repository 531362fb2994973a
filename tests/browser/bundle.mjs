// The page's own modules for tests: put together by the esbuild that Vite brings along.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

/** `web`: the folder of the page with its node_modules. Text of a script that sets `cax` to what the module exports. */
export async function bundled(web, entry, format = "iife") {
    const esbuild = createRequire(path.join(web, "package.json"))("esbuild");
    const built = await esbuild.build({ stdin: { contents: entry, resolveDir: path.join(web, "src"), loader: "ts" }, bundle: true, write: false, format, globalName: format === "iife" ? "cax" : undefined, target: "es2022" });
    return built.outputFiles[0].text;
}

/** What the page's modules that know no document export, for Node. */
export async function imported(web, folder, ...modules) {
    const file = path.join(folder, "modules.mjs");
    fs.writeFileSync(file, await bundled(web, modules.map((name) => `export * from "./${name}";`).join("\n"), "esm"));
    return import(file);
}
