import { assertStringIncludes } from "@std/assert";

Deno.test("provideMail warns about a host that the process may not reach", async () => {
  const code = `
    import { App, createLogger } from ${
    JSON.stringify(new URL("../../../mod.ts", import.meta.url).href)
  };
    import { httpMail, provideMail } from ${
    JSON.stringify(new URL("../../../mail/mod.ts", import.meta.url).href)
  };
    const app = new App({ env: "prod", logger: createLogger({ write: (line) => console.log(line) }) });
    const transport = httpMail({ url: "https://mail.example/send", token: "t" });
    provideMail(app, transport, { from: "a@example.org", origin: "https://example.org" });`;
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", "--allow-env", "--config", config, "-"],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(code));
  await writer.close();
  const { stdout } = await child.output();
  assertStringIncludes(new TextDecoder().decode(stdout), "add mail.example:443 to --allow-net");
});
