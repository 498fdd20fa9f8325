import { assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { testUnless } from "../../../tools/skip.ts";
import { reasonWithoutPrograms } from "../../programs.ts";
import { startApp } from "../running_app.ts";
import { newFolder } from "../../new_folder.ts";

const folder = fromFileUrl(new URL(".", import.meta.url));
const guide = fromFileUrl(new URL("../../../docs/observability.md", import.meta.url));

const token = "0123456789abcdef".repeat(2);

const noPromtool = await reasonWithoutPrograms("promtool");

function startObserved(): ReturnType<typeof startApp> {
  return startApp("deno run -A --no-check observed_server.ts", {
    cwd: folder,
    env: { FW_METRICS: "/metrics", FW_OBS_TOKEN: token, FW_OBS_TRUSTED: "", FW_SECRET: "" },
  });
}

async function promtool(args: readonly string[], input = ""): Promise<string> {
  const child = new Deno.Command("promtool", {
    args: [...args],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder();
  return `${code} ${text.decode(stdout)}${text.decode(stderr)}`.trim();
}

testUnless(noPromtool, {
  name: "promtool check metrics reports nothing for the served metrics",
  fn: async () => {
    await using app = startObserved();
    for (const path of ["events/1?city=Faro", "events/2?city=%22%5C%0A", "nothing", "meant"]) {
      await (await app.get(path)).body?.cancel();
    }
    const response = await app.get("metrics", { headers: { authorization: `Bearer ${token}` } });
    assertEquals(await promtool(["check", "metrics"], await response.text()), "0");
  },
});

async function readBlocks(language: string): Promise<string[]> {
  const text = await Deno.readTextFile(guide);
  return [...text.matchAll(/^```(\S*)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language).map(([, , body = ""]) => body);
}

testUnless(noPromtool, {
  name: "promtool accepts the configuration and the alerts of the guide",
  fn: async () => {
    await using folder = await newFolder();
    const [config, rules, secret] = ["prometheus.yml", "rules.yml", "token"].map((name) =>
      join(folder.path, name)
    ) as [string, string, string];
    await Deno.writeTextFile(secret, token);
    const blocks = await readBlocks("yaml");
    const blockWith = (key: string): string => blocks.find((text) => text.includes(key)) ?? "";
    const scrape = blockWith("scrape_configs:").replace("/etc/prometheus/events_token", secret);
    await Deno.writeTextFile(config, scrape);
    assertStringIncludes(await promtool(["check", "config", config]), "0 Checking");
    await Deno.writeTextFile(rules, blockWith("groups:"));
    assertStringIncludes(await promtool(["check", "rules", rules]), "SUCCESS");
  },
});
