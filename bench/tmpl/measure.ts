/** Measures rendering and parsing, and prints JSON; the argument `nunjucks` measures that engine. */

import { measureContenders, type Measured } from "../html/measure.ts";
import { node, parse } from "../../tmpl/mod.ts";
import { loadEngines, loadNunjucks } from "./peers.ts";

/** What was measured. */
export interface TemplatesMeasured {
  /** The pages by every engine. */
  readonly pages: Measured;
  /** The milliseconds of CPU time that 1,000 templates of 2 KB take to be parsed, escaped and compiled. */
  readonly parseMs: number;
}

const small = await Deno.readTextFile(new URL("./pages/small.gohtml.tmpl", import.meta.url));

/** Parses 1,000 templates that differ, each of 2 KB, and renders nothing of them. */
function measureParsing(): number {
  const text = small.padEnd(2_048, "<p>{{.title}}</p>").slice(0, 2_040)
    .replace(/\{\{[^}]*$|<[^>]*$/, "");
  const texts = Array.from({ length: 1_000 }, (_, i) => `{{/* ${i} */}}${text}`);
  const start = process.cpuUsage();
  for (const [i, source] of texts.entries()) compileOnly(source, `${i}.html`);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Escaping and compiling happen at the first rendering, which has no data here. */
function compileOnly(source: string, name: string): void {
  node(parse(source, { name }), name, null);
}

if (import.meta.main) {
  const engines = Deno.args[0] === "nunjucks" ? await loadNunjucks() : await loadEngines();
  const pages = await measureContenders(engines);
  console.log(JSON.stringify({ pages, parseMs: measureParsing() }));
}
