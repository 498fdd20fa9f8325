/**
 * The compiler's cost of a catalog is linear in its messages. The test counts calls of the
 * compiler's functions, which a busy machine does not change.
 */
import { join } from "@std/path";
import { assertEquals, assertLess } from "@std/assert";
import { Session } from "node:inspector/promises";
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

interface Size {
  readonly keys: number;
  readonly languages: number;
}

function appOf([, message, params]: typeof kinds[number], { keys, languages }: Size): string {
  const numbers = Array.from({ length: keys }, (_, at) => at);
  const tags = ["en", "pt", "fr", "de"].slice(0, languages);
  const entries = tags.map((tag) =>
    `${tag}: { ${
      numbers.map((at) => `k${at}: ${message(`${tag} ${keys} ${languages} ${at}`)}`).join(",\n")
    } }`
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

const sizes: readonly Size[] = [
  { keys: 20, languages: 2 },
  { keys: 80, languages: 2 },
  { keys: 20, languages: 4 },
];

/** Counts the calls for each kind and size, in one program that has already checked a small app. */
async function countCalls(): Promise<number[][]> {
  const apps = kinds.flatMap((kind) => sizes.map((size) => appOf(kind, size)));
  const names = apps.map((_, at) => `/app${at}.ts`);
  const files = new Map([
    ...catalogFiles,
    ...names.map((name, at): [string, string] => [name, apps[at] ?? ""]),
    ...kinds.map((kind, at): [string, string] => [
      `/small${at}.ts`,
      appOf(kind, { keys: 1, languages: 2 }),
    ]),
  ]);
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, target) => {
      const text = files.get(path);
      return text === undefined
        ? host.getSourceFile(path, target)
        : ts.createSourceFile(path, text, target);
    },
  });
  const check = (path: string): void =>
    assertEquals(program.getSemanticDiagnostics(program.getSourceFile(path)), []);
  // The first checks of a program create the data shared by the others.
  kinds.forEach((_, at) => check(`/small${at}.ts`));
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const calls: number[] = [];
  for (const name of names) {
    await session.post("Profiler.takePreciseCoverage");
    check(name);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const counts = result.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]));
    calls.push(counts.reduce((sum, range) => sum + (range?.count ?? 0), 0));
  }
  session.disconnect();
  return kinds.map((_, at) => calls.slice(at * sizes.length, (at + 1) * sizes.length));
}

const counts = await countCalls();

kinds.forEach(([name], at) => {
  Deno.test(`catalog: the compiler's calls grow linearly with ${name}`, () => {
    const [calls = 0, callsOfKeys = 0, callsOfLanguages = 0] = counts[at] ?? [];
    assertLess(callsOfKeys, 4.4 * calls);
    assertLess(callsOfLanguages, 2.3 * calls);
  });
});
