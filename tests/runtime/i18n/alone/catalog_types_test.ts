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
  lib: ["lib.es2020.d.ts"],
  target: ts.ScriptTarget.ES2020,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};
const host = ts.createCompilerHost(options);
const parsed = new Map<string, ts.SourceFile | undefined>();

function programOf(app: string): ts.Program {
  const files = new Map([...catalogFiles, ["/app.ts", app]]);
  return ts.createProgram(["/app.ts"], options, {
    ...host,
    fileExists: (path) => files.has(path) || host.fileExists(path),
    readFile: (path) => files.get(path) ?? host.readFile(path),
    getSourceFile: (path, target) => {
      const text = files.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, target);
      if (!parsed.has(path)) parsed.set(path, host.getSourceFile(path, target));
      return parsed.get(path);
    },
  });
}

async function countCalls(session: Session, app: string): Promise<number> {
  const program = programOf(app);
  await session.post("Profiler.takePreciseCoverage");
  const faults = program.getSemanticDiagnostics(program.getSourceFile("/app.ts"));
  const { result } = await session.post("Profiler.takePreciseCoverage");
  assertEquals(faults.map(({ messageText }) => messageText), []);
  const calls = result.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count));
  return calls.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

for (const kind of kinds) {
  Deno.test(`catalog: the compiler's calls grow linearly with ${kind[0]}`, async () => {
    const session = new Session();
    session.connect();
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    const count = (size: Size): Promise<number> => countCalls(session, appOf(kind, size));
    // The first program of a process creates the data shared by the others.
    await count({ keys: 1, languages: 2 });
    const calls = await count({ keys: 40, languages: 2 });
    const ofKeys = await count({ keys: 80, languages: 2 });
    const ofLanguages = await count({ keys: 80, languages: 4 });
    session.disconnect();
    assertLess(ofKeys, 2.3 * calls);
    assertLess(ofLanguages, 2.3 * ofKeys);
  });
}
