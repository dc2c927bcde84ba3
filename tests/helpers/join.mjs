// Joins modules of specviz/web, with all that they import, into a classic script that leaves their exports in a variable.

import { build } from "esbuild";

const [folder, variable, ...modules] = process.argv.slice(2);
const { outputFiles } = await build({
  stdin: { contents: modules.map((module) => `export * from "./${module}.ts";`).join("\n"), resolveDir: folder },
  bundle: true,
  format: "iife",
  globalName: variable,
  charset: "utf8",
  write: false,
});
process.stdout.write(outputFiles[0].text);
