import { assert, assertEquals } from "@std/assert";
import * as h from "../../html/mod.ts";
import { focusFirstField, joinControl } from "../../ui/control_tag.ts";
import { cpuMs } from "../cpu_time.ts";

const links = { id: "a", describedBy: "", isInvalid: false };

const rows: readonly [name: string, html: string, joined: string | undefined][] = [
  ["a control", "<input>", '<input id="a">'],
  ["a control in a comment", "<!-- <input> --><select>", '<!-- <input> --><select id="a">'],
  ["a control after an empty comment", "<!--><input>", '<!--><input id="a">'],
  ["a control after a comment with --!>", "<!-- x --!><input>", '<!-- x --!><input id="a">'],
  ["a control in a comment without an end", "<!-- <input>", undefined],
  ["a > in a value", '<p title=">"><input>', '<p title=">"><input id="a">'],
  ["a control in a value", "<p title='<input>'></p>", undefined],
  ["a control in a value without an end", '<p title="<input>', undefined],
  ["a < in a tag", "<input pattern=<b>", '<input id="a" pattern=<b>'],
  ["a control without an end", "<p></p><input type=text", undefined],
];

for (const [name, html, joined] of rows) {
  Deno.test(`joinControl: ${name}`, () => {
    const node = joinControl(h.raw(html), links);
    assertEquals(node === undefined ? undefined : h.render(node), joined);
  });
}

Deno.test("focusFirstField returns an unterminated field unchanged", () => {
  assertEquals(h.render(focusFirstField(h.raw("<p></p><input "))), "<p></p><input ");
});

const pieces = ["<a", "<a ", "<a'", '<a "', "<a b=", "<!--", "<!-", "<a\"'", "<", "<a/", "a ="];

for (const piece of pieces) {
  Deno.test(`hostile: 256 KiB of ${piece} take less than 2 s of processor time`, () => {
    const node = h.raw(piece.repeat(Math.ceil(262_144 / piece.length)));
    const input = h.fragment(h.raw("<input "), node, h.raw(">"));
    const startMs = cpuMs();
    assertEquals(joinControl(node, links), undefined);
    focusFirstField(node);
    joinControl(input, { ...links, describedBy: "b" });
    focusFirstField(input);
    const tookMs = cpuMs() - startMs;
    assert(tookMs < 2_000, `took ${tookMs.toFixed(0)} ms`);
  });
}
