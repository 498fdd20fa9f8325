import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Refusal, testRefusals } from "../../refusals.ts";
import { inProject, runCli } from "../../support.ts";
import { baseFiles, isAlive, startCli, until, withDev, withFolder } from "../project.ts";

// Every project of these suites ends by SIGINT.
for (const signal of ["SIGTERM", "SIGHUP"] as const) {
  Deno.test(`${signal} ends dev with code 0 and leaves no process running`, async () => {
    const setup = `export function Setup(): void {
  new Deno.Command("sleep", { args: ["300"], stdin: "null", stdout: "null", stderr: "null" }).spawn();
}
`;
    await withDev({ "app/setup.ts": setup }, async (project) => {
      const pid = await project.childPid();
      const helpers = childrenOf(pid);
      assertEquals(helpers.length, 1, "what the application started");
      const { process } = project;
      process.kill(signal);
      const { code } = await process.ended();
      assertEquals(code, 0);
      // The system takes a moment to end a process.
      for (const one of [pid, ...helpers]) await until(() => isAlive(one), (alive) => !alive);
    });
  });
}

Deno.test("the application ends if dev is killed", () =>
  withDev({}, async (project) => {
    const pid = await project.childPid();
    project.process.kill("SIGKILL");
    await project.process.ended();
    await until(() => isAlive(pid), (alive) => !alive);
  }));

Deno.test("dev names a taken port and the fix", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await inProject(baseFiles, async (cwd) => {
    const taken = `127.0.0.1:${listener.addr.port}`;
    const { code, stderr } = await runCli(["dev", "--addr", taken], { cwd });
    assertEquals(code, 1);
    for (const text of [taken, "another program uses this port", "--addr"]) {
      assertStringIncludes(stderr, text);
    }
  });
});

testRefusals("dev", [["", 1, 'deno.json has "exports"', 'deno.json tem "exports"']], {
  ...baseFiles,
  "deno.json": '{ "exports": "./fw_gen.ts" }',
});
testRefusals("dev", [
  ["--addr here", 2, 'Cannot listen on "here"', 'escutar em "here"'],
  ["--addr :99999", 2, 'Cannot listen on ":99999"', 'escutar em ":99999"'],
  // Flags of other frameworks.
  ...["--port 4000", "--port=4000", "-p 4000", "--host x"].map((
    line,
  ): Refusal => [line, 2, "Did you mean --addr?", "--addr?"]),
  ["--adr 1", 2, "--addr"],
  // Addresses that this machine does not have.
  ...["203.0.113.1:4000", "[2001:db8::1]:4000"].map((
    addr,
  ): Refusal => [`--addr ${addr}`, 1, `Cannot listen on ${addr}: `, "--addr"]),
], baseFiles);

Deno.test("the process of an invalid command line exits with 2", () =>
  withFolder(baseFiles, async (dir) => {
    const process = startCli(dir, ["dev", "--adr", "1"]);
    assertEquals((await process.ended()).code, 2);
    assertStringIncludes(process.written.stderr, "--addr");
  }));

function childrenOf(pid: number): number[] {
  const text = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`);
  return text.split(" ").filter((part) => part.trim() !== "").map(Number);
}
