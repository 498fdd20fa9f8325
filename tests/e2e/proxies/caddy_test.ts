/** A real Caddy with the configuration of the guide, in front of an application. */
import { type Certificate, makeCertificate } from "../../programs.ts";
import { join } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import { inScratch } from "../../cli/support.ts";
import { freePort } from "../../free_port.ts";
import { readBlock } from "../guide.ts";
import { host, makeApp, ProxyClient, reasonWithout, startInstance } from "./proxied_app.ts";
import { checkConfig, startProxy } from "./programs.ts";
import { proxyCases } from "./proxy_cases.ts";

const reason = await reasonWithout("caddy", "openssl");

/** Writes the configuration of the guide for this machine and returns its path. */
async function writeConfig(
  folder: string,
  options: {
    readonly port: number;
    readonly instances: readonly [number, number];
    readonly files: Certificate;
  },
): Promise<string> {
  const { port, instances, files } = options;
  const text = (await readBlock("docs/deploy.md", { language: "text", holds: "reverse_proxy" }))
    // Without its own certificate, the redirect on port 80 and the admin port.
    .replace("{\n", "{\n\tadmin off\n\tauto_https off\n")
    .replace(
      "shop.example {",
      `https://shop.example:${port} {\n\tbind ::1\n\ttls ${files.certificate} ${files.key}`,
    )
    .replace("127.0.0.1:3001", `127.0.0.1:${instances[0]}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${instances[1]}`);
  const path = join(folder, "Caddyfile");
  await Deno.writeTextFile(path, text);
  return path;
}

/** Caddy's own folder. */
const homeOf = (folder: string): Record<string, string> => ({
  HOME: folder,
  XDG_DATA_HOME: folder,
  XDG_CONFIG_HOME: folder,
});

testUnless(reason, {
  name: "caddy accepts the configuration of the guide unchanged",
  fn: () =>
    inScratch(async (folder) => {
      const path = join(folder, "Caddyfile");
      await Deno.writeTextFile(
        path,
        await readBlock("docs/deploy.md", { language: "text", holds: "reverse_proxy" }),
      );
      const env = homeOf(folder);
      await checkConfig("caddy", ["validate", "--config", path, "--adapter", "caddyfile"], env);
      await checkConfig("caddy", ["fmt", "--diff", path], env);
    }),
});

testUnless(reason, {
  name: "behind caddy",
  fn: (t) =>
    inScratch(async (folder) => {
      const port = freePort();
      const instances: [number, number] = [freePort(), freePort()];
      const files = await makeCertificate(folder, host);
      const path = await writeConfig(folder, { port, instances, files });
      await using _app = await startInstance(await makeApp(folder), instances[0]);
      const args = ["run", "--config", path, "--adapter", "caddyfile"];
      const at = { hostname: "::1", port };
      await using _caddy = await startProxy("caddy", args, at, homeOf(folder));
      const client = new ProxyClient(port, await Deno.readTextFile(files.certificate));
      // Wait until the proxy has found the running instance.
      while ((await client.ask("/api/who")).status !== 200) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      for (const [name, check] of Object.entries(proxyCases)) {
        await t.step(name, () => check(client));
      }
    }),
});
