import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Names a build by what it is made of, so that the same sources give the same name. */
function versionOfSources(): string {
  const hash = createHash("sha256");
  for (const top of ["src", "public", "index.html", "package-lock.json"]) {
    const files = top.includes(".")
      ? [top]
      : readdirSync(here(top), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => `${entry.parentPath}/${entry.name}`)
          .sort();
    for (const file of files) hash.update(readFileSync(file.startsWith("/") ? file : here(file)));
  }
  return hash.digest("hex").slice(0, 12);
}

/** Writes version.json beside the page, by which an open page finds out that it is older than its server. */
function versionFile(version: string): Plugin {
  return {
    name: "version-file",
    generateBundle() {
      this.emitFile({
        type: "asset",
        fileName: "version.json",
        source: JSON.stringify({ version }),
      });
    },
  };
}

const version = versionOfSources();
const alias = { $gen: here("src/gen"), $lib: here("src/lib") };

export default defineConfig({
  plugins: [svelte(), versionFile(version)],
  define: { __VERSION__: JSON.stringify(version) },
  // Tests run in Node, but what they test is the browser's half of Svelte.
  ...(process.env["VITEST"]
    ? { resolve: { alias, conditions: ["browser"] } }
    : { resolve: { alias } }),
  build: { target: "es2022", sourcemap: false, reportCompressedSize: true },
});
