/**
 * Gathers what a program tells of itself, in a process whose `JSR_URL` names a registry: Deno reads it in
 * the processes that it starts. `deno run -A gather_facts.ts <folder> <registry>` prints JSON.
 *
 * @module
 */
import { gatherBinaryFacts } from "../../../cli/build/tell/facts.ts";
import { createProject } from "../../../cli/project/project.ts";

const [root = "", registry = ""] = Deno.args;
const steps: string[] = [];
const { licenses = "" } = await gatherBinaryFacts(createProject(root), {
  entry: "main.ts",
  target: "t",
  registry,
  onStep: (text) => void steps.push(text),
  onWarning: ({ message }) => {
    throw new Error(message);
  },
});
console.log(JSON.stringify({ licenses, steps }));
