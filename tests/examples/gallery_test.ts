import { assertEquals, assertStringIncludes } from "@std/assert";
import { createLogger } from "../../mod.ts";
import * as ui from "../../ui/mod.ts";
import { newTestClient } from "../../runtime/testing/mod.ts";
import { newApp } from "../../examples/gallery/fw_gen.ts";
import { sections } from "../../examples/gallery/sections/mod.ts";

Deno.test("gallery: shows every visible member of the kit", async () => {
  const app = await newApp({ logger: createLogger({ write: () => {} }) });
  const client = newTestClient(app);
  const pages = await Promise.all(
    [
      "/",
      "/screens/orders",
      "/screens/sign-in",
      ...sections.map(({ name }) => `/components/${name}`),
    ]
      .map(async (path) => (await client.get(path).wantStatus(200)).body),
  );
  const shown = pages.join("\n");
  const sources = sections.map(({ source }) => source).join("\n");
  const missing = Object.keys(ui).filter((name) =>
    !shown.includes(`ui.${name}`) && !sources.includes(`ui.${name}`) && !inner.has(name)
  );
  assertEquals(missing, []);
});

/** Members used by a layout or a screen, or shown by other suites. */
const inner: ReadonlySet<string> = new Set([
  ..."actOnRows amount currentFile fieldBadge fieldColumns fieldDetails fieldFilter formPage history"
    .split(
      " ",
    ),
  ..."importPage isShown nearby newestRows overviewPage postButton relatedRows restoring scene textCard"
    .split(" "),
  ..."askPage childRows deletePage rowIds greeting saveTheme themeForm".split(" "),
  ..."bulkItem detailPage formValue inlineEdit listPage menuDialog navCount pageSize".split(" "),
  ..."body errors fade commandButton container shell flashes font place head".split(" "),
  ..."labels labelsPt labelsPtBr load method more navigateScript optimistic".split(" "),
  ..."pageHeader poll replaceUrl skipLink toaster uploadBar".split(" "),
  ..."uploadTo userMenu values".split(" "),
]);

Deno.test("gallery: shows an invalid form again with the submitted values", async () => {
  const app = await newApp({ logger: createLogger({ write: () => {} }) });
  const client = newTestClient(app);
  const { body } = await client.postForm("/screens/sign-in", { email: "a<b" }).wantStatus(422);
  assertStringIncludes(body, 'value="a&lt;b"');
  assertStringIncludes(body, 'aria-describedby="email-error" aria-invalid="true"');
});
