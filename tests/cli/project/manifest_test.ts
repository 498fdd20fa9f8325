import { assert, assertEquals, assertRejects } from "@std/assert";
import { ManifestError, readManifest } from "../../../cli/project/manifest.ts";
import { cpuMs } from "../../cpu_time.ts";
import { inProject } from "../support.ts";

const rows: readonly [text: string, want: unknown][] = [
  ['{ "a": 1, /* b */ } // c', { a: 1 }],
  ['{ "a": "/* b */, }", }', { a: "/* b */, }" }],
  ['{ "a": "\\"//", /**/ "b": 2 }', { a: '"//', b: 2 }],
  ['{ "a": 1 } /* b', undefined],
  ['{ "a": 1 } /*/', undefined],
  ['{ "a', undefined],
  // Deno refuses it too.
  ["\uFEFF{}", undefined],
];
for (const [text, want] of rows) {
  Deno.test(`readManifest: ${text}`, () =>
    inProject({ "deno.json": text }, async (root) => {
      const says = text.startsWith("\uFEFF") ? "the byte order mark" : "";
      if (want === undefined) await assertRejects(() => readManifest(root), ManifestError, says);
      else assertEquals(await readManifest(root), want);
    }));
}

const endless = {
  comments: "/*".repeat(60_000),
  strings: '\\"'.repeat(60_000),
  commas: `,${" ".repeat(60_000)}`.repeat(3),
};
for (const [name, text] of Object.entries(endless)) {
  Deno.test(`readManifest: reads unterminated ${name} in linear time`, () =>
    inProject({ "deno.json": text }, async (root) => {
      const startMs = cpuMs();
      await assertRejects(() => readManifest(root), ManifestError);
      const tookMs = cpuMs() - startMs;
      assert(tookMs < 1_000, `${Math.round(tookMs)} ms`);
    }));
}
