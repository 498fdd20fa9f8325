import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { writeRedirectPage, writeSitemap } from "../../../runtime/export/made.ts";

Deno.test("writeSitemap: splits more than 50,000 URLs into several files with an index", () => {
  const entries = Array.from({ length: 50_001 }, (_, i) => ({
    url: `https://e.com/${String(i).padStart(6, "0")}`,
    lastModified: i === 0 ? "not a date" : null,
  }));
  const files = writeSitemap(entries, "https://e.com/docs/");
  assertEquals([...files.keys()], ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]);
  const count = (name: string): number => files.get(name)?.match(/<url>/g)?.length ?? 0;
  assertEquals([count("sitemap-1.xml"), count("sitemap-2.xml")], [50_000, 1]);
  const part = "<loc>https://e.com/docs/sitemap-2.xml</loc>";
  assertStringIncludes(files.get("sitemap.xml") ?? "", part);
});

Deno.test("writeRedirectPage: a URL cannot leave its attribute", () => {
  const html = writeRedirectPage(`/b?"><script>alert(1)</script>`);
  assert(!html.includes("<script"));
});
