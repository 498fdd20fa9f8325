/** A real nginx with the configuration of the guide, in front of an application. */
import { assertEquals, assertMatch } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import { inScratch } from "../../cli/support.ts";
import { freePorts } from "../../free_port.ts";
import { type Certificate, makeCertificate } from "../../programs.ts";
import { readBlock } from "../guide.ts";
import { host, makeApp, ProxyClient, reasonWithout, startInstance } from "./proxied_app.ts";
import { checkConfig, startProxy, writeNginxConfig } from "./programs.ts";
import { proxyCases } from "./proxy_cases.ts";

const reason = await reasonWithout("nginx", "openssl");

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly instances: readonly [number, number];
}

/** Writes the configuration of the guide for this machine and returns the arguments of nginx. */
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

testUnless(reason, {
  name: "nginx accepts the configuration of the guide",
  fn: () =>
    inScratch(async (folder) => {
      const [http = 0, https = 0] = freePorts(2);
      const ports: Ports = { http, https, instances: [3001, 3002] };
      const args = await writeConfig(folder, { ports, files: await makeCertificate(folder, host) });
      await checkConfig("nginx", ["-t", ...args]);
    }),
});

testUnless(reason, {
  name: "behind nginx",
  fn: (t) =>
    inScratch(async (folder) => {
      const [http = 0, https = 0, one = 0, other = 0] = freePorts(4);
      const files = await makeCertificate(folder, host);
      const ports: Ports = { http, https, instances: [one, other] };
      const args = await writeConfig(folder, { ports, files });
      await using _app = await startInstance(await makeApp(folder), one);
      await using _nginx = await startProxy("nginx", args, { hostname: "::1", port: https });
      const client = new ProxyClient(https, await Deno.readTextFile(files.certificate));
      for (const [name, check] of Object.entries(proxyCases)) {
        await t.step(name, () => check(client));
      }
      await t.step("nginx and the application log one id", async () => {
        const { body } = await client.ask("/api/who", { headers: { "x-request-id": "mine" } });
        assertMatch(JSON.parse(body).id, /^[0-9a-f]{32}$/);
      });
      await t.step("plain HTTP is redirected to HTTPS", async () => {
        const answer = await fetch(`http://127.0.0.1:${http}/a?b=c`, { redirect: "manual" });
        await answer.body?.cancel();
        assertEquals([answer.status, answer.headers.get("location")], [
          308,
          "https://127.0.0.1/a?b=c",
        ]);
      });
    }),
});
