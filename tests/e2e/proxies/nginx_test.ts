/** A real nginx with the configuration of the guide, in front of two instances of an application. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import { inScratch } from "../../cli/support.ts";
import { freePorts } from "../../free_port.ts";
import { type Certificate, makeCertificate } from "../../programs.ts";
import { readBlock } from "../guide.ts";
import { host, makeApp, ProxyClient, reasonWithout, startInstance } from "./proxied_app.ts";
import { startNginx, writeNginxConfig } from "./nginx.ts";
import { runRestartScript } from "./restart_script.ts";
import { proxyCases } from "./proxy_cases.ts";
import type { RunningApp } from "../running_app.ts";

const reason = await reasonWithout("nginx", "openssl");

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly instances: readonly [number, number];
}

/** Writes the configuration of the guide for this machine; gives the arguments of nginx. */
async function writeConfig(
  folder: string,
  options: { readonly ports: Ports; readonly files: Certificate },
): Promise<string[]> {
  const { ports, files } = options;
  const site = (await readBlock("docs/deploy.md", { language: "nginx" }))
    .replaceAll("/etc/letsencrypt/live/shop.example/fullchain.pem", files.certificate)
    .replaceAll("/etc/letsencrypt/live/shop.example/privkey.pem", files.key)
    // A free port may begin with these digits.
    .replaceAll(/127\.0\.0\.1:300([12])\b/g, (_, n) => `127.0.0.1:${ports.instances[n - 1]}`)
    .replaceAll("listen 443", `listen 127.0.0.1:${ports.https}`)
    .replaceAll("listen [::]:443", `listen [::1]:${ports.https}`)
    .replaceAll("listen 80", `listen 127.0.0.1:${ports.http}`)
    .replaceAll("listen [::]:80", `listen [::1]:${ports.http}`);
  return await writeNginxConfig(folder, site);
}

interface Site {
  readonly folder: string;
  readonly client: ProxyClient;
  readonly ports: Ports;
  readonly args: readonly string[];
  restart(port: number): Promise<void>;
}

async function withNginx(count: 1 | 2, work: (site: Site) => Promise<void>): Promise<void> {
  await inScratch(async (folder) => {
    const [http = 0, https = 0, one = 0, other = 0] = freePorts(4);
    const ports: Ports = { http, https, instances: [one, other] };
    const files = await makeCertificate(folder, host);
    const args = await writeConfig(folder, { ports, files });
    const app = await makeApp(folder);
    const instances = new Map<number, RunningApp>();
    const restart = async (port: number): Promise<void> => {
      instances.get(port)?.kill("SIGTERM");
      assertEquals((await instances.get(port)?.ended())?.code ?? 0, 0);
      instances.set(port, await startInstance(app, port));
    };
    try {
      for (const port of ports.instances.slice(0, count)) await restart(port);
      await using _nginx = await startNginx(args, { hostname: "::1", port: ports.https });
      const client = new ProxyClient(ports.https, await Deno.readTextFile(files.certificate));
      await work({ folder, client, ports, args, restart });
    } finally {
      for (const instance of instances.values()) await instance[Symbol.asyncDispose]();
    }
  });
}

testUnless(reason, {
  name: "nginx accepts the configuration of the guide",
  fn: async () => {
    await inScratch(async (folder) => {
      const [http = 0, https = 0] = freePorts(2);
      const ports: Ports = { http, https, instances: [3001, 3002] };
      const args = await writeConfig(folder, { ports, files: await makeCertificate(folder, host) });
      const { code, stderr } = await new Deno.Command("nginx", {
        args: ["-t", ...args],
        stdin: "null",
      }).output();
      const said = new TextDecoder().decode(stderr);
      assertEquals(code, 0, said);
      assert(!/\[(?:warn|error|emerg)\]/.test(said), said);
    });
  },
});

testUnless(reason, {
  name: "behind nginx",
  fn: async (t) => {
    await withNginx(1, async ({ client, ports }) => {
      for (const { name, check } of proxyCases) {
        await t.step(name, async () => await check(client));
      }
      await t.step("nginx and the application log one id", async () => {
        const { body } = await client.ask("/api/who", { headers: { "x-request-id": "mine" } });
        assertMatch(JSON.parse(body).id, /^[0-9a-f]{32}$/);
      });
      await t.step("plain HTTP is sent to HTTPS", async () => {
        const answer = await fetch(`http://127.0.0.1:${ports.http}/a?b=c`, { redirect: "manual" });
        await answer.body?.cancel();
        assertEquals([answer.status, answer.headers.get("location")], [
          308,
          "https://127.0.0.1/a?b=c",
        ]);
      });
    });
  },
});

const noScript = reason ?? await reasonWithout("bash", "curl");

testUnless(noScript, {
  name: "behind nginx, two instances are replaced without a request being lost",
  fn: async () => {
    await withNginx(2, async (site) => {
      const statuses = new Map<number, number>();
      let isOver = false;
      const keepAsking = async (path: string, method: string): Promise<void> => {
        while (!isOver) {
          const { status } = await site.client.ask(path, { method });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const askers = Promise.all([keepAsking("/api/who", "GET"), keepAsking("/api/go", "POST")]);
      await runRestartScript({
        ...site,
        config: join(site.folder, "nginx.conf"),
        instances: site.ports.instances,
      });
      isOver = true;
      await askers;
      assertEquals([...statuses.keys()].sort(), [200, 204], JSON.stringify([...statuses]));
      assert((statuses.get(200) ?? 0) > 10 && (statuses.get(204) ?? 0) > 10);
    });
  },
});
