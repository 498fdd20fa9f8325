// test: child, Deno reads JSR_URL in the processes of the command
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { fromFileUrl, join } from "@std/path";
import { addJsrLicenses } from "../../../cli/build/tell/jsr_licenses.ts";
import type { Component } from "../../../cli/build/tell/components.ts";
import { inProject } from "../support.ts";
import { manifest } from "../describe/openapi_app.ts";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

const packages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "@acme/stated": {
    "/mod.ts": "export const stated = 1;\n",
    "/deno.json": '{ "name": "@acme/stated", "license": "MIT" }',
    "/LICENSE": "\uFEFFCopyright Acme\x1b[31m\n",
  },
  "@acme/commented": {
    "/mod.ts": "export const commented = 1;\n",
    "/jsr.jsonc": '{\n  // ours\n  "license": "Apache-2.0",\n}\n',
  },
  "@acme/silent": { "/mod.ts": "export const silent = 1;\n", "/deno.json": "{}" },
  "@acme/forged": {
    "/mod.ts": "export const forged = 1;\n",
    "/deno.json": '{ "license": "MIT" }',
    "/LICENSE.md": "x".repeat(70_000),
  },
};

const source = Object.keys(packages).map((name) => `import "jsr:${name}@1.0.0";\n`).join("");

/** A registry with JSR's layout (https://jsr.io/docs/api). */
function serveRegistry(seen: string[]): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, ({ url }) => {
    const path = new URL(url).pathname;
    seen.push(path);
    const [, name = "", rest = ""] = /^\/(@acme\/\w+)\/(.+)$/.exec(path) ?? [];
    const files = packages[name];
    if (files === undefined) return new Response("none", { status: 404 });
    if (rest === "meta.json") {
      return Response.json({
        scope: "acme",
        name: name.slice(6),
        latest: "1.0.0",
        versions: { "1.0.0": { createdAt: "2025-01-01T00:00:00Z" } },
      });
    }
    if (rest === "1.0.0_meta.json") {
      const list = Object.entries(files).map(([file, text]) =>
        [file, { size: text.length, checksum: `sha256-${digest(text)}` }] as const
      );
      return Response.json({
        manifest: Object.fromEntries(list),
        exports: { ".": "./mod.ts" },
        moduleGraph2: { "/mod.ts": {} },
      });
    }
    if (name === "@acme/forged" && rest.endsWith("deno.json")) {
      return new Response('{"license":"X"}');
    }
    const text = files[rest.slice(5)];
    return text === undefined ? new Response("none", { status: 404 }) : new Response(text, {
      headers: { "content-type": rest.endsWith(".ts") ? "text/typescript" : "text/plain" },
    });
  });
}

const script = fromFileUrl(new URL("gather_facts.ts", import.meta.url));
const config = fromFileUrl(new URL("../../../deno.json", import.meta.url));

interface Facts {
  readonly licenses: string;
  readonly steps: readonly string[];
}

Deno.test("licenses of JSR packages: read from the registry while a program is built, kept, and not needed", async () => {
  const seen: string[] = [];
  const server = serveRegistry(seen);
  const registry = `http://127.0.0.1:${server.addr.port}/`;
  const run = async (args: readonly string[], cwd: string): Promise<string> => {
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd,
      env: { JSR_URL: registry },
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  };
  try {
    const page = `${source}export function Page(): void {}\n`;
    await inProject(
      { "deno.json": manifest, "app/page.ts": page, "main.ts": source },
      async (root) => {
        await run(["cache", "--reload=" + registry, "main.ts"], root);
        const lock = await Deno.readTextFile(join(root, "deno.lock"));
        assertStringIncludes(lock, '"@acme/stated@1.0.0"');
        const gather = async (): Promise<Facts> => {
          const args = ["run", "-A", "--no-check", "--config", config, script, root, registry];
          return JSON.parse(await run(args, root)) as Facts;
        };
        seen.length = 0;
        const first = await gather();
        for (
          const line of [
            "jsr:@acme/stated@1.0.0  MIT\n",
            "jsr:@acme/commented@1.0.0  Apache-2.0\n",
            "jsr:@acme/silent@1.0.0  not known\n",
            // Its manifest is not the one of the list of files, its license is too large.
            "jsr:@acme/forged@1.0.0  not known\n",
            "--- jsr:@acme/stated@1.0.0 ---\n\nCopyright Acme[31m\n",
          ]
        ) assertStringIncludes(first.licenses, line);
        assertEquals(first.steps, [
          "The licenses of these packages are not known: jsr:@acme/forged@1.0.0, jsr:@acme/silent@1.0.0.",
        ]);
        assert(seen.length > 0);
        seen.length = 0;
        assertEquals(await gather(), first, "the second time from what was kept");
        assert(seen.every((path) => path.includes("/@acme/forged/")), seen.join("\n"));
        await server.shutdown();
        await Deno.remove(join(root, ".fw"), { recursive: true });
        const offline = await gather();
        assertStringIncludes(offline.licenses, "jsr:@acme/stated@1.0.0  not known\n");
        assertEquals(offline.steps.length, 1);
        assertStringIncludes(offline.steps[0] ?? "", "jsr:@acme/commented@1.0.0");
      },
    );
  } finally {
    await server.shutdown();
  }
});

const component: Component = {
  ref: "jsr:@acme/x@1.0.0",
  registry: "jsr",
  name: "@acme/x",
  version: "1.0.0",
  hash: undefined,
  license: undefined,
  licenseText: undefined,
};

const hostile: readonly (readonly [name: string, answer: () => Response])[] = [
  ["a redirect to another host", () => Response.redirect("http://127.0.0.1:1/x")],
  ["an error", () => new Response("no", { status: 500 })],
  ["no JSON", () => new Response("[")],
  ["a list that is no object", () => Response.json({ manifest: ["/deno.json"] })],
  ["a list without an end", () =>
    new Response(
      new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65_536)) }),
    )],
  ["nothing for ever", () => new Response(new ReadableStream())],
];

for (const [name, answer] of hostile) {
  Deno.test(`licenses of JSR packages: ${name} leaves them unknown`, async () => {
    const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
    const root = await Deno.makeTempDir();
    try {
      const registry = `http://127.0.0.1:${server.addr.port}`;
      const given = { list: [component], edges: new Map() };
      const found = await addJsrLicenses(given, { root, registry, timeoutMs: 500 });
      assertEquals(found.list, [component]);
      for (const other of ["", "file:///etc", "javascript:x"]) {
        const none = await addJsrLicenses(given, { root, registry: other });
        assertEquals(none.list, [component]);
      }
    } finally {
      await server.shutdown();
      await Deno.remove(root, { recursive: true });
    }
  });
}
