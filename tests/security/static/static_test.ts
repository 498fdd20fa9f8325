import type { Env } from "../../../mod.ts";
import { type HostileRow, testHostile } from "../hostile.ts";
import { css, type Outcome, send, type Sent } from "./app.ts";

function row(
  name: string,
  stopped: string,
  sent: Sent,
  want:
    & { readonly status: number; readonly length: number }
    & Readonly<{ headers?: Readonly<Record<string, string | null>> }>,
): HostileRow {
  const looked = want.headers ?? {};
  const headers = Object.values(looked);
  const outcome: Outcome = { status: want.status, headers, length: want.length };
  return [`${stopped}: ${name}`, outcome, () => send(sent, Object.keys(looked))];
}

function hidden(stopped: string, paths: readonly string[], envs: readonly Env[]): HostileRow[] {
  return envs.flatMap((env) =>
    paths.map((path): HostileRow => [
      `${stopped}: ${path}, ${env}`,
      404,
      async () => (await send({ path, env })).status,
    ])
  );
}

const both: readonly Env[] = ["prod", "dev"];

const paths: readonly HostileRow[] = [
  ...hidden("no dot files", [
    ..."/.env /%2eenv /.git/config /img/.htpasswd /.well-known/.env".split(" "),
    "/.well-known/a/.b/c",
  ], both),
  ...hidden("no dot files", ["/up/.env", "/up/%2Eenv"], ["prod"]),
  ...hidden("no empty segments", ["//img/a.txt", "/img//a.txt", "/app.css/", "/img/a.txt/"], [
    "dev",
  ]),
  ...hidden("no empty segments", ["/up//a.txt", "/up/a.txt/"], ["prod"]),
  ...hidden("no foreign separators", ["/a%5Cb.txt", "/a%5cb.txt"], both),
  ...hidden("no foreign separators", ["/one%2Ftwo.txt", "/one%2ftwo.txt"], ["dev"]),
  ...hidden("no foreign separators", ["/up/a%5Cb.txt"], ["prod"]),
  ...hidden("no colons", ["/c:d.txt", "/c%3Ad.txt", "/app.css::$DATA"], both),
  ...hidden("no dropped ends", ["/a.css.", "/a.css%2E", "/b.css%20", "/c./x.txt"], both),
  ...hidden("no device names", [
    ..."/nul.css /%6eul.css /CON /com1.txt /aux/x.txt /lpt9.tar.gz".split(" "),
  ], both),
  ...hidden("no way out", [
    ..."/out.txt /absolute.txt /chain.txt /folder/secret.txt".split(" "),
    ..."/folder/public-secret/x.txt /img/deep.txt /neighbour/x.txt".split(" "),
  ], both),
  ...hidden("no way out", ["/up/out.txt", "/up/folder/secret.txt"], ["prod"]),
  ...hidden("folder boundary", ["/neighbour/x.txt"], both),
  ...hidden("regular files", ["/img", "/.well-known/a"], ["dev"]),
  ...hidden("regular files", ["/up/deep", "/up/socket"], ["prod"]),
  ...hidden("mount boundary", ["/up-secret.txt", "/upXsecret.txt"], both),
  row("a file that grew", "unchanged files", { path: "/grows.bin" }, {
    status: 200,
    length: 400_000,
    headers: { "content-length": "400000" },
  }),
  row("a part of a file that grew", "unchanged files", {
    path: "/grows.bin",
    headers: { range: "bytes=0-9" },
  }, { status: 206, length: 10, headers: { "content-range": "bytes 0-9/400000" } }),
];

const parts: readonly HostileRow[] = [
  row("a suffix of an empty file", "no part of nothing", {
    path: "/empty.txt",
    headers: { range: "bytes=-5" },
  }, { status: 200, length: 0, headers: { "content-range": null } }),
  row("HEAD with a range", "ranges of GET alone", {
    path: "/app.css",
    method: "HEAD",
    headers: { range: "bytes=0-1" },
  }, { status: 200, length: 0, headers: { "content-length": "3000" } }),
  row("a range of what could be compressed", "ranges of the file as it is", {
    path: "/app.css",
    headers: { range: "bytes=0-9", "accept-encoding": "br, gzip" },
  }, {
    status: 206,
    length: 10,
    headers: { "content-range": "bytes 0-9/3000", "content-encoding": null },
  }),
];

const revalidated = "public, max-age=0, must-revalidate";

/** URLs that must not be cached for a year. */
function cacheRows(stopped: string, queries: readonly string[]): HostileRow[] {
  return queries.map((query) =>
    row(query, stopped, { path: `/app.css${query}` }, {
      status: 200,
      length: css.length,
      headers: { "cache-control": revalidated },
    })
  );
}

const caches: readonly HostileRow[] = [
  ...cacheRows("exact fingerprint", ["?v={css}x", "?x=?v={css}", "?v={css}-br", "?v={css}%20"]),
  ...cacheRows("first fingerprint", ["?v=other&v={css}", "?v=&v={css}"]),
  ["tag after the hook: a hook that sets its own tag", 304, async () => {
    const settings = { staticHeaders: (_: string, h: Headers): void => h.set("etag", '"mine"') };
    const headers = { "if-none-match": '"{css}"' };
    return (await send({ path: "/app.css", headers, settings })).status;
  }],
  row("a hook that sets a length", "length after the hook", {
    path: "/app.css",
    settings: { staticHeaders: (_, headers) => headers.set("content-length", "1") },
  }, { status: 200, length: css.length, headers: { "content-length": "3000" } }),
];

testHostile("static file", [...paths, ...parts, ...caches]);
