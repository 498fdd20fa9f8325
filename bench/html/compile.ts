// deno-lint-ignore-file no-import-prefix -- benches pin their peers
/** Compiles the shared JSX source for each peer, into a separate folder. */

import { transformAsync } from "npm:@babel/core@7.28.5";
import solid from "npm:babel-preset-solid@1.9.16";
import ts from "npm:typescript@6.0.3";
import type { Pages } from "./contender.ts";

const source = await Deno.readTextFile(new URL("./pages_jsx.tsx", import.meta.url));
const folder = await Deno.makeTempDir();

/** Removes the compiled files. */
export async function removeCompiled(): Promise<void> {
  await Deno.remove(folder, { recursive: true });
}

/** Writes a module and imports it. */
export async function importCode(name: string, code: string): Promise<Record<string, unknown>> {
  const file = `${folder}/${name}.js`;
  await Deno.writeTextFile(file, code);
  return await import(`file://${file}`);
}

/** Compiles the JSX source with the automatic runtime of a peer. */
export async function jsxPages(name: string, options: {
  readonly runtime: string;
  readonly edit?: (source: string) => string;
}): Promise<Pages> {
  const edited = options.edit === undefined ? source : options.edit(source);
  const { outputText } = ts.transpileModule(edited, {
    fileName: "pages.tsx",
    compilerOptions: {
      jsx: ts.JsxEmit.ReactJSX,
      jsxImportSource: "runtime",
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ESNext,
    },
  });
  const code = outputText.replaceAll('"runtime/jsx-runtime"', JSON.stringify(options.runtime));
  return await importCode(name, code) as unknown as Pages;
}

/** Compiles the JSX source with Solid for the server. */
export async function solidPages(web: string): Promise<Pages> {
  const { outputText } = ts.transpileModule(source, {
    fileName: "pages.tsx",
    compilerOptions: { jsx: ts.JsxEmit.Preserve, target: ts.ScriptTarget.ESNext },
  });
  const presets = [[solid, { generate: "ssr", hydratable: false }]];
  const result = await transformAsync(outputText, { presets, babelrc: false, configFile: false });
  const code = (result?.code ?? "").replaceAll('"solid-js/web"', JSON.stringify(web));
  return await importCode("solid", code) as unknown as Pages;
}
