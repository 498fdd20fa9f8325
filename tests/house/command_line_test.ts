import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { listFiles, root } from "../../tools/workspace.ts";
import { findMissing, generationErrors } from "./command_line.ts";

Deno.test("generation errors: a test of the command line covers each one in the specification", async () => {
  const paths = await listFiles("tests/cli", [".ts"]);
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(join(root, path))));
  assertEquals(findMissing(generationErrors, texts), []);
});

Deno.test("findMissing: a code that is only the prefix of a word is missing", () => {
  assertEquals(findMissing(["E_NO_APP", "E_PARSE"], ["E_NO_APPS", "x E_PARSE:"]), ["E_NO_APP"]);
});
