import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { basename, join } from "@std/path";
import { App, FieldErrors, Off } from "../../../../mod.ts";
import type { FileRules } from "../../../../mod.ts";
import { fileSizeMessage } from "../../../../runtime/addon.ts";
import { UploadSpool } from "../../../../runtime/body/upload/spool.ts";
import { testRequest, withForm } from "../../../../runtime/testing/mod.ts";
import { serveLocal } from "../../../serve_local.ts";
import { type Case, inHandler } from "../case.ts";
import { routeOf } from "../../app/support.ts";
import { newFolder } from "../../../new_folder.ts";
import { until } from "../../../until.ts";

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);

function fileForm(content: BlobPart, name = "a"): FormData {
  const body = new FormData();
  body.append("f", new File([content], name, { type: "image/x-anything" }));
  return body;
}

function upload(content: BlobPart, name = "a.png", settings = {}): Case {
  return { body: fileForm(content, name), settings };
}

/** Lists the files in the same way, without waiting for running work. */
function namesNow(dir: string): string[] {
  return Array.from(Deno.readDirSync(dir), ({ name }) => name).sort();
}

async function names(dir: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(dir), ({ name }) => name)).sort();
}

Deno.test("the first upload removes only files that a killed process left a day ago", async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  const put = async (name: string, hours: number): Promise<void> => {
    await Deno.writeTextFile(join(dir, name), "half an upload");
    const time = new Date(Date.now() - hours * 3_600_000);
    await Deno.utime(join(dir, name), time, time);
  };
  const use = (): void => {
    const spool = new UploadSpool({ maxMemoryBytes: 0, dir });
    spool.create().file.close();
    spool.release();
  };
  const kept = ["fw-upload-23", "fw-upload-ahead", "fw-uploa", "my-fw-upload-25"];
  await put("fw-upload-25", 25);
  for (const [index, hours] of [23, -48, 48, 25].entries()) await put(kept[index] ?? "", hours);
  if (Deno.build.os !== "windows") {
    await put("target", 48);
    await Deno.symlink(join(dir, "target"), join(dir, "fw-upload-link"));
    kept.push("target", "fw-upload-link");
  }
  use();
  assertEquals(await names(dir), kept.toSorted());
  await put("fw-upload-late", 48);
  use();
  assertEquals(await names(dir), [...kept, "fw-upload-late"].toSorted());
});

Deno.test("c.file detects the type from the bytes, not the client's header", async () => {
  await inHandler(upload(png, "../x/photo.JPG"), async (c) => {
    const { name, mime, ext, size } = await c.file("f");
    assertEquals([name, mime, ext, size], ["photo.JPG", "image/png", ".png", 9]);
  });
});

const accepted: readonly [rules: FileRules, message: string | undefined][] = [
  [{}, undefined],
  [{ accept: [] }, undefined],
  [{ accept: ["image/png"] }, undefined],
  [{ accept: ["text/plain", "IMAGE/PNG"] }, undefined],
  [{ accept: ["image/*"] }, undefined],
  [{ accept: ["*/*"] }, undefined],
  [{ maxSizeBytes: 9 }, undefined],
  [{ maxSizeBytes: 8 }, "must be at most 8 bytes"],
  [{ accept: ["image/jpeg", "text/*"] }, "must be a file of type JPEG or text/*"],
  [
    { accept: ["image/jpeg", "IMAGE/GIF", "application/pdf"] },
    "must be a file of type JPEG, GIF, or PDF",
  ],
];

for (const [rules, message] of accepted) {
  Deno.test(`c.file with ${JSON.stringify(rules)}: ${message ?? "accepted"}`, async () => {
    await inHandler(upload(png), async (c) => {
      if (message === undefined) return assertEquals((await c.file("f", rules))?.size, 9);
      const error = await assertRejects(() => c.file("f", rules), FieldErrors);
      assertEquals(error.get("f"), message);
    });
  });
}

const sizes: readonly [maxSizeBytes: number, param: string][] = [
  [1_023, "1023 bytes"],
  [1_024, "1 KiB"],
  [1_587, "1.5 KiB"],
  [5 * 2 ** 20, "5 MiB"],
];

for (const [maxSizeBytes, param] of sizes) {
  Deno.test(`fileSizeMessage names the limit of ${maxSizeBytes} as ${param}`, () => {
    assertEquals(fileSizeMessage(maxSizeBytes), `must be at most ${param}`);
  });
}

Deno.test("c.file of an absent field throws, or returns undefined if optional", async () => {
  await inHandler(upload(png), async (c) => {
    assertEquals((await assertRejects(() => c.file("g"), FieldErrors)).get("g"), "is required");
    assertEquals(await c.file("g", { optional: true }), undefined);
  });
});

const mistakes: readonly [rules: FileRules, message: string][] = [
  [{ accept: [".png"] }, 'Cannot accept ".png"'],
  [{ accept: ["png"] }, 'Cannot accept "png"'],
  [{ accept: ["image/p"] }, 'Cannot accept "image/p": neither the bytes nor the ending'],
  [{ maxSizeBytes: -1 }, 'Cannot set maxSizeBytes to "-1"'],
  [{ maxSizeBytes: NaN }, 'Cannot set maxSizeBytes to "NaN"'],
];

for (const [rules, message] of mistakes) {
  Deno.test(`c.file refuses the rules ${JSON.stringify(rules)}`, async () => {
    await inHandler(upload(png), async (c) => {
      const error = await assertRejects(() => c.file("f", rules), Error);
      assertStringIncludes(error.message, message);
    });
  });
}

const big = new Uint8Array(300_000).map((_, i) => i * 7);
const contents: readonly [where: string, content: Uint8Array<ArrayBuffer>][] = [
  ["in memory", png],
  ["on disk", big],
];

for (const [where, content] of contents) {
  Deno.test(`Upload ${where}: bytes and stream return the content any number of times`, async () => {
    await inHandler(upload(content), async (c) => {
      const file = await c.file("f");
      assertEquals(await file.bytes(), content);
      for (let round = 0; round < 2; round++) {
        assertEquals(new Uint8Array(await new Response(file.stream()).arrayBuffer()), content);
      }
      assertEquals(await file.bytes(), content);
    });
  });

  Deno.test(`Upload ${where}: bytes returns a copy`, async () => {
    await inHandler(upload(content), async (c) => {
      const file = await c.file("f");
      (await file.bytes()).fill(1);
      assertEquals(await file.bytes(), content);
    });
  });

  Deno.test(`Upload ${where}: save creates a file readable only by the owner, under a free name`, async () => {
    await using folder = await newFolder();
    await inHandler(upload(content), async (c) => {
      const file = await c.file("f");
      const paths: string[] = [];
      for (let count = 0; count < 3; count++) paths.push(await file.save(folder.path));
      assertEquals(paths[0], join(folder.path, "a.png"));
      const random = /^a-[0-9a-f]{12}\.png$/;
      assert(paths.slice(1).every((path) => random.test(basename(path))), paths.join());
      // A change to one file does not affect the other.
      await Deno.writeFile(paths[0] ?? "", content.slice(1));
      await Deno.writeFile(paths[0] ?? "", content);
      for (const path of paths) {
        assertEquals(await Deno.readFile(path), content);
        if (Deno.build.os !== "windows") {
          assertEquals(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
        }
      }
    });
  });

  Deno.test(`Upload ${where}: cannot be read after close`, async () => {
    await inHandler(upload(content), async (c) => {
      const file = await c.file("f");
      await file.close();
      await file.close();
      await assertRejects(() => file.bytes(), TypeError, "it was closed");
      assertThrows(() => file.stream(), TypeError, "it was closed");
      await using folder = await newFolder();
      await assertRejects(() => file.save(folder.path), TypeError, "it was closed");
      assertEquals(await names(folder.path), []);
    });
  });
}

Deno.test("Upload.save: concurrent saves get distinct names", async () => {
  await using folder = await newFolder();
  await inHandler(upload(png), async (c) => {
    const file = await c.file("f");
    const paths = await Promise.all(Array.from({ length: 20 }, () => file.save(folder.path)));
    assertEquals(new Set(paths).size, 20);
    assertEquals((await names(folder.path)).length, 20);
  });
});

Deno.test({
  name: "Upload.save: does not follow a link of the same name",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    await using folder = await newFolder();
    const outer = folder.path;
    const dir = join(outer, "dir");
    await Deno.mkdir(dir);
    await Deno.writeTextFile(join(outer, "secret"), "old");
    await Deno.symlink(join(outer, "secret"), join(dir, "a.png"));
    for (const content of [png, big]) {
      await inHandler(upload(content), async (c) => {
        const saved = await (await c.file("f")).save(dir);
        assert(!(await Deno.lstat(saved)).isSymlink);
        assertEquals(await Deno.readFile(saved), new Uint8Array(content));
      });
    }
    assertEquals(await Deno.readTextFile(join(outer, "secret")), "old");
    assertEquals(await names(outer), ["dir", "secret"]);
  },
});

Deno.test("Upload.save: a taken name gets a random end, which costs one more attempt", async () => {
  await using folder = await newFolder();
  await inHandler(upload(png, "image.jpg"), async (c) => {
    const file = await c.file("f");
    const own: string[] = [];
    for (let count = 0; count < 50; count++) own.push(await file.save(folder.path));
    assertEquals(new Set(own).size, 50);
    const [first, ...others] = own.map((path) => basename(path));
    assertEquals(first, "image.jpg");
    for (const name of others) assertMatch(name, /^image-[0-9a-f]{12}\.jpg$/);
  });
});

Deno.test("Upload.save links a spooled file on its own disk, once", async () => {
  await using folder = await newFolder();
  await inHandler(upload(big, "a", { spoolDir: folder.path }), async (c) => {
    const file = await c.file("f");
    const links = async (path: string): Promise<number | null> => (await Deno.stat(path)).nlink;
    const first = await file.save(folder.path);
    const second = await file.save(folder.path);
    if (Deno.build.os !== "windows") {
      assertEquals([await links(first), await links(second)], [2, 1]);
    }
    await file.close();
    assertEquals(await Deno.readFile(first), new Uint8Array(big));
  });
});

Deno.test("Upload.save names a folder that does not exist", async () => {
  await inHandler(upload(png), async (c) => {
    const file = await c.file("f");
    await assertRejects(() => file.save("/no/such/folder"), Error, "there is no such folder");
  });
});

Deno.test("an upload is spooled into config.spoolDir, readable only by the owner, until the response", async () => {
  await using folder = await newFolder();
  await inHandler(upload(big, "a", { spoolDir: folder.path }), async (c) => {
    await c.file("f");
    const [name = "", ...others] = await names(folder.path);
    assertEquals(others, []);
    const { mode } = await Deno.stat(join(folder.path, name));
    if (Deno.build.os !== "windows") assertEquals((mode ?? 0) & 0o777, 0o600);
  });
  assertEquals(await names(folder.path), []);
});

Deno.test("small uploads create no file", async () => {
  await using folder = await newFolder();
  await inHandler(upload(png, "a", { spoolDir: folder.path }), async (c) => {
    await c.file("f");
    assertEquals(await names(folder.path), []);
  });
});

Deno.test("a missing spool folder is named", async () => {
  await inHandler(upload(big, "a", { spoolDir: "/no/such/folder" }), async (c) => {
    const error = await assertRejects(() => c.file("f"), TypeError);
    assertStringIncludes(error.message, 'Cannot store an upload in "/no/such/folder"');
  });
});

Deno.test("a spool creates no file after its request ends", async () => {
  await using folder = await newFolder();
  const spool = new UploadSpool({ maxMemoryBytes: 0, dir: folder.path });
  spool.release();
  assertThrows(
    () => spool.create(),
    TypeError,
    "Cannot store an upload: the response has already been sent; await its form or its files " +
      "before the handler returns.",
  );
  assertEquals(await names(folder.path), []);
});

/** Creates an application that responds with the upload itself, after the handler has returned. */
function echoApp(spoolDir: string): App {
  const app = new App({ logRequest: Off, spoolDir, csrfForApi: false });
  app.route(routeOf("POST", "/", async (c) => new Response((await c.file("f")).stream())));
  return app;
}

Deno.test("testRequest: an upload leaves no file and no pending work after the response", async () => {
  await using folder = await newFolder();
  const app = new App({ logRequest: Off, spoolDir: folder.path, csrfForApi: false });
  app.route(routeOf("POST", "/", async (c) => c.text(200, (await c.file("f")).name)));
  await testRequest(app, "POST", "/", withForm(fileForm(big))).wantStatus(200).wantContains("a");
  assertEquals(namesNow(folder.path), []);
});

Deno.test("a response may stream the upload, which is removed afterwards", async () => {
  await using folder = await newFolder();
  const app = echoApp(folder.path);
  const request = new Request("http://localhost/", { method: "POST", body: fileForm(big) });
  const response = await app.fetch(request);
  assertEquals((await names(folder.path)).length, 1);
  assertEquals(new Uint8Array(await response.arrayBuffer()), big);
  assertEquals(await names(folder.path), []);
});

Deno.test("cancelling an unread response removes the upload", async () => {
  await using folder = await newFolder();
  const request = new Request("http://localhost/", { method: "POST", body: fileForm(big) });
  const response = await echoApp(folder.path).fetch(request);
  await response.body?.cancel();
  assertEquals(await names(folder.path), []);
});

for (const length of [undefined, "400000"]) {
  Deno.test(`a copy of the request leaves no file, with a content-length of ${length}`, async () => {
    await using folder = await newFolder();
    const settings = { spoolDir: folder.path, bodyLimits: { maxMemoryBytes: 1 } };
    using spools = watchSpools();
    const headers = length === undefined ? {} : { "content-length": length };
    await inHandler({ body: fileForm(big), headers, settings }, async (c) => {
      const file = (await c.request.clone().formData()).get("f");
      assertEquals(file instanceof File && file.size, big.length);
      assertEquals([spools.made, await names(folder.path)], [[], []]);
    });
  });
}

/** Collects the options of temporary files until it is disposed of. */
function watchSpools(): Disposable & { readonly made: readonly unknown[] } {
  const { makeTempFileSync } = Deno;
  const made: unknown[] = [];
  Deno.makeTempFileSync = (options) => makeTempFileSync((made.push(options), options));
  return { made, [Symbol.dispose]: () => void (Deno.makeTempFileSync = makeTempFileSync) };
}

Deno.test("a server removes the upload after the response", async () => {
  await using folder = await newFolder();
  await using server = serveLocal(echoApp(folder.path).handler());
  const response = await fetch(server.origin, { method: "POST", body: fileForm(big) });
  assertEquals(new Uint8Array(await response.arrayBuffer()), big);
  await until(async () => (await names(folder.path)).length === 0);
});

Deno.test("a client that disconnects during its upload leaves no file", async () => {
  await using folder = await newFolder();
  await using server = serveLocal(echoApp(folder.path).handler());
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n" +
    "Content-Type: multipart/form-data; boundary=X\r\n\r\n" +
    '--X\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n';
  await connection.write(new TextEncoder().encode(head));
  await connection.write(big);
  await until(async () => (await names(folder.path)).length === 1);
  connection.close();
  await until(async () => (await names(folder.path)).length === 0);
});

Deno.test("a handler that does not await its form leaves no file", async () => {
  await using folder = await newFolder();
  const app = new App({ logRequest: Off, spoolDir: folder.path });
  let late: Promise<unknown> | undefined;
  app.route(routeOf("POST", "/", (c) => {
    late = c.form("x").catch((error) => error);
    return c.noContent();
  }));
  const request = new Request("http://localhost/", { method: "POST", body: fileForm(big) });
  await app.fetch(request);
  assert(await late instanceof TypeError);
  assertEquals(await names(folder.path), []);
});
