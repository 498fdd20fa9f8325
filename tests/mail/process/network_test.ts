import { assert, assertStringIncludes } from "@std/assert";

Deno.test("provideMail warns about a host that the process may not reach", async () => {
  const output = await run(`
    const transport = httpMail({ url: "https://mail.example/send", token: "t" });
    provideMail(app, transport, options);`);
  assertStringIncludes(output, "add mail.example:443 to --allow-net");
});

Deno.test("mail: the timeout of a sent mail does not keep the process running", async () => {
  const startMs = performance.now();
  const output = await run(`
    provideMail(app, { send: async () => console.log("sent") }, { ...options, timeoutMs: 60_000 });
    await mail(app, { to: "b@example.org", subject: "s", body: "b" });`);
  assertStringIncludes(output, "sent");
  assert(performance.now() - startMs < 50_000);
});

async function run(code: string): Promise<string> {
  const script = `
    import { App, createLogger } from ${
    JSON.stringify(new URL("../../../mod.ts", import.meta.url).href)
  };
    import { httpMail, mail, provideMail } from ${
    JSON.stringify(new URL("../../../mail/mod.ts", import.meta.url).href)
  };
    const app = new App({ env: "prod", logger: createLogger({ write: (line) => console.log(line) }) });
    const options = { from: "a@example.org", origin: "https://example.org" };
    ${code}`;
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", "--allow-env", "--config", config, "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(script));
  await writer.close();
  const { stdout } = await child.output();
  return new TextDecoder().decode(stdout);
}
