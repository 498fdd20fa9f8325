import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { drawMap, mapPath } from "../../../tools/layer_map.ts";
import { root } from "../../../tools/workspace.ts";

Deno.test("layers: docs/layers.svg shows the imports of the code (deno task map writes it)", async () => {
  assertEquals(await Deno.readTextFile(join(root, mapPath)), await drawMap());
});
