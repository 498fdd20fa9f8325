/**
 * Two replicas behind nginx at 200 requests a second, replaced one after the other as in the guide.
 */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { ServerEventParser } from "../../../runtime/addon.ts";
import { testUnless } from "../../../tools/skip.ts";
import { inScratch } from "../../cli/support.ts";
import { noRedis, startRedis } from "../../data/redis_server.ts";
import { startProxy, writeNginxConfig } from "../../e2e/proxies/programs.ts";
import { reasonWithout } from "../../e2e/proxies/proxied_app.ts";
import { runRestartScript } from "./restart_script.ts";
import type { RunningApp } from "../../e2e/running_app.ts";
import { freePorts } from "../../free_port.ts";
import { makeSharedApp, readGeneratedNginx, startReplica } from "./shared_app.ts";

const perSecond = 200;
/** Maximum number of requests at once: a machine that is too slow for the rate must not flood nginx. */
const maxOpen = 100;
const users = 20;
const readers = 10;
const reason = noRedis ?? await reasonWithout("nginx", "bash", "curl");

interface Reader {
  readonly notes: number[];
  gaps: number;
  connections: number;
}

/** The note that ends the reading. */
const lastNote = -2;

/** Reads notes after a position, and resumes after each disconnect, until the last one. */
async function readNotes(
  reader: Reader,
  { url, start }: { readonly url: string; readonly start: string },
): Promise<void> {
  let after = start;
  for (;;) {
    try {
      const response = await fetch(url, {
        headers: { accept: "text/event-stream", "last-event-id": after },
      });
      assertEquals(response.status, 200);
      reader.connections++;
      const parser = new ServerEventParser();
      const decoder = new TextDecoder();
      for await (const bytes of response.body ?? []) {
        for (const { event, data, id } of parser.push(decoder.decode(bytes, { stream: true }))) {
          if (event === "gap") reader.gaps++;
          if (event !== "note") continue;
          const note = JSON.parse(data);
          if (note === lastNote) return;
          reader.notes.push(note);
          after = id ?? after;
        }
      }
    } catch (error) {
      // The connection is lost.
      if (!(error instanceof TypeError)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function keepAsking(origin: string, cookies: readonly string[]): {
  readonly stop: () => Promise<Map<string, number>>;
  readonly notes: Set<number>;
} {
  const client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const counts = new Map<string, number>();
  const notes = new Set<number>();
  const open = new Set<Promise<void>>();
  const startMs = performance.now();
  let asked = 0;
  const ask = async (n: number): Promise<void> => {
    const kind = n % 10 === 0 ? "note" : n % 10 < 7 ? "me" : "page";
    const user = n % users;
    const path = { note: `/api/notes?n=${n}`, me: "/api/me", page: "/" }[kind];
    const method = kind === "note" ? "POST" : "GET";
    if (kind === "note") notes.add(n);
    const outcome = await fetch(`${origin}${path}`, {
      method,
      headers: { cookie: cookies[user] ?? "" },
      client,
    }).then(async (response) => {
      const text = await response.text();
      const isOther = kind === "me" && response.status === 200 && text !== `{"user":"${user}"}`;
      return isOther ? `another user: ${text}` : String(response.status);
    }, (error) => `${error}: ${error.cause}`);
    counts.set(`${kind} ${outcome}`, (counts.get(`${kind} ${outcome}`) ?? 0) + 1);
  };
  const timer = setInterval(() => {
    const due = (performance.now() - startMs) * perSecond / 1_000;
    for (; asked < due && open.size < maxOpen; asked++) {
      const answered = ask(asked).finally(() => open.delete(answered));
      open.add(answered);
    }
  }, 5);
  return {
    notes,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      client.close();
      return counts;
    },
  };
}

async function signIn(origin: string): Promise<string[]> {
  const cookies: string[] = [];
  for (let user = 0; user < users; user++) {
    const response = await fetch(`${origin}/api/sign-in?user=${user}`, { method: "POST" });
    await response.body?.cancel();
    assertEquals(response.status, 204);
    cookies.push(response.headers.getSetCookie()[0]?.split(";")[0] ?? "");
  }
  return cookies;
}

async function restartUnderLoad(
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const cwd = await makeSharedApp(folder);
  const [listen = 0, one = 0, two = 0] = freePorts(3);
  const instances = [one, two] as const;
  const args = await writeNginxConfig(folder, await readGeneratedNginx(cwd, { listen, instances }));
  const running = new Map<number, RunningApp>();
  const restart = async (port: number): Promise<void> => {
    running.get(port)?.kill("SIGTERM");
    assertEquals((await running.get(port)?.ended())?.code ?? 0, 0);
    running.set(port, await startReplica(cwd, { port, env }));
  };
  try {
    await Promise.all(instances.map(restart));
    await using _nginx = await startProxy("nginx", args, { hostname: "127.0.0.1", port: listen });
    const origin = `http://127.0.0.1:${listen}`;
    const cookies = await signIn(origin);
    const url = `${origin}/api/notes`;
    const start: string = await (await fetch(`${url}?n=-1`, { method: "POST" })).json();
    const all = Array.from({ length: readers }, (): Reader => ({
      notes: [],
      gaps: 0,
      connections: 0,
    }));
    const reading = Promise.all(all.map((reader) => readNotes(reader, { url, start })));
    const startMs = performance.now();
    const asking = keepAsking(origin, cookies);
    const config = join(folder, "nginx.conf");
    for (let round = 0; round < 2; round++) {
      await runRestartScript({ config, args, instances, restart });
    }
    const counts = await asking.stop();
    const tookMs = performance.now() - startMs;
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    assertEquals([...counts.keys()].sort(), ["me 200", "note 201", "page 200"]);
    await (await fetch(`${url}?n=${lastNote}`, { method: "POST" })).body?.cancel();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("a reader got no last note")), 60_000);
    await Promise.race([reading, late.promise]).finally(() => clearTimeout(timer));
    for (const { notes, gaps } of all) {
      assertEquals(gaps, 0);
      // Every note once, in the same order.
      assertEquals(notes, all[0]?.notes);
      assertEquals(new Set(notes), asking.notes);
      assertEquals(notes.length, asking.notes.size);
    }
    const connections = all.reduce((sum, reader) => sum + reader.connections, 0);
    assert(connections > 2 * readers, `${connections} connections`);
    console.log(
      `${total} requests in ${(tookMs / 1_000).toFixed(1)} s, 4 restarts, none lost; ` +
        `${asking.notes.size} messages to each of ${readers} readers, which connected ${connections} times`,
    );
  } finally {
    for (const instance of running.values()) await instance[Symbol.asyncDispose]();
  }
}

testUnless(reason, {
  name: "rolling restart with Redis: no request, sign-in or message is lost",
  fn: () =>
    inScratch(async (folder) => {
      await using redis = await startRedis();
      await restartUnderLoad(folder, { REDIS_URL: `redis://127.0.0.1:${redis.port}` });
    }),
});

testUnless(reason, {
  name: "rolling restart with SQLite: no request, sign-in or message is lost",
  fn: () =>
    inScratch((folder) => restartUnderLoad(folder, { STORES: join(folder, "stores.sqlite") })),
});
