// deno-lint-ignore-file no-import-prefix -- the parser is for the bench only
/** Checks that all contenders write the same HTML, measures them and prints JSON. */

import process from "node:process";
import { parse } from "npm:parse5@8.1.1";
import { removeCompiled } from "./compile.ts";
import type { Contender, PageName } from "./contender.ts";
import { loadContenders } from "./peers.ts";
import { median } from "../median.ts";

/** CPU microseconds per page by contender, the median of the rounds. */
export interface Measured {
  readonly rounds: number;
  readonly bytes: Readonly<Record<PageName, number>>;
  readonly micros: Readonly<Record<PageName, Readonly<Record<string, number>>>>;
  readonly skipped: readonly string[];
}

const rounds = 15;
const sliceMs = 40;
const encoder = new TextEncoder();
const buffer = new Uint8Array(1 << 20);

interface ParsedNode {
  readonly nodeName: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly ParsedNode[];
}

const flags: ReadonlySet<string> = new Set(["checked", "required"]);

// Ignores differences in comments, white space around markup and the form of boolean attributes.
function normal(node: ParsedNode): string {
  if (node.nodeName === "#comment" || node.nodeName === "#documentType") return "";
  if (node.nodeName === "#text") return (node.value ?? "").replace(/\s+/g, " ").trim();
  const attributes = (node.attrs ?? [])
    .map(({ name, value }) => flags.has(name) ? name : `${name}=${JSON.stringify(value)}`)
    .sort().join(" ");
  return `<${node.nodeName} ${attributes}>${(node.childNodes ?? []).map(normal).join("")}</>`;
}

async function isEqual(one: Contender, reference: Contender, page: PageName): Promise<boolean> {
  const [a, b] = [await one[page](), await reference[page]()];
  return normal(parse(a) as ParsedNode) === normal(parse(b) as ParsedNode);
}

async function slice(one: Contender, page: PageName): Promise<number> {
  const end = performance.now() + sliceMs;
  const before = cpuMicros();
  let count = 0;
  while (performance.now() < end) {
    for (let i = 0; i < 8; i++) {
      const made = one[page]();
      encoder.encodeInto(typeof made === "string" ? made : await made, buffer);
    }
    count += 8;
  }
  return (cpuMicros() - before) / count;
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function measurePage(
  contenders: readonly Contender[],
  page: PageName,
): Promise<Record<string, number>> {
  const samples = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -3; round < rounds; round++) {
    for (const one of contenders) {
      const micros = await slice(one, page);
      // The first rounds only warm up the compiler.
      if (round >= 0) samples.get(one.name)?.push(micros);
    }
  }
  return Object.fromEntries([...samples].map(([name, values]) => [name, median(values)]));
}

/** Checks and measures the loaded contenders. */
export async function measureContenders(
  { contenders, skipped }: {
    readonly contenders: readonly Contender[];
    readonly skipped: readonly string[];
  },
): Promise<Measured> {
  const [reference] = contenders;
  if (reference === undefined) throw new Error("Cannot measure: no contender was loaded");
  const equal: Contender[] = [];
  const left: string[] = [...skipped];
  for (const one of contenders) {
    const same = await isEqual(one, reference, "large") && await isEqual(one, reference, "small");
    if (same) equal.push(one);
    else left.push(`${one.name}: skipped: its page parses to other HTML`);
  }
  const bytes = {
    large: encoder.encode(await reference.large()).length,
    small: encoder.encode(await reference.small()).length,
  };
  const [large, small] = [await measurePage(equal, "large"), await measurePage(equal, "small")];
  return { rounds, bytes, micros: { large, small }, skipped: left };
}

if (import.meta.main) {
  console.log(JSON.stringify(await measureContenders(await loadContenders())));
  await removeCompiled();
}
