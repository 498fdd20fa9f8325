// test: child, runs the test runner
import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { chooseFiles, type ParsedOrder, parseOrder, usage } from "../../tools/test_order.ts";
import { root } from "../../tools/workspace.ts";

const orders: [args: string[], parsed: ParsedOrder][] = [
  [[], { kind: "run", order: { isFast: false, paths: [] } }],
  [["--fast"], { kind: "run", order: { isFast: true, paths: [] } }],
  [[join(root, "tests/ui/")], { kind: "run", order: { isFast: false, paths: ["tests/ui"] } }],
  [[root], { kind: "run", order: { isFast: false, paths: [] } }],
  // The root is everything: a path beside it takes nothing away.
  [[root, "tests/ui"], { kind: "run", order: { isFast: false, paths: [] } }],
  [["--fast", join(root, "tests/ui"), `${root}/`], {
    kind: "run",
    order: { isFast: true, paths: [] },
  }],
  [["--"], { kind: "run", order: { isFast: false, paths: [] } }],
  [["--", join(root, "tests/ui")], { kind: "run", order: { isFast: false, paths: ["tests/ui"] } }],
  [["--", "--fast"], { kind: "run", order: { isFast: true, paths: [] } }],
  [["--help"], { kind: "help" }],
  [["tests/ui", "-h"], { kind: "help" }],
  [["--fats"], { kind: "refused", message: "Unknown flag --fats. Did you mean --fast?" }],
  [["--hlep"], { kind: "refused", message: "Unknown flag --hlep. Did you mean --help?" }],
  [["--watching"], {
    kind: "refused",
    message: "Unknown flag --watching. Run with --help for a list",
  }],
  // A value would be dropped without a word.
  [["--fast=no"], { kind: "refused", message: "Unknown flag --fast=no. Did you mean --fast?" }],
];

for (const [args, parsed] of orders) {
  Deno.test(`parseOrder: ${args.join(" ").replaceAll(root, "<root>")}`, () => {
    assertEquals(parseOrder(args), parsed);
  });
}

const refused: [isFast: boolean, paths: string[], message: string][] = [
  [
    false,
    ["tests/house", "tests/nowhere"],
    'Cannot test "tests/nowhere": it has no file that ends in _test.ts or _test.tsx; ' +
    "name a folder or a file of tests/",
  ],
  [
    true,
    ["tests/browser"],
    'Cannot test "tests/browser": its tests start processes or browsers; ' +
    'run "deno task test tests/browser"',
  ],
];

for (const [isFast, paths, message] of refused) {
  Deno.test(`chooseFiles: refuses ${paths.join(" ")}${isFast ? " --fast" : ""}`, async () => {
    assertEquals(await chooseFiles({ isFast, paths }), { kind: "refused", message });
  });
}

Deno.test("chooseFiles: a file is itself", async () => {
  const paths = ["tests/house/tasks_test.ts"];
  const files = [{ path: "tests/house/tasks_test.ts", kind: "inside" as const }];
  assertEquals(await chooseFiles({ isFast: true, paths }), { kind: "files", files });
});

async function runTool(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", join(root, "tools/test.ts"), ...args],
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), error: decoder.decode(stderr) };
}

Deno.test("the runner: --help prints what runs and how long it takes, and runs nothing", async () => {
  const { code, out, error } = await runTool("--help");
  assertEquals({ code, out, error }, { code: 0, out: usage, error: "" });
  for (const text of ["deno task test:fast", "<paths>", "minutes"]) {
    assertStringIncludes(out, text);
  }
});

Deno.test("the runner: a wrong command line is one line and the exit code 2", async () => {
  const flag = await runTool("--fats");
  assertEquals(flag, { code: 2, out: "", error: "Unknown flag --fats. Did you mean --fast?\n" });
  const { code, out, error } = await runTool("docs");
  assertEquals({ code, out, lines: error.trimEnd().split("\n").length }, {
    code: 2,
    out: "",
    lines: 1,
  });
  assertStringIncludes(error, 'Cannot test "docs": ');
});
