/** The recipe "Add a field to a resource" of docs/resources.md, followed in a generated application. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { root } from "../../../tools/workspace.ts";
import { inScratch, runCli } from "../../cli/support.ts";
import { checkGuideApp } from "./app.ts";

/** Each step: the file, the text before the code, and the code, as the guide shows it. */
const steps = [
  ["lib/events.ts", "const fields = {", 'room: text("max=80"),'],
  ["lib/event_messages.ts", "eventLabels = catalog({\n  en: {", 'room: "Room",'],
  ["views/event_columns.ts", "names: [", '"room",'],
  ["seeds/events.ts", "(_, at): EventInput => ({", 'room: seed.choose(["Hall", "Studio"], at),'],
  ["lib/events.ts", "EventRow = struct({ id: int(),", 'revenue: money("EUR"),'],
] as const;

const test = `import { use } from "@fw/fw";
import { newTestClient, testApp } from "@fw/fw/testing";
import { assertEquals } from "@std/assert";
import { seedEvents } from "@/seeds/events.ts";
import { Database } from "@/lib/database.ts";
import { Customers } from "@/lib/customers.ts";
import { Events } from "@/lib/events.ts";

Deno.test("the room is shown, found, exported and accepted, and the revenue follows", async () => {
  await using app = await testApp({ config: { variables: { FW_DB: ":memory:" } } });
  const client = newTestClient(app);
  await use(app, Customers).add({ name: "Ada", email: "ada@example.org" });
  assertEquals(await seedEvents(use(app, Database)), 5);
  await client.get("/events/1").wantStatus(200).wantContains("Room").wantContains("Hall");
  await client.get("/events?q=studio").wantStatus(200).wantContains("Studio");
  await client.get("/events?q=nowhere").wantNotContains("Studio");
  await client.get("/events/new").wantContains('name="room"');
  await client.get("/events/export").wantContains("room").wantContains("Hall");
  const row = await use(app, Events).get(1);
  assertEquals(row.revenue, (row.seats ?? 0) * row.price);
  const { room } = JSON.parse((await client.get("/api/events/1").wantStatus(200)).body);
  assertEquals(room, "Hall");
});
`;

/** The statements that the guide asks for, with those of the search copied from the first migration. */
function migration(guide: string, created: string): string {
  // The third block renames a field in the history.
  const [add, refill, , revenue] = [...guide.matchAll(/^ *```sql\n([\s\S]*?)^ *```$/gm)]
    .map(([, code]) => code);
  const at = created.indexOf("create virtual table");
  assert(add !== undefined && refill !== undefined && revenue !== undefined && at > 0);
  assertStringIncludes(refill, "-- the four statements");
  const copied = created.slice(at).replaceAll(
    /((?:new\.|old\.|)"note")/g,
    (name) => `${name}, ${name.replace("note", "room")}`,
  );
  return `${add}${refill.replace("-- the four statements", copied)}${revenue}`;
}

Deno.test("resources guide: a field is added by its steps", () =>
  inScratch(async (folder) => {
    const guide = await Deno.readTextFile(join(root, "docs/resources.md"));
    const cwd = join(folder, "app");
    const run = async (...args: readonly string[]): Promise<void> => {
      const { code, stderr } = await runCli(args, { cwd });
      assertEquals([code, stderr], [0, ""], args.join(" "));
    };
    await runCli(["new", "app", "--kit"], { cwd: folder });
    const [commands = ""] = /deno task generate resource customers[\s\S]*?(?=\n```)/.exec(guide) ??
      [];
    for (const line of commands.replaceAll(/\\\n/g, "").split("\n")) {
      const args = line.trim().split(/\s+/).slice(2);
      await run(...args, ...args.includes("events") ? ["--api", "--csv", "--seed", "5"] : []);
    }
    await run("generate", "migration", "add_room");
    const created = await Deno.readTextFile(join(cwd, "migrations/0002_create_events.sql"));
    const text = guide.replaceAll(/\s+/g, " ");
    await Deno.writeTextFile(join(cwd, "migrations/0003_add_room.sql"), migration(guide, created));
    for (const [file, before, code] of steps) {
      assertStringIncludes(text, `\`${code}\``);
      const path = join(cwd, file);
      const source = await Deno.readTextFile(path);
      assertStringIncludes(source, before, file);
      const changed = source.replace(before, `${before}\n${code}`);
      await Deno.writeTextFile(path, changed);
    }
    await Deno.writeTextFile(join(cwd, "app/events/room_test.ts"), test);
    await checkGuideApp(cwd, { tests: 17 });
  }, { name: "resources" }));
