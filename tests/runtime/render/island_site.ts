/** Applications with islands in memory. */
import type { AppParts, Ctx, FileSource, Result, Route, Settings } from "../../../mod.ts";
import { fingerprintBytes } from "../../../runtime/serve/static/form.ts";
import { newSite, type Site } from "../app/support.ts";

const code = "export default function () {}\n";
export const version = fingerprintBytes(new TextEncoder().encode(code));

/** Returns an in-memory public folder with some modules. */
export const modules: FileSource = {
  get: (path) => {
    if (!/^(?:islands\/(?:counter|chart|ação)\.js|js\/x\.mjs|data\/x\.bin)$/.test(path)) {
      return undefined;
    }
    const bytes = new TextEncoder().encode(code);
    const read = ({ start, end }: { start: number; end: number }) => bytes.subarray(start, end);
    return { size: bytes.length, modifiedMs: 1, fingerprint: version, read };
  },
};

export type Page = (c: Ctx) => Result | Promise<Result>;

export function siteOf(
  page: Page,
  options: { config?: Settings; parts?: AppParts; route?: Partial<Route> } = {},
): Site {
  const config = { public: modules, ...options.config };
  const parts = options.parts === undefined ? {} : { parts: options.parts };
  return newSite([{ pattern: "/", page, ...options.route }], { config, ...parts });
}

export async function htmlOf(site: Site, init: RequestInit = {}, path = "/"): Promise<string> {
  const response = await site.app.fetch(new Request(`http://localhost${path}`, init));
  return await response.text();
}

export function unescape(text: string): string {
  return text.replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
