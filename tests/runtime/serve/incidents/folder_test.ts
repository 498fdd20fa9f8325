import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { parseIncident, parseIncidentName } from "../../../../runtime/base/observe/incident.ts";
import type { Incident } from "../../../../runtime/base/observe/incident.ts";
import { writeIncident } from "../../../../runtime/serve/incidents/folder.ts";
import { newFolder } from "../../../new_folder.ts";

function incident(id: string, error = "Error: x"): Incident {
  return {
    time: "2026-01-01T00:00:00.000Z",
    requestId: id,
    status: 500,
    method: "GET",
    path: "/",
    route: "/",
    source: "app/page.ts",
    headers: {},
    leftOut: [],
    error,
  };
}

async function namesIn(dir: string): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(dir), ({ name }) => name);
  return names.filter((name) => name.endsWith(".json"));
}

async function idsIn(dir: string): Promise<string[]> {
  const ids: string[] = [];
  for (const name of await namesIn(dir)) {
    if (parseIncidentName(name) === undefined) continue;
    ids.push(parseIncident(await Deno.readTextFile(join(dir, name)))?.requestId ?? "?");
  }
  return ids.sort();
}

Deno.test("writeIncident: keeps the latest 100 files, and all others", async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  const foreign = ["notes.json", "fw-incident-x.json", "fw-incident-0000000000001-a-b.json"];
  for (const name of foreign) await Deno.writeTextFile(join(dir, name), "mine");
  await writeIncident(dir, incident("first"));
  const [first = ""] = (await namesIn(dir)).filter((name) => !foreign.includes(name));
  for (let ms = 1; ms <= 101; ms++) {
    const older = first.replace(/-\d{13}-/, `-${String(ms).padStart(13, "0")}-`);
    const text = JSON.stringify(incident(`id-${ms}`));
    await Deno.writeTextFile(join(dir, older), text);
  }
  await writeIncident(dir, incident("last"));
  const kept = await idsIn(dir);
  assertEquals(kept.length, 100);
  for (const id of ["first", "last", "id-4", "id-101"]) assert(kept.includes(id), id);
  assert(!kept.includes("id-3"));
  for (const name of foreign) assertEquals(await Deno.readTextFile(join(dir, name)), "mine");
});

Deno.test("writeIncident: removes the half-written file of a killed process", async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  await writeIncident(dir, incident("one"));
  const [name = ""] = await namesIn(dir);
  const old = join(dir, name.replace(/-\d{13}-/, "-0000000000001-") + ".part");
  await Deno.writeTextFile(old, "half");
  await writeIncident(dir, incident("two"));
  await assertRejects(() => Deno.lstat(old), Deno.errors.NotFound);
  assertEquals(await idsIn(dir), ["one", "two"]);
});

Deno.test("writeIncident: creates a missing folder and fails for a file in its place", async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  await writeIncident(join(dir, "a", "b"), incident("one"));
  assertEquals(await idsIn(join(dir, "a", "b")), ["one"]);
  await Deno.writeTextFile(join(dir, "file"), "");
  await assertRejects(() => writeIncident(join(dir, "file"), incident("one")));
});

const broken = [
  "",
  ..."{ null [] 1 {}".split(" "),
  JSON.stringify({ ...incident("x"), status: "500" }),
  JSON.stringify({ ...incident("x"), headers: [] }),
  JSON.stringify({ ...incident("x"), headers: { a: 1 } }),
  JSON.stringify({ ...incident("x"), leftOut: [1] }),
  JSON.stringify({ ...incident("x"), body: { kind: "other" } }),
  JSON.stringify({ ...incident("x"), body: { kind: "form", fields: [{ name: 1 }] } }),
];

for (const text of broken) {
  Deno.test(`parseIncident: ${text.slice(-60)}`, () =>
    assertEquals(parseIncident(text), undefined));
}

Deno.test("parseIncident: reads a complete incident", () => {
  assert(parseIncident(JSON.stringify(incident("x"))) !== undefined);
});
