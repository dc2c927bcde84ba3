// Joins the modules and style sheets of this folder into the files of built/, which the page serves and exported pages carry.
// `make web` writes them. With --check nothing is written, and a file that differs from what the sources give is an error.

import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

const joined = await build({
  absWorkingDir: folder("."),
  entryPoints: {
    player: "player/player_component.ts",
    "player-style": "player/stage.css",
    standalone: "player/standalone_player.ts",
    "standalone-style": "player/standalone_player.css",
    race: "race/race_component.ts",
    "race-style": "race/race.css",
    "race-page": "race/standalone_race.ts",
    "race-page-style": "race/standalone_race.css",
    site: "site/site.ts",
    "site-style": "site/site.css",
    learn: "lessons/learn_component.ts",
    "learn-style": "lessons/learn.css",
    "explorables-style": "lessons/explorables.css",
    lesson: "lessons/standalone_lesson.ts",
    "lesson-style": "lessons/standalone_lesson.css",
    moment: "classroom/moment_component.ts",
    plan: "classroom/lesson_plan.ts",
    "plan-style": "classroom/lesson_plan.css",
    page: "page/page.ts",
    "page-style": "page/page.css",
    join: "classroom/join_page.ts",
    "join-style": "classroom/join.css",
    duel: "opening/duel_component.ts",
    "duel-style": "opening/duel.css",
  },
  outdir: "built",
  bundle: true,
  format: "esm",
  charset: "utf8",
  // An exported page carries its script and is kept below a size, which leaves the rest for the recording: minified, a script takes less
  // than half. .gitattributes keeps built/ out of diffs, so that a commit shows the sources.
  minify: true,
  write: false,
  logLevel: "warning",
});

const names = new Set(joined.outputFiles.map(({ path }) => basename(path)));
const stale = (await readdir(folder("built"))).filter((name) => !names.has(name));
for (const { path, text } of joined.outputFiles) {
  if ((await readFile(path, "utf8").catch(() => null)) !== text) stale.push(basename(path));
}
if (process.argv.includes("--check")) {
  if (stale.length) {
    console.error(
      `specviz/web/built is not what its sources give (${stale.join(", ")}): run 'make web' and commit it.`,
    );
    process.exitCode = 1;
  }
} else {
  for (const name of stale.filter((each) => !names.has(each))) await rm(folder(`built/${name}`));
  for (const { path, text } of joined.outputFiles) await writeFile(path, text);
}
