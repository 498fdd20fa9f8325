/** Measures rendering and parsing and prints JSON; the argument `nunjucks` selects that engine. */

import { measureContenders, type Measured } from "../html/measure.ts";
import { node, parse } from "../../tmpl/mod.ts";
import { loadEngines, loadNunjucks } from "./peers.ts";

/** The measured times. */
export interface TemplatesMeasured {
  /** The times of the pages by engine. */
  readonly pages: Measured;
  /** The CPU time to parse, escape and compile 1,000 templates of 2 KB, in milliseconds. */
  readonly parseMs: number;
}

const small = await Deno.readTextFile(new URL("./pages/small.gohtml.tmpl", import.meta.url));

/** Parses 1,000 different templates of 2 KB each, without rendering them. */
function measureParsing(): number {
  const text = small.padEnd(2_048, "<p>{{.title}}</p>").slice(0, 2_040)
    .replace(/\{\{[^}]*$|<[^>]*$/, "");
  const texts = Array.from({ length: 1_000 }, (_, i) => `{{/* ${i} */}}${text}`);
  const start = process.cpuUsage();
  for (const [i, source] of texts.entries()) compileOnly(source, `${i}.html`);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** Escapes and compiles a template, which happens at its first rendering, here without data. */
function compileOnly(source: string, name: string): void {
  node(parse(source, { name }), name, null);
}

if (import.meta.main) {
  const engines = Deno.args[0] === "nunjucks" ? await loadNunjucks() : await loadEngines();
  const pages = await measureContenders(engines);
  console.log(JSON.stringify({ pages, parseMs: measureParsing() }));
}
