import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { newFolder } from "../../new_folder.ts";

Deno.test("templates imported as text need no read permission, as in an executable", async () => {
  await using folder = await newFolder();
  await Deno.writeTextFile(join(folder.path, "a.gohtml"), '<a href="{{.}}">{{.}}</a>\n');
  await Deno.writeTextFile(
    join(folder.path, "main.ts"),
    `import { must, node } from ${JSON.stringify(new URL("../../../tmpl/mod.ts", import.meta.url))};
import a from "./a.gohtml" with { type: "text" };
console.log(node(must({ "a.gohtml": a }), "a.gohtml", "javascript:<").render());\n`,
  );
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", `--config=${config}`, join(folder.path, "main.ts")],
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  const found = decoder.decode(stdout).trim();
  assertEquals(found, '<a href="#ZgotmplZ">javascript:&lt;</a>', decoder.decode(stderr));
});
