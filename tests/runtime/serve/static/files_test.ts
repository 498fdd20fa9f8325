import { type App, type Env, Off } from "../../../../mod.ts";
import { assert, assertEquals } from "@std/assert";
import { testRequest } from "../../../../runtime/testing/mod.ts";
import { newSite } from "../../app/support.ts";
import { newFolder } from "../../../new_folder.ts";

const big = "0123456789".repeat(20_000);

const files: Readonly<Record<string, string>> = {
  "public/app.css": "body{}",
  "public/big.txt": big,
  "public/a b.txt": "space",
  "public/café.txt": "accent",
  "public/100%.txt": "percent",
  "public/%2e%2e.txt": "escaped name",
  "public/deep/er/x.js": "1",
  "public/empty.txt": "",
  "public/noextension": "bytes",
  "public/.well-known/security.txt": "contact",
  "public/.well-known/x/y": "nested",
  [`public/${"d/".repeat(40)}x.txt`]: "far down",
  "secret.txt": "secret",
};

async function openFiles(): ReturnType<typeof newFolder> {
  const folder = await newFolder();
  const dir = folder.path;
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(`${dir}/${path.slice(0, path.lastIndexOf("/") + 1)}`, { recursive: true });
    await Deno.writeTextFile(`${dir}/${path}`, text);
  }
  await Deno.symlink(`${dir}/public/app.css`, `${dir}/public/in.css`);
  await Deno.symlink(`${dir}/public/deep`, `${dir}/public/linked`);
  await Deno.symlink(`${dir}/public`, `${dir}/public/loop`);
  await Deno.symlink(`${dir}/nowhere`, `${dir}/public/broken.txt`);
  return folder;
}

function siteOf(env: Env, folder: string | URL): App {
  return newSite([], { config: { env, public: folder, devReload: Off } }).app;
}

/** Paths and their results: a string is the file's content, a number is a status without a file. */
const paths: readonly [path: string, answer: string | number][] = [
  ["/app.css", "body{}"],
  ["/app.css?v=x&y", "body{}"],
  ["/big.txt", big],
  ["/a%20b.txt", "space"],
  ["/caf%C3%A9.txt", "accent"],
  ["/100%25.txt", "percent"],
  ["/%252e%252e.txt", "escaped name"],
  ["/deep/er/x.js", "1"],
  [`/${"d/".repeat(40)}x.txt`, "far down"],
  ["/empty.txt", ""],
  ["/noextension", "bytes"],
  ["/.well-known/security.txt", "contact"],
  ["/.well-known/x/y", "nested"],
  ["/in.css", "body{}"],
  ["/", 404],
  ["/deep", 404],
  ["/deep/", 404],
  ["/APP.CSS", 404],
  ["/nothing.css", 404],
  ["/.well-known", 404],
  ["/broken.txt", 404],
  ["/linked/er/x.js", "1"],
  [`/${"x".repeat(5_000)}`, 404],
  [`/${"x/".repeat(2_000)}x`, 404],
];

for (const env of ["dev", "prod"] as const) {
  Deno.test(`${env}: only files of the folder are served, for every spelling of the path`, async () => {
    await using folder = await openFiles();
    const app = siteOf(env, `${folder.path}/public`);
    for (const [path, answer] of paths) {
      const response = await testRequest(app, "GET", path);
      const shown = `${env} ${path.slice(0, 60)}`;
      if (typeof answer === "number") assertEquals(response.status, answer, shown);
      else assertEquals([response.status, response.body], [200, answer], shown);
      assert(!response.body.includes("secret"), shown);
    }
  });

  Deno.test(`${env}: a missing folder has no files`, async () => {
    await testRequest(siteOf(env, "/nonexistent"), "GET", "/app.css").wantStatus(404);
  });

  Deno.test(`${env}: config.public accepts a path, a file: URL and its string`, async () => {
    await using folder = await openFiles();
    const cases = [
      `${folder.path}/public`,
      new URL(`file://${folder.path}/public`),
      `file://${folder.path}/public/`,
    ];
    for (const from of cases) {
      await testRequest(siteOf(env, from), "GET", "/app.css").wantStatus(200);
    }
  });
}
