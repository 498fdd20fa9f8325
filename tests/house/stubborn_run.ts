/** A run of one step that ignores SIGTERM, as does a process that it starts. */
import { endOnSignals, runAll } from "../../tools/test_run.ts";

const path = new URL(import.meta.url).pathname;
const [role] = Deno.args;

if (role === "run") {
  endOnSignals();
  const args = ["run", "-A", "--no-check", path, "step"];
  await runAll([{ title: "stubborn", args, groups: [["a_test.ts"]], isTest: true, jobs: 1 }]);
} else {
  Deno.addSignalListener("SIGTERM", () => {});
  if (role === "step") {
    const args = ["run", "-A", "--no-check", path, "server"];
    // In a group of its own, as browsers are.
    new Deno.Command(Deno.execPath(), { args, detached: true }).spawn();
  }
  // The test finds the processes by these files.
  await Deno.writeTextFile(`${Deno.env.get("TMPDIR")}/${role}.pid`, String(Deno.pid));
  setInterval(() => {}, 1000);
}
