import { assert } from "@std/assert";
import { ownModules } from "../../../../cli/project/files/own_modules.ts";

Deno.test("ownModules covers every folder of the command line", () => {
  const files = ownModules().join("\n");
  for (const name of ["main.ts", "facts/reach.ts", "describe/diff/schema.ts"]) {
    assert(files.includes(`/cli/${name} `), name);
  }
});
