/**
 * Writes in rounds that each end with `kill -9`, and counts the acknowledged writes that are lost.
 */
import { join } from "@std/path";
import pg from "npm:pg@8.23.1";
import { BusyError, int } from "../../data/mod.ts";
import { openPostgres, type PgPool } from "../../data/postgres/mod.ts";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { root } from "../../tools/workspace.ts";
import { startPostgres } from "./postgres_server.ts";

/** The result of the rounds. */
export interface KillCount {
  readonly acknowledged: number;
  readonly lost: number;
}

export function start(
  source: string,
): { readonly child: Deno.ChildProcess; readonly lines: AsyncIterator<string> } {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-lock", `--config=${join(root, "deno.json")}`, "-"],
    cwd: root,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  writer.write(new TextEncoder().encode(source)).then(() => writer.close());
  async function* read(): AsyncGenerator<string> {
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split("\n");
      rest = parts.pop() ?? "";
      yield* parts;
    }
  }
  return { child, lines: read() };
}

export const program = (path: string, body: string): string =>
  `import { openSqlite } from ${JSON.stringify(join(root, "data/sqlite/mod.ts"))};
const db = await openSqlite(${JSON.stringify(path)});
${body}`;

/** Kills a process that writes four rows at once to a SQLite file. */
export async function killSqlite(rounds: number): Promise<KillCount> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "a.sqlite");
  await using db = await openSqlite(path);
  await db.run`create table a (n integer primary key) strict`;
  let acknowledged = 0;
  for (let round = 0; round < rounds; round++) {
    const body = `for (let n = ${acknowledged};; n += 4) {
  await Promise.all([0, 1, 2, 3].map((i) => db.run\`insert or ignore into a values (\${n + i})\`));
  console.log(n + 4);
}`;
    const { child, lines } = start(program(path, body));
    // A few acknowledgements, then the kill in the middle of the next write.
    const count = 3 + round % 10;
    for (let at = 0; at < count; at++) acknowledged = Number((await lines.next()).value);
    child.kill("SIGKILL");
    await child.status;
    for (let line = await lines.next(); !line.done; line = await lines.next()) {
      acknowledged = Number(line.value);
    }
  }
  const kept = await db.one(int())`select count(*) from a where n < ${acknowledged}`;
  await db.close();
  await Deno.remove(folder, { recursive: true });
  return { acknowledged, lost: acknowledged - kept };
}

/**
 * Kills a process of a Postgres server, which then closes all connections and recovers from its
 * log. Until then every write is a {@linkcode BusyError}.
 */
export async function killPostgres(rounds: number): Promise<KillCount> {
  await using server = await startPostgres();
  const pool: unknown = new pg.Pool({ connectionString: server.url, max: 4, idleTimeoutMillis: 0 });
  await using db = await openPostgres(pool as PgPool, { slowMs: 60_000 });
  await db.run`create table a (n bigint primary key)`;
  const acknowledged = new Set<number>();
  let next = 0;
  for (let round = 0; round < rounds; round++) {
    const pid = await retryBusy(() => db.one(int())`select pg_backend_pid()`);
    const until = acknowledged.size + 20;
    let isKilled = false;
    const write = async (): Promise<void> => {
      for (let isRefused = false; !isRefused;) {
        const n = next++;
        try {
          await db.run`insert into a values (${n})`;
          acknowledged.add(n);
        } catch (error) {
          if (!(error instanceof BusyError)) throw error;
          isRefused = true;
        }
        if (acknowledged.size >= until && !isKilled) {
          isKilled = true;
          Deno.kill(pid, "SIGKILL");
        }
      }
    };
    await Promise.all([write(), write(), write(), write()]);
  }
  const kept = new Set(await retryBusy(() => db.all(int())`select n from a`));
  const lost = [...acknowledged].filter((n) => !kept.has(n)).length;
  return { acknowledged: acknowledged.size, lost };
}

async function retryBusy<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
