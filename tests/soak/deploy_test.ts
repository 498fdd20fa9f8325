/** What the guide to deploying says, tried: its commands, its unit, its images, its probes. */
import { configFromEnv } from "../../mod.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { parse as parseYaml } from "npm:yaml@2.9.1";
import { leastFlags, shellWords } from "../../cli/project/start_task.ts";
import { checkConfig } from "../../runtime/base/config/config.ts";
import { testUnless } from "../../tools/skip.ts";
import { shareFolder } from "../cli/shared_folder.ts";
import { deno, inScratch, runCli, writeFiles } from "../cli/support.ts";
import { checkTypes } from "../cli/type_check.ts";
import { freePort } from "../free_port.ts";
import { readBlock, readBlocks } from "../e2e/guide.ts";
import { makeApp, reasonWithout } from "../e2e/proxies/proxied_app.ts";
import { readStartTask, startApp } from "../e2e/running_app.ts";
import { checkInstall, readImage } from "./dockerfile.ts";
import { requestText, sendRaw } from "../security/raw_client.ts";

const guide = "docs/deploy.md";

/** Every command block of the guide by its first line, and who tries it. */
const tried: Readonly<Record<string, string>> = {
  "deno task check": "below",
  "openssl rand -base64 48": "below",
  "deno bundle --code-splitting --outdir dist/server fw_gen.ts": "below",
  "deno task build": "build_test.ts, with a stand-in for the base executable",
  "sudo install -m 755 dist/shop /opt/shop/shop": "nginx_test.ts, with the unit's part played",
  "deno serve --parallel --port=3000 --no-prompt --allow-env=FW_*,PORT,ADDR \\": "below",
  "./shop --fw version   # name, commit, versions of fw, Deno and V8, system":
    "facts_test.ts, with the same entry run from sources",
};

Deno.test("deploy: a test runs each command of the guide", async () => {
  const blocks = (await readBlocks(guide)).filter(({ language }) => language === "sh");
  assertEquals(
    blocks.map(({ text }) => text.split("\n")[0] ?? "").sort(),
    Object.keys(tried).sort(),
  );
});

const shared = shareFolder("deploy", (folder) => runCli(["new", "shop"], { cwd: folder }));

async function inApp(work: (cwd: string) => Promise<void>): Promise<void> {
  await work(join(shared(), "shop"));
}

Deno.test("deploy: a new application passes the release checks", async () => {
  const block = await readBlock(guide, { language: "sh", holds: "task check" });
  await inApp(async (cwd) => {
    for (const line of block.trim().split("\n")) {
      const { code, output } = await deno(line.split(" ").slice(1), cwd);
      assertEquals(code, 0, `${line}\n${output}`);
    }
  });
});

testUnless(await reasonWithout("openssl"), {
  name: "deploy: the key that the guide makes is taken",
  fn: async () => {
    const line = (await readBlock(guide, { language: "sh", holds: "openssl" })).trim();
    const [program = "", ...args] = line.split(" ");
    const { stdout } = await new Deno.Command(program, { args }).output();
    const secret = new TextDecoder().decode(stdout).trim();
    checkConfig({ ...configFromEnv(), secret });
  },
});

Deno.test("deploy: the guide's permissions equal those of a new project", async () => {
  const block = await readBlock(guide, { language: "text", holds: "--allow-net" });
  assertEquals(block.split(/\s+/).filter((flag) => flag !== ""), leastFlags);
});

/** The unit, with a program that is there. */
async function readUnit(program: string): Promise<string> {
  return (await readBlock(guide, { language: "ini" })).replace("/opt/shop/shop", program);
}

testUnless(await reasonWithout("systemd-analyze"), {
  name: "deploy: systemd accepts the unit without a word, and finds little exposed",
  fn: async () => {
    await inScratch(async (folder) => {
      const path = join(folder, "shop@3001.service");
      await Deno.writeTextFile(path, await readUnit("/bin/true"));
      const analyze = async (...args: string[]): Promise<{ code: number; said: string }> => {
        const { code, stderr } = await new Deno.Command("systemd-analyze", {
          args: [...args, path],
          stdin: "null",
          stdout: "null",
          stderr: "piped",
        }).output();
        return { code, said: new TextDecoder().decode(stderr) };
      };
      assertEquals(await analyze("verify"), { code: 0, said: "" });
      assertEquals((await analyze("security", "--offline=true", "--threshold=35")).code, 0);
    });
  },
});

Deno.test("deploy: the unit allows more time to stop than the application needs", async () => {
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(await readUnit("x"))?.[1]);
  assert(seconds * 1_000 > configFromEnv().timeouts.shutdownMs);
});

const imageOf = async (holds: string): Promise<string[]> =>
  readImage(await readBlock(guide, { language: "dockerfile", holds }));

Deno.test("deploy: the image with Deno installs the lock file's packages and runs the start task", async () => {
  const lines = await imageOf("COPY --chown");
  await inApp(async (cwd) => {
    await checkInstall(lines, cwd);
    await using app = startApp("deno task start", { cwd });
    assertEquals(await (await app.get("/_fw/health/live")).json(), { status: "pass" });
    app.kill("SIGTERM");
    assertEquals((await app.ended()).code, 0);
  });
});

Deno.test("deploy: the bundle serves pages and static files alone, with the flags of the start task", async () => {
  const block = await readBlock(guide, { language: "sh", holds: "deno bundle" });
  const [bundle = "", copy = ""] = block.trim().split("\n");
  await inApp(async (cwd) => {
    const { code, output } = await deno(bundle.split(" ").slice(1), cwd);
    assertEquals(code, 0, output);
    const [program = "", ...args] = copy.split(" ");
    assertEquals((await new Deno.Command(program, { args, cwd }).output()).code, 0);
    const command = (await readStartTask(cwd)).replace(/fw_gen\.ts$/, "fw_gen.js");
    await inScratch(async (elsewhere) => {
      await Deno.rename(join(cwd, "dist/server"), join(elsewhere, "server"));
      await using app = startApp(command, { cwd: join(elsewhere, "server") });
      const page = await app.get("/");
      assertEquals(page.status, 200);
      const style = /href="(\/style\.css[^"]*)"/.exec(await page.text())?.[1] ?? "";
      const found = await app.get(style);
      assertEquals([found.status, found.headers.get("content-type")], [
        200,
        "text/css; charset=utf-8",
      ]);
      await found.body?.cancel();
      const missing = await app.get("/none");
      assertEquals(missing.status, 404);
      await missing.body?.cancel();
      app.kill("SIGTERM");
      assertEquals((await app.ended()).code, 0);
    });
  });
});

Deno.test("deploy: the image without Deno copies the output of build", async () => {
  const lines = await imageOf("distroless");
  const command = lines.find((line) => line.startsWith("RUN deno task build")) ?? "";
  const output = /--output (\S+)$/.exec(command)?.[1] ?? "";
  assertEquals(lines.find((line) => line.startsWith("COPY /")), `COPY ${output} /shop`);
  assertEquals(lines.at(-1), 'ENTRYPOINT ["/shop"]');
});

Deno.test("deploy: both images use the tested version of Deno", async () => {
  for (const { language, text } of await readBlocks(guide)) {
    if (language !== "dockerfile") continue;
    assertMatch(text, new RegExp(`^FROM denoland/deno:${Deno.version.deno}( |$)`, "m"));
  }
});

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: number };
}

interface Pod {
  readonly containers: readonly { readonly livenessProbe: Probe; readonly readinessProbe: Probe }[];
}

Deno.test("deploy: the probes reach an application that accepts a single host", async () => {
  const pod: Pod = parseYaml(await readBlock(guide, { language: "yaml" }));
  const [container] = pod.containers;
  await inScratch(async (folder) => {
    const { cwd, command } = await makeApp(folder);
    const env = { FW_ALLOWED_HOSTS: "shop.example", ADDR: "127.0.0.1:0" };
    await using app = startApp(command, { cwd, env });
    const port = Number(new URL(await app.url()).port);
    const statusOf = async (path: string): Promise<number> => {
      const request = requestText(`GET ${path}`, { Host: `10.1.2.3:${port}` });
      return (await sendRaw({ hostname: "127.0.0.1", port }, request)).status;
    };
    for (const probe of [container?.livenessProbe, container?.readinessProbe]) {
      const { path = "" } = probe?.httpGet ?? {};
      assertEquals(await statusOf(path), 200, path);
    }
    assertEquals(await statusOf("/"), 400);
  });
});

Deno.test("deploy: serve.ts runs under deno serve in several threads, with the flags of the guide", async () => {
  const source = await readBlock(guide, { language: "ts", holds: "// serve.ts" });
  const command = (await readBlock(guide, { language: "sh", holds: "deno serve" }))
    .replace("\\\n", " ").trim();
  await inApp(async (cwd) => {
    await writeFiles(cwd, { "serve.ts": source });
    const checked = await checkTypes(["serve.ts"], cwd);
    assertEquals(checked.code, 0, checked.output);
    const port = freePort();
    const line = command.replace("--port=3000", `--host=127.0.0.1 --port=${port}`);
    assert(line.includes(`--port=${port}`));
    assertEquals(shellWords(line).length, 1);
    await using app = startApp(line, { cwd, env: { DENO_JOBS: "2" } });
    await app.saw("Listening");
    for (const path of ["/", "/style.css", "/_fw/health/ready"]) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      await response.body?.cancel();
      assertEquals(response.status, 200, path);
    }
  });
});

Deno.test("scaling: the guide's trial serves from two processes, then from the remaining one", async () => {
  const block = await readBlock("docs/scaling.md", { language: "sh", holds: "FW_REUSE_PORT" });
  await inScratch(async (folder) => {
    await runCli(["new", "shop"], { cwd: folder });
    const config = join(folder, "shop/deno.json");
    const { unstable = [], ...rest } = JSON.parse(await Deno.readTextFile(config));
    await Deno.writeTextFile(config, JSON.stringify({ ...rest, unstable: [...unstable, "net"] }));
    const port = freePort();
    const listening = "until [ $(grep -c '\"listening\"' log) = 2 ]; do sleep 0.1; done";
    const script = block.replaceAll(":3000", `:${port}`).replaceAll("start &", "start >> log &")
      .replace("sleep 5", listening).replace("kill %1", "kill %1; wait %1");
    const { success, stdout } = await new Deno.Command("bash", {
      args: ["-c", `export PORT=${port}\n${script}\nkill %2; wait %2`],
      cwd: join(folder, "shop"),
    }).output();
    assert(success);
    assertMatch(new TextDecoder().decode(stdout), /^HTTP\/1\.1 200/);
    const log = await Deno.readTextFile(join(folder, "shop/log"));
    assertEquals(log.split("\n").filter((line) => line.includes('"msg":"request"')).length, 7);
  });
});
