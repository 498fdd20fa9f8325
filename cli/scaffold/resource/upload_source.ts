/**
 * The routes that serve the uploads of a resource, and what lets their forms be large.
 *
 * @module
 */
import type { Field } from "./fields.ts";
import { labelOf } from "./names.ts";
import type { ResourcePlan } from "./plan.ts";
import { neededKiB, sizeText, type UploadField } from "./uploads.ts";

/** Returns the path of the route that serves an upload. */
export function uploadRouteFile({ names }: ResourcePlan, { name }: UploadField): string {
  return `app/${names.url}/id_/${name}/route.ts`;
}

/** Returns the text of the route that serves an upload. */
export function uploadRouteSource(plan: ResourcePlan, upload: UploadField): string {
  const { names: { many, aOne, url, table }, importOf, hasApi } = plan;
  const { name, type } = upload;
  const isImage = type === "image";
  const module = importOf(`lib/${table}.ts`, uploadRouteFile(plan, upload));
  const directive = hasApi
    ? `openapi:response 200 ${isImage ? "image/*" : "application/octet-stream"}`
    : "openapi:omit";
  const headers = isImage
    ? `{ "content-type": file.type }`
    : `{ "content-type": "application/octet-stream", "content-disposition": ` +
      "`attachment; filename*=UTF-8''${filename}` }";
  const safe = isImage
    ? ""
    : "  // A browser saves it and never shows it: a file may be a page with scripts.\n" +
      "  const filename = encodeURIComponent(file.name)\n" +
      "    .replaceAll(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);\n";
  return `import { type Ctx, int, notFound, type Result, use } from "@fw/fw";
import { ${many} } from "${module}";

/**
 * Returns the ${labelOf(name).toLowerCase()} of ${aOne}.
 *
 * ${directive}
 */
export function GET(c: Ctx<"/${url}/{id}/${name}">): Result {
  const id = c.param("id", int());
  const file = use(c, ${many}).get(id).${name};
  if (file === null) throw notFound();
  // Pages link to it with its hash, so that what is kept for a year is never stale.
  const isNamed = c.query("v") === file.hash;
  c.cacheControl(isNamed ? "private, max-age=31536000, immutable" : "private, no-cache");
  if (c.etag(file.hash)) return;
${safe}  return new Response(use(c, ${many}).bytes(id, "${name}"), { headers: ${headers} });
}
`;
}

/** The literal that stands for a value that is not there. */
export const dash = '"–"';

/** The width of a picture on the page of its row, in pixels: its own may be that of a camera. */
const pictureWidth = 240;

/** Returns the expression of an upload on the page of its row. */
export function uploadView(plan: ResourcePlan, { name, type }: UploadField): string {
  const { names: { url }, texts } = plan;
  const href = `c.href("/${url}/{id}/${name}", { id: row.id }, { query: { v: hash } })`;
  return type === "image"
    ? `h.either(row.${name}, ({ hash }) => h.img(h.src(${href}), ` +
      `h.width(${pictureWidth}), h.alt(${texts.label({ name })})), ${dash})`
    : `h.either(row.${name}, ({ name, hash }) => ` +
      `h.a(h.href(${href}), h.download(name), name), ${dash})`;
}

/** Returns the most characters of a field; 0 where its rules name no number. */
function maxCharsOf({ builder, rules }: Field): number {
  return builder === "text" ? Number(rules.get("max") ?? rules.get("len") ?? 0) : 0;
}

/** Returns the middleware of the forms; `undefined` where the limit of an application is enough. */
export function roomSource({ uploads, fields }: ResourcePlan): string | undefined {
  const neededSize = neededKiB(uploads, fields.map(maxCharsOf));
  if (neededSize === undefined) return undefined;
  return `import type { Ctx, Next } from "@fw/fw";

/** Sets the body limit that the form needs: its uploads, its fields and what multipart adds. */
export function Middleware(c: Ctx, next: Next): Promise<Response> {
  c.allowBody(Math.max(c.app.config.maxBodyBytes, ${sizeText(neededSize)}));
  return next();
}
`;
}
