import { defineConfig } from "vite";
import { oneFile } from "./one_file";

export default defineConfig({
    base: "./",
    plugins: [oneFile()],
    build: {
        target: "es2022",
        modulePreload: false,
        cssCodeSplit: false,
        assetsInlineLimit: 100_000_000,
        chunkSizeWarningLimit: 2_000,
    },
});
