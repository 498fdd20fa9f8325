/** A real Caddy with the configuration of the guide, in front of an application. */
import { type Certificate, makeCertificate } from "../../programs.ts";
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import { inScratch } from "../../cli/support.ts";
import { freePort } from "../../free_port.ts";
import { readBlock } from "../guide.ts";
import { host, makeApp, ProxyClient, reasonWithout, startInstance } from "./proxied_app.ts";
import { proxyCases } from "./proxy_cases.ts";

const reason = await reasonWithout("caddy", "openssl");

/** Writes the configuration of the guide for this machine; gives its path. */
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
    // No certificate of its own, no redirect on port 80, no port for its administration.
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

function caddy(
  folder: string,
  args: readonly string[],
): { readonly child: Deno.ChildProcess; readonly errors: Promise<string> } {
  const child = new Deno.Command("caddy", {
    args: [...args],
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  return { child, errors: new Response(child.stderr).text() };
}

testUnless(reason, {
  name: "caddy accepts the configuration of the guide as it stands",
  fn: async () => {
    await inScratch(async (folder) => {
      const path = join(folder, "Caddyfile");
      await Deno.writeTextFile(
        path,
        await readBlock("docs/deploy.md", { language: "text", holds: "reverse_proxy" }),
      );
      for (const args of [["validate"], ["fmt", "--diff"]]) {
        const given = args[0] === "fmt" ? [path] : ["--config", path, "--adapter", "caddyfile"];
        const { child, errors } = caddy(folder, [...args, ...given]);
        const { code } = await child.status;
        assertEquals(code, 0, await errors);
      }
    });
  },
});

testUnless(reason, {
  name: "behind caddy",
  fn: async (t) => {
    await inScratch(async (folder) => {
      const port = freePort();
      const instances: [number, number] = [freePort(), freePort()];
      const files = await makeCertificate(folder, host);
      const path = await writeConfig(folder, { port, instances, files });
      await using _app = await startInstance(await makeApp(folder), instances[0]);
      const { child, errors } = caddy(folder, ["run", "--config", path, "--adapter", "caddyfile"]);
      let isEnded = false;
      child.status.then(() => isEnded = true);
      const client = new ProxyClient(port, await Deno.readTextFile(files.certificate));
      try {
        await isReady(client, async () => assert(!isEnded, isEnded ? await errors : ""));
        for (const [name, check] of Object.entries(proxyCases)) {
          await t.step(name, () => check(client));
        }
      } finally {
        if (!isEnded) child.kill("SIGTERM");
        await child.status;
        await errors;
      }
    });
  },
});

/** Waits until the proxy has found the instance that runs. */
async function isReady(client: ProxyClient, check: () => Promise<void>): Promise<void> {
  for (let tries = 0;; tries++) {
    await check();
    try {
      const { status } = await client.ask("/api/who");
      if (status === 200) return;
      assert(tries < 1_200, `${status}`);
    } catch (error) {
      if (tries >= 1_200) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
