import { assertEquals } from "@std/assert";
import { importCsv, inBatches, type Page, struct, text, values } from "../../data/mod.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { serveLocal } from "../serve_local.ts";

/** Number of steps, all of which block only if the responses never arrive; a round trip needs a few polls. */
const steps = 200;

/** Time of a step, after which the network must be polled. */
const stepMs = 20;

/** Set once the responses have arrived; `block` then does nothing. */
let isAnswered = false;

/** Work in steps that each block the event loop for some milliseconds until the responses have arrived. */
const works: Readonly<Record<string, () => Promise<unknown>>> = {
  "the import of a file": () => importLamps({ add: () => Promise.resolve(block(stepMs)) }, 50_000),
  "the import of a file whose rows are refused one by one": async () => {
    await using db = await openSqlite(":memory:");
    await db.run`create table lamps (code text check (code = '')) strict`;
    const add = (rows: readonly Lamp[]): Promise<unknown> => {
      block(stepMs);
      return db.run`insert into lamps ${values(Lamp, rows)}`;
    };
    const { faults } = await importLamps({ add }, 100);
    assertEquals(faults.length, 100);
  },
  "the pages of a table": async () => {
    let pages = 0;
    const next = (): Promise<Page<string>> => {
      block(stepMs);
      const at = ++pages < steps ? "b" : undefined;
      return Promise.resolve({ rows: ["a"], next: at, previous: undefined });
    };
    assertEquals((await Array.fromAsync(inBatches(next))).length, steps);
  },
  "transactions that wait for each other": async () => {
    await using db = await openSqlite(":memory:");
    await Promise.all(
      Array.from({ length: steps }, () => db.tx(() => Promise.resolve(block(stepMs)))),
    );
  },
  "slow writes that share a transaction": async () => {
    await using db = await openSqlite(":memory:");
    db.raw.function("slow", () => (block(stepMs), ""));
    await db.run`create table lamps (code text) strict`;
    await Promise.all(Array.from({ length: steps }, () => db.run`insert into lamps select slow()`));
  },
  "transactions after each other": async () => {
    await using db = await openSqlite(":memory:");
    for (let left = steps; left > 0; left--) await db.tx(() => Promise.resolve(block(stepMs)));
  },
};

const Lamp = struct({ code: text() });
type Lamp = { code: string };

async function importLamps(
  { add }: { add: (rows: readonly Lamp[]) => Promise<unknown> },
  count: number,
): ReturnType<typeof importCsv<Lamp>> {
  await using db = await openSqlite(":memory:");
  const file = new Blob(["code\n" + "a\n".repeat(count)]);
  return await importCsv<Lamp>(file.stream(), { db, rows: Lamp, add });
}

function block(ms: number): void {
  if (isAnswered) return;
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

for (const [name, work] of Object.entries(works)) {
  Deno.test(`other connections get their responses before the end of ${name}`, async () => {
    await using server = serveLocal(() => new Response("ok"));
    const done: string[] = [];
    isAnswered = false;
    const ask = async (): Promise<void> => {
      // Several round trips, since the event loop handles each only when it waits for the network.
      for (let left = 3; left > 0; left--) {
        await (await fetch(`${server.origin}/`)).text();
      }
      isAnswered = true;
      done.push("responses");
    };
    await Promise.all([work().then(() => void done.push("work")), ask()]);
    assertEquals(done, ["responses", "work"]);
  });
}
