// deno-lint-ignore-file no-import-prefix -- the parser is for tests only
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import * as h from "@fw/fw/h";
import { parse, parseFragment, serialize } from "npm:parse5@8.1.1";
import { cases, refusals } from "../fixtures/cases.tsx";

// Precompiled templates leave a space for an omitted attribute, so the HTML is compared after
// parsing.
function parsed(html: string): string {
  return serialize(/^<!doctype/i.test(html) ? parse(html) : parseFragment(html));
}

interface Printed {
  readonly isPrecompiled: boolean;
  readonly html: readonly string[];
  readonly messages: readonly string[];
}

async function precompiled(config: string): Promise<Printed> {
  const fixtures = new URL("../fixtures/", import.meta.url);
  const command = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-lock",
      `--config=${new URL(config, fixtures).pathname}`,
      new URL("print_cases.ts", fixtures).pathname,
    ],
    env: { NO_COLOR: "1" },
  });
  const { stdout, stderr } = await command.output();
  const out = new TextDecoder().decode(stdout);
  assert(out.startsWith("{"), new TextDecoder().decode(stderr));
  return JSON.parse(out);
}

for (const row of cases) {
  Deno.test(`functions: ${row.name}`, () => assertEquals(h.render(row.dsl()), row.expected));
  Deno.test(`JSX automatic: ${row.name}`, () => assertEquals(h.render(row.jsx()), row.expected));
  const tag = row.tag;
  if (tag === undefined) continue;
  Deno.test(`template tag: ${row.name}`, () => {
    assertEquals(parsed(h.render(tag())), parsed(row.expected));
  });
}

for (const row of refusals) {
  Deno.test(`functions refuse ${row.name}`, () => {
    assertThrows(() => h.render(row.dsl()), TypeError, row.message);
  });
  Deno.test(`JSX automatic refuses ${row.name}`, () => {
    assertThrows(() => h.render(row.jsx()), TypeError, row.message);
  });
}

for (
  const [mode, config] of [
    ["JSX precompile", "precompile_all.json"],
    ["JSX precompile with skipped elements", "precompile.json"],
  ] as const
) {
  Deno.test(`${mode}: every case of the table`, async (t) => {
    const got = await precompiled(config);
    assert(got.isPrecompiled);
    assertEquals(got.html.length, cases.length);
    for (const [index, row] of cases.entries()) {
      await t.step(row.name, () => {
        assertEquals(parsed(got.html[index] ?? ""), parsed(row.expected));
      });
    }
    assertEquals(got.messages.length, refusals.length);
    for (const [index, row] of refusals.entries()) {
      await t.step(`refuses ${row.name}`, () => {
        assertStringIncludes(got.messages[index] ?? "", `TypeError: ${row.message}`);
      });
    }
  });
}
