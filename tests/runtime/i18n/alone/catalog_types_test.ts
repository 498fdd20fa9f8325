/**
 * The compiler's cost of a catalog is linear in its messages. The test counts the types that it
 * instantiates, which a busy machine does not change.
 */
import { join } from "@std/path";
import { assertEquals, assertLess } from "@std/assert";
import ts from "npm:typescript@6.0.3";
import { root } from "../../../../tools/workspace.ts";

const catalogFiles = new Map([
  ["/types.ts", await Deno.readTextFile(join(root, "runtime/base/catalog.ts"))],
  [
    "/i18n.ts",
    `import type { Catalog, CatalogSource, CheckedCatalog } from "./types.ts";
    export declare function catalog<const T extends CatalogSource>(
      source: T & CheckedCatalog<T>,
    ): Catalog<T>;`,
  ],
]);

const kinds: readonly [name: string, message: (text: string) => string, params: string][] = [
  ["plain texts", (text) => `"${text}"`, ""],
  ["texts with parameters", (text) => `"${text} {name} {place}"`, ", params"],
  ["plural forms", (text) => `{ one: "one ${text}", other: "{count} ${text}" }`, ", params"],
  ["functions", (text) => `({ n }: { n: number }) => "${text}" + n`, ", params"],
];

function appOf([, message, params]: typeof kinds[number], keys: number): string {
  const numbers = Array.from({ length: keys }, (_, at) => at);
  const entries = ["en", "pt"].map((tag) =>
    `${tag}: { ${numbers.map((at) => `k${at}: ${message(`${tag} ${at}`)}`).join(",\n")} }`
  );
  return `import { catalog } from "./i18n.ts";
    const messages = catalog({ ${entries.join(",\n")} });
    const params = { name: "Ana", place: 1, count: 2, n: 3 };
    ${numbers.map((at) => `messages.text("en", "k${at}"${params});`).join("\n")}`;
}

const options: ts.CompilerOptions = {
  strict: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  types: [],
  lib: ["lib.es5.d.ts", "lib.es2018.intl.d.ts", "lib.es2020.bigint.d.ts"],
  target: ts.ScriptTarget.ES2020,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** Counts the types that the compiler instantiates for a catalog of some messages. */
function countTypes(kind: typeof kinds[number], keys: number): number {
  const files = new Map([...catalogFiles, ["/app.ts", appOf(kind, keys)]]);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const program = ts.createProgram(["/app.ts"], options, {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    getSourceFile: (path, target) => {
      const text = files.get(path);
      return text === undefined
        ? getSourceFile(path, target)
        : ts.createSourceFile(path, text, target);
    },
  });
  assertEquals(program.getSemanticDiagnostics(program.getSourceFile("/app.ts")), []);
  return program.getInstantiationCount();
}

for (const kind of kinds) {
  Deno.test(`catalog: the types of the compiler grow linearly with ${kind[0]}`, () => {
    const [none = 0, few = 0, many = 0] = [0, 20, 80].map((keys) => countTypes(kind, keys));
    assertLess(many - none, 4.2 * (few - none));
  });
}
