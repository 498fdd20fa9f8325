/** The guide's replacement of two instances behind nginx. */
import { assert, assertEquals } from "@std/assert";
import { readBlock } from "../../e2e/guide.ts";

export interface RestartedSite {
  readonly config: string;
  readonly args: readonly string[];
  readonly instances: readonly [number, number];
  restart(port: number): Promise<void>;
}

/** Runs the guide's restart script; `systemctl` calls this process, and sleeps are shorter. */
export async function runRestartScript(site: RestartedSite): Promise<void> {
  const { config, instances, args, restart } = site;
  const [one, two] = instances;
  const script = (await readBlock("docs/deploy.md", { language: "sh", holds: "nginx -s reload" }))
    .replaceAll("/etc/nginx/conf.d/shop.conf", config)
    .replaceAll("3001 3002", `${one} ${two}`);
  const stubs = `set -eu
sudo() { if [ "$1" != install ]; then "$@"; fi; }
nginx() { command nginx ${args.map((arg) => `'${arg}'`).join(" ")} "$@"; }
systemctl() { echo "$2"; read -r _done; }
sleep() { [ "$1" -gt 0 ] && command sleep 0.3; }
`;
  const shell = new Deno.Command("bash", {
    args: ["-c", stubs + script],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(shell.stderr).text();
  const answers = shell.stdin.getWriter();
  for await (const line of shell.stdout.pipeThrough(new TextDecoderStream())) {
    const port = Number(/^shop@(\d+)\n$/.exec(line)?.[1]);
    assert(instances.includes(port), line);
    await restart(port);
    await answers.write(new TextEncoder().encode("done\n"));
  }
  await answers.close();
  const { code } = await shell.status;
  assertEquals(code, 0, await errors);
}
