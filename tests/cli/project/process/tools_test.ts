import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { root as checkout } from "../../../../tools/workspace.ts";
import {
  checkTypes,
  linkedLibrary,
  lint,
  type ToolFault,
} from "../../../../cli/project/process/tools.ts";
import { type Files, inProject, leanTypes } from "../../support.ts";

type Wanted = readonly (readonly [place: string, message: RegExp])[];
type Row = readonly [name: string, want: Wanted, files: Files];

function show({ place }: ToolFault): string {
  return place === undefined ? "" : `${place.file}:${place.line}:${place.column}`;
}

function check(faults: readonly ToolFault[], want: Wanted): void {
  assertEquals(faults.map(show), want.map(([place]) => place));
  want.forEach(([, message], index) => assertMatch(faults[index]?.message ?? "", message));
}

const nested = `interface A { x: { y: number; z: string } }
export const a: A = { x: { y: "", z: "" } };
export const b: A = { x: 3 } as { x: number };
`;

const typeRows: readonly Row[] = [
  ["nothing", [], { "a.ts": "export const a = 1;\n" }],
  [
    "two errors, one with the place of a declaration and one with a message of three lines",
    [
      ["a.ts:2:28", /^TS2322: Type 'string' is not assignable to type 'number'\.$/],
      [
        "a.ts:3:14",
        /^TS2322: Type '\{ x: number; \}' .*\n {2}Types of .*\n {4}Type 'number' .*\.$/,
      ],
    ],
    { "a.ts": nested },
  ],
  [
    "missing arguments, with the related information",
    [
      [
        "a.ts:2:1",
        /^TS2554: Expected 2 arguments, but got 1\.\nArguments for the rest parameter 'params' were not provided\.$/,
      ],
    ],
    {
      "a.ts": 'import { t } from "./b.ts";\nt("a");\n',
      "b.ts":
        "export function t(key: string, ...params: [number]): void {\n  void [key, params];\n}\n",
    },
  ],
  ["an import of nothing", [["a.ts:1:8", /^TS2307: Cannot find module 'file:.*nope\.ts'\.$/]], {
    "a.ts": 'import "./nope.ts";\n',
  }],
  [
    "a syntax error, which is not a type error",
    [["a.ts:1:7", /^SyntaxError: Unexpected token `=`/]],
    { "a.ts": "const = ;\n" },
  ],
];
for (const [name, want, files] of typeRows) {
  Deno.test(`checkTypes: ${name}`, () =>
    inProject(
      { "deno.json": `{ ${leanTypes} }`, ...files },
      async (root) => check(await checkTypes(root, "a.ts"), want),
      { name: "tools" },
    ));
}

const lintRows: readonly Row[] = [
  ["nothing", [], { "a.ts": "export const a = 1;\n" }],
  ["a rule", [["a.ts:2:1", /`var` keyword is not allowed\. \(no-var\)$/]], {
    "a.ts": "export const a = 1;\nvar b = 2;\nconsole.log(b);\n",
  }],
  [
    "a file that does not parse",
    [["b.ts:undefined:undefined", /^SyntaxError: Unexpected token `=`/]],
    { "b.ts": "const = ;\n" },
  ],
];
for (const [name, want, files] of lintRows) {
  Deno.test(`lint: ${name}`, async () => {
    await inProject(files, async (root) => check(await lint(root), want));
  });
}

Deno.test("lint: uses the linter's hint as the fix of a problem", () =>
  inProject({ "a.ts": "function a() {}\n" }, async (root) => {
    const [fault] = await lint(root);
    assertMatch(fault?.fix ?? "", /^If this is intentional, .+[^.]\.$/);
  }));

const plugin = `export default {
  name: "evil",
  rules: {
    read: {
      create: (c) => ({
        Program: (node) => c.report({ node, message: Deno.readTextFileSync("secret.txt") }),
      }),
    },
  },
};
`;

Deno.test("lint: runs plugins only where the project's code may run, and its rules always", async () => {
  const settings = {
    lint: {
      plugins: ["./evil.js"],
      rules: { tags: ["recommended"], exclude: ["no-var"], include: ["no-eval"] },
      exclude: ["left_out.ts"],
    },
    exclude: ["evil.js", "sub"],
  };
  const bad = "var a: any = 1;\neval(`${a}`);\n";
  const files = {
    "deno.json": JSON.stringify(settings),
    "evil.js": plugin,
    "secret.txt": "hunter2",
    "a.ts": bad,
    "left_out.ts": bad,
    "sub/b.ts": bad,
  };
  await inProject(files, async (root) => {
    const codes = async ({ isOwn }: { readonly isOwn: boolean }): Promise<string[]> => {
      const faults = await lint(root, { isOwn });
      return faults.map(({ message, place }) => `${place?.file} ${message}`)
        .map((text) => text.replace(/ [^ ].* \(([^()]+)\)$/, " $1")).sort();
    };
    const rules = ["a.ts no-eval", "a.ts no-explicit-any"];
    assertEquals(await codes({ isOwn: false }), rules);
    assertEquals(await codes({ isOwn: true }), ["a.ts evil/read", ...rules]);
    assertEquals((await lint(root, { isOwn: true }))[0]?.message, "hunter2 (evil/read)");
  });
});

const unspawnable: readonly (readonly [name: string, include: readonly string[]])[] = [
  ["more files than fit on a command line", new Array(100_000).fill("a_file_of_a_long_name.ts")],
  ["a name with a NUL", ["a\0.ts"]],
];
for (const [name, include] of unspawnable) {
  Deno.test(`lint: reports ${name} in a manifest`, async () => {
    const manifest = JSON.stringify({ lint: { include } });
    await inProject({ "deno.json": manifest, "a.ts": "" }, async (root) => {
      assertEquals((await lint(root)).length, 1);
    });
  });
}

Deno.test("lint: stops an endless plugin with its signal", () =>
  inProject({
    "deno.json": '{ "lint": { "plugins": ["./evil.js"] } }',
    "evil.js": "for (;;);\n",
  }, async (root) => {
    const signal = AbortSignal.timeout(300);
    const faults = await lint(root, { isOwn: true, signal });
    assertEquals(faults.length, 1);
    assertEquals((await lint(root)).filter(({ place }) => place?.file !== "evil.js"), []);
  }));

/** A manifest, and whether the library's types are checked first. */
const manifests: readonly (readonly [name: string, manifest: unknown, isFirst: boolean])[] = [
  ["a link to the checkout", { links: [checkout] }, true],
  ["other compiler options", { links: [checkout], compilerOptions: { strict: true } }, true],
  ["no link", {}, false],
  ["a link to another folder", { links: ["../other"] }, false],
  ["links that are not an array", { links: checkout }, false],
  ["types of its own", { links: [checkout], compilerOptions: { lib: ["dom"] } }, false],
];

for (const [name, manifest, isFirst] of manifests) {
  Deno.test(`linkedLibrary: ${name}`, () =>
    inProject({ "deno.json": JSON.stringify(manifest) }, async (root) => {
      assertEquals(await linkedLibrary(root), isFirst ? [join(checkout, "mod.ts")] : []);
    }));
}
