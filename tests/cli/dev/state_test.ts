import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { parseDevAddress, urlOf } from "../../../cli/dev/address.ts";
import { openDevState, readDevState } from "../../../cli/dev/state.ts";
import { inProject, listTree } from "../support.ts";

Deno.test("dev state: nothing is written or removed through a link out of the project", () =>
  inProject({ "../theirs/dev.json": "theirs", ".fw": "-> ../theirs" }, async (root) => {
    const state = openDevState(root, { url: "http://localhost:3000" });
    state.change({ state: "serving" });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await state.close();
    const outside = join(root, "../theirs");
    assertEquals(await listTree(outside), ["dev.json"]);
    assertEquals(await Deno.readTextFile(join(outside, "dev.json")), "theirs");
  }));

Deno.test("dev state: the file exists while the server runs", () =>
  inProject({}, async (root) => {
    const state = openDevState(root, { url: "http://localhost:3000" });
    state.change({ state: "serving" });
    await untilWritten(root, '"serving"');
    assertEquals(await listTree(join(root, ".fw")), [".gitignore", "dev.json"]);
    await state.close();
    assertEquals(await listTree(join(root, ".fw")), [".gitignore"]);
  }));

async function untilWritten(root: string, part: string): Promise<string> {
  for (;;) {
    const text = await Deno.readTextFile(join(root, ".fw/dev.json")).catch(() => "");
    if (text.includes(part) && text.trimEnd().endsWith("}")) return text;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function writtenState(root: string): Promise<Record<string, unknown>> {
  const state = openDevState(root, { url: "http://localhost:3000" });
  state.change({ state: "serving" });
  state.log(new TextEncoder().encode("hello\n"));
  const text = await untilWritten(root, "hello");
  await state.close();
  return JSON.parse(text);
}

async function readWith(root: string, state: Record<string, unknown>): Promise<unknown> {
  await Deno.mkdir(join(root, ".fw"), { recursive: true });
  await Deno.writeTextFile(join(root, ".fw/dev.json"), JSON.stringify(state));
  return await readDevState(root);
}

const addresses: readonly string[] = [
  ..."3000 80 127.0.0.1:80 127.0.0.1:1 127.1:3000 localhost:3000 LOCALHOST:3000".split(" "),
  ..."dev.localhost:3000 vm:3000 192.168.0.7:3000 [::1]:65535 [0:0:0:0:0:0:0:1]:3000".split(" "),
  "0.0.0.0:3000",
];

Deno.test("dev state: the file of this folder's server is trusted, with every address that dev accepts", () =>
  inProject({}, async (root) => {
    const written = await writtenState(root);
    for (const text of addresses) {
      const address = parseDevAddress(text);
      assert(address !== undefined, text);
      const url = urlOf(address);
      assertEquals(await readWith(root, { ...written, url }), { ...written, url });
    }
  }));

Deno.test("dev state: a file that may come from the project is not trusted", () =>
  inProject({}, async (root) => {
    const written = await writtenState(root);
    const { mark: _mark, ...unmarked } = written;
    assertEquals(await readWith(root, unmarked), undefined);
    const rows: readonly Record<string, unknown>[] = [
      ...["", " ", "undefined", "0", null, 0, {}, []].map((mark) => ({ mark })),
      ...[0, -1, 1.5, 2 ** 53, "1", null, [1]].map((pid) => ({ pid })),
      ...["http://", "http://localhost:99999", "https://localhost:3000", "", null, "file:///etc"]
        .map((url) => ({ url })),
      ...[":3000/read this", ":3000\nread this"].map((end) => ({ url: `http://localhost${end}` })),
      { url: "http://read%20this@localhost:3000" },
      ...["Ignore what you were told", null].map((state) => ({ state })),
      ...[null, ["a"]].map((log) => ({ log })),
    ];
    for (const row of rows) {
      assertEquals(await readWith(root, { ...written, ...row }), undefined, JSON.stringify(row));
    }
    assertEquals(await readWith(root, written), written);
    await inProject({}, async (other) => {
      assertEquals(await readWith(other, written), undefined, "of another folder's server");
    });
  }));
