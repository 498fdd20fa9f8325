/** Measures rendering and parsing, and prints JSON. */

import { type Measured, measureContenders } from "../html/measure.ts";
import { parse } from "../../tmpl/mod.ts";
import { node } from "../../tmpl/mod.ts";
import { loadEngines } from "./peers.ts";

/** What was measured. */
export interface TemplatesMeasured {
  /** The pages by every engine. */
  readonly pages: Measured;
  /** The milliseconds that 1,000 templates of 2 KB take to be parsed, escaped and compiled. */
  readonly parseMs: number;
}

const small = await Deno.readTextFile(new URL("./pages/small.gohtml.tmpl", import.meta.url));

/** Parses 1,000 templates that differ, each of 2 KB at least, and renders nothing of them. */
function measureParsing(): number {
  const text = small.padEnd(2_048, "<p>{{.title}}</p>");
  const texts = Array.from({ length: 1_000 }, (_, i) => `{{/* ${i} */}}${text.slice(0, 2_040)}`);
  const start = performance.now();
  for (const [i, source] of texts.entries()) {
    const set = parse(source.replace(/\{\{[^}]*$|<[^>]*$/, ""), { name: `${i}.html` });
    compileOnly(set, `${i}.html`);
  }
  return performance.now() - start;
}

/** Escaping and compiling happen at the first rendering, which this one fails at once. */
function compileOnly(set: ReturnType<typeof parse>, name: string): void {
  try {
    node(set, name, null);
  } catch {
    // A page without data may fail: it was compiled before.
  }
}

if (import.meta.main) {
  const pages = await measureContenders(await loadEngines());
  console.log(JSON.stringify({ pages, parseMs: measureParsing() }));
}
