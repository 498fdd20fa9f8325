import { assert, assertEquals } from "@std/assert";
import { DockerfileParser } from "npm:dockerfile-ast@0.7.1";
import { validate } from "npm:dockerfile-utils@0.16.3";
import { deno } from "../cli/support.ts";

/** Lists the instructions of an image as `NAME arguments`. */
export function readImage(text: string): string[] {
  assertEquals(validate(text), []);
  return DockerfileParser.parse(text).getInstructions()
    .map((line) => `${line.getInstruction()} ${line.getArgumentsContent() ?? ""}`);
}

/** Checks that an image installs a project's lock file as its user and starts its task. */
export async function checkInstall(lines: readonly string[], cwd: string): Promise<void> {
  assertEquals(lines.at(-1), 'CMD ["deno", "task", "start"]');
  const install = lines.find((line) => line.startsWith("RUN deno")) ?? "";
  assert(lines.indexOf("USER deno") < lines.indexOf(install));
  const args = install.split(" ").slice(2);
  // The first run writes the lock file that the image requires.
  await deno(args.filter((arg) => arg !== "--frozen"), cwd);
  const { code, output } = await deno(args, cwd);
  assertEquals(code, 0, output);
}
