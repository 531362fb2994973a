// The page's own modules for tests: put together by the esbuild that Vite brings along.
import { createRequire } from "node:module";
import fs from "node:fs";
import path from "node:path";

/** `web`: the folder of the page with its node_modules. A script that sets `cax` to what the entry exports, and its styles. */
export async function bundled(web, entry, format = "iife") {
    const esbuild = createRequire(path.resolve(web, "package.json"))("esbuild");
    const built = await esbuild.build({ stdin: { contents: entry, resolveDir: path.resolve(web, "src"), loader: "ts" }, bundle: true, write: false, outdir: "/", format, globalName: format === "iife" ? "cax" : undefined, target: "es2022" });
    const text = (ending) => built.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? "";
    return { script: text(".js"), style: text(".css") };
}

/** What the page's modules that know no document export, for Node. */
export async function imported(web, folder, ...modules) {
    const file = path.join(folder, "modules.mjs");
    const { script } = await bundled(web, modules.map((name) => `export * from "./${name}";`).join("\n"), "esm");
    fs.writeFileSync(file, script);
    return import(file);
}
