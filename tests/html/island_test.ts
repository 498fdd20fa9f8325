import { assertEquals, assertThrows } from "@std/assert";
import { live, store } from "../../html/island.ts";
import { narrow } from "../../html/island_browser.ts";
import * as h from "../../html/mod.ts";

const rendered: readonly (readonly [name: string, node: h.Node, html: string])[] = [
  ["an action", h.on("click", "add"), '<p data-fw-on-click="add"></p>'],
  ["a value", h.on("click", "add", 'a "b"'), '<p data-fw-on-click="add a &quot;b&quot;"></p>'],
  ["an empty value", h.on("click", "add", ""), '<p data-fw-on-click="add "></p>'],
];

for (const [name, node, html] of rendered) {
  Deno.test(`h.on writes ${name}`, () => assertEquals(h.render(h.p(node)), html));
}

const cases = [["on click", "add"], ["click", "add it"], ["fooBar", "add"], ["", "a"]];
for (const [event, action] of cases) {
  Deno.test(`h.on refuses the event "${event}" with the action "${action}"`, () => {
    assertThrows(() => h.on(event ?? "", action ?? ""), TypeError, "letters, digits");
  });
}

Deno.test("h.on: two events of one element become two attributes", () => {
  const found = h.render(h.p(h.on("focusin", "open"), h.on("focusout", "close")));
  assertEquals(found, '<p data-fw-on-focusin="open" data-fw-on-focusout="close"></p>');
});

Deno.test("store: keeps its initial value on the server and cannot be set", () => {
  const basket = store("basket", { tickets: 2 });
  assertEquals(basket.value, { tickets: 2 });
  assertThrows(() => basket.set({ tickets: 3 }), TypeError, "where all users share it");
});

Deno.test("live: actions receive the state of the view", () => {
  const island = live({
    view: ({ count }: { count: number }) => h.p(String(count)),
    add: ({ count }) => ({ count: count + 1 }),
    // @ts-expect-error -- a string is not a count
    fail: () => ({ count: "1" }),
  });
  // @ts-expect-error -- the props are the first state
  type _Refused = Parameters<typeof island>[1]["other"];
});

/** A list with one row per letter; a capital is the same row with another text. */
function listed(letters: string): Parameters<typeof narrow>[1] {
  const rows = [...letters].map((letter) => `<li id="${letter.toLowerCase()}">${letter}</li>`);
  return { html: `<ul>${rows.join("")}</ul>`, lists: [rows] };
}

const changes: readonly (readonly [before: string, after: string, places: string | undefined])[] = [
  ["abc", "abcd", "d after c"],
  ["abc", "abcde", "d after c, e after d"],
  ["abc", "dabc", "d before a"],
  ["abc", "adebc", "d before b, e before b"],
  ["abc", "ab", "c remove"],
  ["abc", "bc", "a remove"],
  ["abc", "c", "a remove, b remove"],
  ["abc", "aBc", "b morph"],
  ["abc", "ABC", "a morph, b morph, c morph"],
  ["aaa", "aa", "a remove"],
  ["abc", "acb", undefined],
  ["abc", "aBcd", undefined],
  ["abc", "adc", undefined],
  ["", "a", undefined],
  ["a", "", undefined],
];

for (const [before, after, places] of changes) {
  Deno.test(`narrow: from "${before}" to "${after}"`, () => {
    const rows = narrow(listed(before), listed(after))?.map((row) => {
      const [, id] = / id="(.)"/.exec(row) ?? [];
      const [, place] = / data-fw-place="([^"]*)"/.exec(row) ?? [];
      return `${id} ${place}`;
    });
    assertEquals(rows?.join(", "), places);
  });
}
