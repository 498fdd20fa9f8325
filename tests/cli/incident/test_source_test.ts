import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Incident, maxIncidentBytes } from "@fw/fw/addon";
import { incidentTest, readIncidents } from "../../../cli/incident/incident.ts";
import { inScratch, writeFiles } from "../support.ts";

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
  error: "Error: no room\n    at add (file:///home/ada/my%20shop/app/basket/page.ts:12:9)",
};

Deno.test("incidentTest: names the request and comments the error without local folders", () => {
  const text = incidentTest(incident);
  assertStringIncludes(text, '"POST /basket does not answer 500');
  assertStringIncludes(text, "// Error: no room\n");
  assert(!text.includes("/home/ada"), text);
});

Deno.test("incidentTest: runs below the base path, and asks for a user", () => {
  const text = incidentTest({ ...incident, basePath: "/shop", leftOut: ["header cookie"] });
  assertStringIncludes(text, 'await testApp({ config: { basePath: "/shop" } });');
  assertStringIncludes(text, "sign a user in above");
});

Deno.test("readIncidents: reads the newest first, and no file above the limit or of another name", () =>
  inScratch(async (folder) => {
    const file = (time: number): string =>
      `fw-incident-${time}-${"a".repeat(8)}-${"b".repeat(32)}.json`;
    const textOf = (requestId: string): string => JSON.stringify({ ...incident, requestId });
    await writeFiles(folder, {
      [file(1_700_000_000_001)]: textOf("old"),
      [file(1_700_000_000_002)]: textOf("new"),
      [file(1_700_000_000_003)]: textOf("large").padEnd(maxIncidentBytes + 1),
      "notes.json": textOf("other"),
    });
    const found = await readIncidents(folder);
    assertEquals(found.map(({ requestId }) => requestId), ["new", "old"]);
  }));
