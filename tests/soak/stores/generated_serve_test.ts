/** The output of `generate serve`, run as far as one machine can. */
import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { parse as parseYaml } from "npm:yaml@2.9.1";
import { testUnless } from "../../../tools/skip.ts";
import { shareFolder } from "../../cli/shared_folder.ts";
import { checkTypes } from "../../cli/type_check.ts";
import { noRedis, startRedis } from "../../data/redis_server.ts";
import { readBlock } from "../../e2e/guide.ts";
import { checkConfig, startProxy, writeNginxConfig } from "../../e2e/proxies/programs.ts";
import { reasonWithout } from "../../e2e/proxies/proxied_app.ts";
import { startApp } from "../../e2e/running_app.ts";
import { freePort, freePorts } from "../../free_port.ts";
import { checkInstall, readImage } from "../dockerfile.ts";
import { makeSharedApp, readGeneratedNginx, startReplica } from "./shared_app.ts";

const shared = shareFolder("generated_serve", async (folder) => {
  await makeSharedApp(folder);
});

interface Service {
  readonly build?: string;
  readonly image?: string;
  readonly command?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[];
  readonly deploy?: { readonly replicas: number };
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, object>>;
}

async function readCompose(): Promise<Compose> {
  return parseYaml(await Deno.readTextFile(join(shared(), "shop/deploy/compose.yaml")));
}

/** Requests a message of the channel and a page from a replica, or from a proxy before it. */
async function askAll(origin: string): Promise<void> {
  const page = await fetch(origin);
  assertEquals([page.status, (await page.text()).includes("<h1")], [200, true]);
  const url = `${origin}/api/notes`;
  const start: string = await (await fetch(`${url}?n=1`, { method: "POST" })).json();
  await (await fetch(`${url}?n=2`, { method: "POST" })).body?.cancel();
  const stream = await fetch(url, { headers: { "last-event-id": start } });
  const reader = stream.body?.getReader();
  let text = "";
  while (!text.includes("data: 2")) {
    const { value, done } = await reader?.read() ?? { done: true, value: undefined };
    assertFalse(done, text);
    text += new TextDecoder().decode(value);
  }
  await reader?.cancel();
}

testUnless(noRedis ?? await reasonWithout("nginx"), {
  name: "generate serve: nginx accepts its file silently and serves two replicas",
  fn: async () => {
    const cwd = join(shared(), "shop");
    const [listen = 0, one = 0, two = 0] = freePorts(3);
    const folder = await Deno.makeTempDir({ dir: shared() });
    const args = await writeNginxConfig(
      folder,
      await readGeneratedNginx(cwd, { listen, instances: [one, two] }),
    );
    await checkConfig("nginx", ["-t", ...args]);
    await using redis = await startRedis();
    const env = { REDIS_URL: `redis://127.0.0.1:${redis.port}` };
    await using _one = await startReplica(cwd, { port: one, env });
    await using _two = await startReplica(cwd, { port: two, env });
    await using _nginx = await startProxy("nginx", args, { hostname: "127.0.0.1", port: listen });
    for (let n = 0; n < 4; n++) await askAll(`http://127.0.0.1:${listen}`);
  },
});

Deno.test("generate serve: nginx passes on what it does in the guide", async () => {
  const [guide, generated] = [
    await readBlock("docs/deploy.md", { language: "nginx" }),
    await Deno.readTextFile(join(shared(), "shop/deploy/nginx.conf")),
  ].map((text) => text.match(/(default|websocket|proxy_(?!pass)\w+) .*;/g));
  assert(guide?.includes("websocket upgrade;"));
  assertEquals(generated?.toSorted(), guide?.toSorted());
});

testUnless(noRedis ?? await reasonWithout("caddy"), {
  name: "generate serve: Caddy accepts its file and finds a replica by its name",
  fn: async () => {
    const cwd = join(shared(), "shop");
    const home = await Deno.makeTempDir({ dir: shared() });
    const [listen = 0, port = 0] = freePorts(2);
    const env = {
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      DOMAIN: `http://127.0.0.1:${listen}`,
    };
    const file = join(cwd, "deploy/Caddyfile");
    await checkConfig("caddy", ["validate", "--config", file, "--adapter", "caddyfile"], env);
    await checkConfig("caddy", ["fmt", "--diff", file], env);
    const text = await Deno.readTextFile(file);
    const local = join(home, "Caddyfile");
    assert(text.includes("dynamic a app 3000"));
    await Deno.writeTextFile(
      local,
      text.replace("{\n", "{\n\tadmin off\n").replace(
        "dynamic a app 3000",
        `dynamic a localhost ${port}`,
      ),
    );
    await using redis = await startRedis();
    const url = `redis://127.0.0.1:${redis.port}`;
    await using _app = await startReplica(cwd, { port, env: { REDIS_URL: url } });
    const args = ["run", "--config", local, "--adapter", "caddyfile"];
    const at = { hostname: "127.0.0.1", port: listen };
    await using _caddy = await startProxy("caddy", args, at, env);
    await askAll(`http://127.0.0.1:${listen}`);
  },
});

Deno.test("generate serve: every name of the compose file exists", async () => {
  const { services, volumes } = await readCompose();
  const folder = join(shared(), "shop/deploy");
  assertEquals(Object.keys(services), ["app", "redis", "proxy"]);
  for (
    const { build, image, depends_on: needed = [], volumes: mounts = [] } of Object.values(services)
  ) {
    assertEquals([build, image].filter((source) => source !== undefined).length, 1);
    if (build !== undefined) assert((await Deno.stat(join(folder, build, "Dockerfile"))).isFile);
    for (const name of needed) assert(name in services, name);
    for (const mount of mounts) {
      const [source = ""] = mount.split(":");
      if (source.startsWith(".")) assert((await Deno.stat(join(folder, source))).isFile);
      else assert(source in volumes, source);
    }
  }
  const { app, redis, proxy } = services;
  const caddy = await Deno.readTextFile(join(folder, "Caddyfile"));
  const [, name = "", port] = /dynamic a (\w+) (\d+)/.exec(caddy) ?? [];
  assert(name in services);
  assertEquals(app?.environment?.ADDR, `0.0.0.0:${port}`);
  assertEquals(Number(app?.environment?.FW_REPLICAS), app?.deploy?.replicas);
  assertMatch(app?.environment?.REDIS_URL ?? "", /^redis:\/\/redis:6379$/);
  assertEquals(Object.keys(proxy?.environment ?? {}), ["DOMAIN"]);
  assertMatch(redis?.command ?? "", /^redis-server .*--maxmemory-policy noeviction$/);
});

testUnless(noRedis, {
  name: "generate serve: the commands and variables of the compose file start the named services",
  fn: async () => {
    const { services: { app, redis } } = await readCompose();
    // The command of the server, on a port of this machine.
    const [, ...settings] = (redis?.command ?? "").split(" ");
    await using server = await startRedis({ settings });
    const values: Readonly<Record<string, string>> = {
      "${FW_SECRET:?}": "x".repeat(64),
      "${DOMAIN:?}": "shop.example",
      "https://${DOMAIN:?}": "https://shop.example",
      "redis://redis:6379": `redis://127.0.0.1:${server.port}`,
    };
    const env = Object.fromEntries(
      Object.entries(app?.environment ?? {})
        // A variable without a value is taken from the shell.
        .flatMap(([name, value]) => value === null ? [] : [[name, values[value] ?? value]]),
    );
    assertFalse(Object.values(env).some((value) => value.includes("${")));
    const port = freePort();
    await using running = startApp("deno run -A --no-lock --no-check fw_gen.ts", {
      cwd: join(shared(), "shop"),
      env: { ...env, ADDR: `127.0.0.1:${port}` },
    });
    const ready = await fetch(`${await running.url()}_fw/health/ready`);
    assertEquals(ready.status, 200);
    await ready.body?.cancel();
    // No state of the framework is in the memory of one replica.
    assertFalse(running.output().includes("kept in memory"), running.output());
    const startMs = performance.now();
    running.kill("SIGTERM");
    assertEquals((await running.ended()).code, 0);
    const graceMs = Number.parseInt(app?.stop_grace_period ?? "") * 1_000;
    assert(performance.now() - startMs < graceMs);
  },
});

Deno.test("generate serve: the Dockerfile is valid, and its commands exist", async () => {
  const cwd = join(shared(), "shop");
  const text = await Deno.readTextFile(join(cwd, "Dockerfile"));
  const lines = readImage(text);
  assertEquals(lines[0], `FROM denoland/deno:${Deno.version.deno}`);
  await checkInstall(lines, cwd);
  const { tasks } = JSON.parse(await Deno.readTextFile(join(cwd, "deno.json")));
  assert("start" in tasks);
});

Deno.test("generate serve: serve.ts serves from several threads", async () => {
  const cwd = join(shared(), "shop");
  const checked = await checkTypes(["serve.ts"], cwd);
  assertEquals(checked.code, 0, checked.output);
  const port = freePort();
  const line =
    `deno serve --parallel -A --no-lock --no-check --host=127.0.0.1 --port=${port} serve.ts`;
  const stores = join(await Deno.makeTempDir({ dir: shared() }), "stores.sqlite");
  await using app = startApp(line, {
    cwd,
    env: { DENO_JOBS: "2", STORES: stores, FW_SECRET: "x".repeat(48) },
  });
  await app.saw("Listening");
  await askAll(`http://127.0.0.1:${port}`);
});
