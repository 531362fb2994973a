// Puts the script and the style sheet into the page itself, and states in a content security policy that nothing else
// may run and nothing may be fetched: the policy names the one script by its hash.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

export function oneFile(): Plugin {
    return {
        name: "one-file",
        enforce: "post",
        generateBundle(_, bundle) {
            const page = Object.values(bundle).find((file) => file.fileName === "index.html");
            if (page?.type !== "asset") throw new Error("the bundle has no index.html");
            let html = String(page.source);
            let script = "";
            let style = "";
            for (const [name, file] of Object.entries(bundle)) {
                if (file === page) continue;
                if (file.type === "chunk") script += file.code;
                else if (name.endsWith(".css")) style += String(file.source);
                else throw new Error(`nothing says how to put ${name} into the page`);
                delete bundle[name];
            }
            script = script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
            const hash = createHash("sha256").update(script).digest("base64");
            const policy = [
                "default-src 'none'",
                `script-src 'sha256-${hash}'`,
                "style-src 'unsafe-inline'",
                "base-uri 'none'",
                "form-action 'none'",
            ].join("; ");
            html = html
                .replace(/\s*<script type="module"[^>]*><\/script>/, "")
                .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
                // Functions as replacements: code may contain "$&" and the like.
                .replace("<!-- policy -->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`)
                .replace("<!-- style -->", () => `<style>${style}</style>`)
                .replace("<!-- script -->", () => `<script type="module">${script}</script>`);
            page.source = html;
        },
    };
}
