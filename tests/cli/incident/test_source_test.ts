import { assert, assertStringIncludes } from "@std/assert";
import type { Incident } from "@fw/fw/addon";
import { incidentTest } from "../../../cli/incident/incident.ts";

const incident: Incident = {
  time: "2026-01-31T10:00:00.000Z",
  requestId: "a1",
  status: 500,
  method: "POST",
  path: "/basket?/add&size=2",
  route: "/basket",
  source: "app/basket/page.ts",
  headers: {},
  leftOut: [],
  error: [
    "Error: no room",
    "    at add (file:///home/ada/my%20shop/app/basket/page.ts:12:9)",
    "    at use (/home/ada/my shop/lib/use.ts:3:1)",
    "    at run (file:///home/ada/.cache/deno/npm/x/1.0.0/mod.js:1:1)",
    "    at https://jsr.io/@fw/fw/0.1.0/mod.ts:1:1",
  ].join("\n"),
};

Deno.test("incidentTest: the name has the action, and comments no folder of the machine", () => {
  const text = incidentTest(incident, "/home/ada/my shop");
  assertStringIncludes(text, '"POST /basket?/add does not answer 500');
  assertStringIncludes(text, "at add (app/basket/page.ts:12:9)");
  assertStringIncludes(text, "at use (lib/use.ts:3:1)");
  assertStringIncludes(text, "at run (…/mod.js:1:1)");
  assertStringIncludes(text, "at https://jsr.io/@fw/fw/0.1.0/mod.ts:1:1");
  assert(!text.includes("/home/ada"), text);
});

Deno.test("incidentTest: a query that is not an action is not in the name", () => {
  for (const query of ["", "?q=/add", "?/../x", "?%2Fadd", "?/"]) {
    const text = incidentTest({ ...incident, path: `/basket${query}` }, "/x");
    assertStringIncludes(text, '"POST /basket does not answer 500');
  }
});
