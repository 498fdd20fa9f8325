import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { writeRedirectPage, writeSitemap } from "../../../runtime/export/made.ts";

Deno.test("writeSitemap: sorted, escaped, with dates that can be read", () => {
  const files = writeSitemap([
    { url: "https://e.com/b?x=1&y", lastModified: "not a date" },
    { url: "https://e.com/a", lastModified: "Thu, 14 May 2026 10:00:00 GMT" },
  ], "https://e.com/");
  assertEquals([...files.keys()], ["sitemap.xml"]);
  assertEquals(
    files.get("sitemap.xml"),
    `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://e.com/a</loc><lastmod>2026-05-14T10:00:00.000Z</lastmod></url>
<url><loc>https://e.com/b?x=1&amp;y</loc></url>
</urlset>
`,
  );
});

Deno.test("writeSitemap: beyond 50,000 addresses there are several, with an index", () => {
  const entries = Array.from({ length: 50_001 }, (_, i) => ({
    url: `https://e.com/${String(i).padStart(6, "0")}`,
    lastModified: null,
  }));
  const files = writeSitemap(entries, "https://e.com/docs/");
  assertEquals([...files.keys()], ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"]);
  const count = (name: string): number => files.get(name)?.match(/<url>/g)?.length ?? 0;
  assertEquals([count("sitemap-1.xml"), count("sitemap-2.xml")], [50_000, 1]);
  const part = "<loc>https://e.com/docs/sitemap-2.xml</loc>";
  assertStringIncludes(files.get("sitemap.xml") ?? "", part);
});

Deno.test("writeRedirectPage: an address cannot leave its attribute", () => {
  const html = writeRedirectPage(`/b?"><script>alert(1)</script>`);
  assert(!html.includes("<script"));
});
