// Joins one module of specviz/web, with all that it imports, into a classic script that leaves its exports in a variable.

import { build } from "esbuild";

const [module, variable] = process.argv.slice(2);
const { outputFiles } = await build({
  entryPoints: [module],
  bundle: true,
  format: "iife",
  globalName: variable,
  charset: "utf8",
  write: false,
});
process.stdout.write(outputFiles[0].text);
