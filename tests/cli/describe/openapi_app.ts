/** Creates applications to describe with OpenAPI. */
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { type ApiDescription, describeApi } from "../../../cli/describe/openapi/describe.ts";
import type { ApiDocument } from "../../../cli/describe/openapi/document.ts";
import { createProject } from "../../../cli/project/project.ts";
import { type Files, inProject, type ScratchOptions } from "../support.ts";

export const checkout: string = fromFileUrl(new URL("../../../", import.meta.url)).replace(
  /\/$/,
  "",
);

/** The application with every form of type and schema. */
export const tortureRoot: string = join(checkout, "tests/fixtures/api");

/** A manifest through which a folder outside the repository imports the library. */
export const manifest: string = JSON.stringify({
  name: "shop",
  version: "1.2.3",
  imports: { "@fw/fw": "jsr:@fw/fw@^0.1", "@/": "./" },
  links: [checkout],
});

export async function inApp(
  files: Files,
  work: (root: string) => Promise<void>,
  options: ScratchOptions = {},
): Promise<void> {
  await inProject({ "deno.json": manifest, ...files }, work, options);
}

export async function describeFiles(files: Files): Promise<ApiDescription> {
  let found: ApiDescription | undefined;
  await inApp(files, async (root) => {
    found = await describeApi(createProject(root));
  });
  if (found === undefined) throw new TypeError("Cannot describe the files: nothing was found.");
  return found;
}

export async function describeDocument(files: Files): Promise<ApiDocument> {
  const { document, problems } = await describeFiles(files);
  assertEquals(problems, []);
  assert(document !== undefined);
  return document;
}
