import { type App, use } from "@fw/fw";
import { testRequest, withForm, withHeader } from "@fw/fw/testing";
import { assert, assertEquals, assertFalse, assertMatch, assertNotEquals } from "@std/assert";
import { join } from "@std/path";
import type { Photo } from "@/lib/city_event.ts";
import { Store } from "@/lib/events/store.ts";
import { withApp } from "./app.ts";
import { eventForm, pngFile } from "./event_fields.ts";

const newUrl = "/organize/events/new";
const page = "/events/swifts-over-the-roofs";
const editUrl = "/organize/events/swifts-over-the-roofs/edit";
const deleteUrl = "/organize/events/swifts-over-the-roofs/delete";
const mebibyte = 1_048_576;

/** Creates the event of the test. */
async function create(app: App, photo?: File): Promise<void> {
  await testRequest(app, "POST", newUrl, withForm(eventForm({}, photo))).wantStatus(303);
}

async function photoOf(app: App): Promise<Photo | undefined> {
  return (await use(app, Store).findBySlug("swifts-over-the-roofs"))?.photo;
}

Deno.test("photo: it is the cover everywhere, and may be kept for ever", () =>
  withApp(async (app, folder) => {
    const file = pngFile();
    await create(app, file);
    assertEquals(await folder.list(), ["terrace.png"]);
    const { body } = await testRequest(app, "GET", page);
    const [, url = ""] = /src="(\/events\/swifts-over-the-roofs\/photo\?v=\w+)"/.exec(body) ?? [];
    const photo = await testRequest(app, "GET", url).wantStatus(200);
    photo.wantHeader("content-type", "image/png").wantHeader("content-length", "64")
      .wantHeader("x-content-type-options", "nosniff")
      .wantHeader("content-security-policy", "default-src 'none'; sandbox")
      .wantHeader("cache-control", "public, max-age=31536000, immutable");
    assertEquals(photo.bytes, await file.bytes());
    await testRequest(app, "GET", `${page}/photo?v=old`).wantStatus(200)
      .wantHeader("cache-control", "public, max-age=60");
    await testRequest(app, "GET", "/organize/events/swifts-over-the-roofs/edit")
      .wantContains(`src="${url}"`).wantContains('name="removePhoto"');
    await testRequest(app, "GET", "/events?q=swifts").wantContains(`src="${url}"`);
  }));

Deno.test("photo: who has it is told so, until it is another one", () =>
  withApp(async (app) => {
    await create(app, pngFile());
    const url = `${page}/photo?v=${(await photoOf(app))?.version}`;
    const photo = await testRequest(app, "GET", url).wantStatus(200);
    const known = withHeader("if-none-match", photo.header("etag") ?? "");
    const same = await testRequest(app, "GET", url, known).wantStatus(304)
      .wantHeader("cache-control", "public, max-age=31536000, immutable");
    assertEquals(same.bytes.length, 0);
    await testRequest(app, "POST", editUrl, withForm(eventForm({}, pngFile({ fill: 3 }))));
    await testRequest(app, "GET", `${page}/photo`, known).wantStatus(200);
    await testRequest(app, "POST", editUrl, withForm(eventForm({ removePhoto: "on" })));
    await testRequest(app, "GET", `${page}/photo`, known).wantStatus(404);
  }));

Deno.test("photo: HEAD tells the size and leaves no file open", () =>
  withApp(async (app) => {
    await create(app, pngFile());
    const response = await testRequest(app, "HEAD", `${page}/photo`).wantStatus(200);
    response.wantHeader("content-length", "64");
    assertEquals(response.bytes.length, 0);
  }));

Deno.test("photo: without one the cover is drawn", () =>
  withApp(async (app, folder) => {
    await create(app);
    assertEquals(await folder.list(), []);
    await testRequest(app, "GET", page).wantContains(`src="${page}/cover.svg?v=`);
    await testRequest(app, "GET", `${page}/photo`).wantStatus(404);
    await testRequest(app, "GET", "/events/nope/photo").wantStatus(404);
  }));

Deno.test("photo: a file that is gone is not found", () =>
  withApp(async (app, folder) => {
    await create(app, pngFile());
    await Deno.remove(join(folder.photos, "terrace.png"));
    await testRequest(app, "GET", `${page}/photo`).wantStatus(404);
    await testRequest(app, "POST", deleteUrl).wantStatus(303);
  }));

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const kinds: [name: string, content: Uint8Array<ArrayBuffer>, type: string | undefined][] = [
  ["a.jpg", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), "image/jpeg"],
  ["a.webp", encode("RIFF\0\0\0\0WEBPVP8 "), "image/webp"],
  ["jpeg-named.png", Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), "image/jpeg"],
  ["a.gif", encode("GIF89a"), undefined],
  ["a.svg", encode('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), undefined],
  ["xml.png", encode('<?xml version="1.0"?><svg onload="alert(1)"/>'), undefined],
  ["html.png", encode("<html><script>alert(1)</script>"), undefined],
  ["text.png", encode("no picture"), undefined],
  ["program.png", Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0), undefined],
  ["empty.png", new Uint8Array(), undefined],
];

for (const [name, content, type] of kinds) {
  Deno.test(`photo: ${name} is ${type ?? "refused"}`, () =>
    withApp(async (app, folder) => {
      const file = new File([content], name, { type: "image/png" });
      const form = withForm(eventForm({}, file));
      const answer = await testRequest(app, "POST", newUrl, form)
        .wantStatus(type === undefined ? 422 : 303);
      assertEquals(await folder.list(), type === undefined ? [] : [name]);
      if (type === undefined) {
        answer.wantContains(
          '<p class="ui-error" id="photo-error">Picture must be a JPEG, PNG or WebP image</p>',
        );
        assertFalse(answer.body.includes("choose the picture again"));
      } else await testRequest(app, "GET", `${page}/photo`).wantHeader("content-type", type);
    }));
}

const sizes: [name: string, bytes: number, status: number, message: string][] = [
  ["4 MiB", 4 * mebibyte, 303, ""],
  ["a byte more", 4 * mebibyte + 1, 422, "Picture must be at most 4 MiB"],
  ["more than the body may have", 16 * mebibyte, 413, "A picture is 4 MiB at most."],
];

for (const [name, size, status, message] of sizes) {
  Deno.test(`photo: ${name} is ${status}`, () =>
    withApp(async (app, folder) => {
      const form = withForm(eventForm({}, pngFile({ size })));
      await testRequest(app, "POST", newUrl, form).wantStatus(status).wantContains(message);
      assertEquals(await folder.list(), status === 303 ? ["terrace.png"] : []);
    }));
}

Deno.test("photo: only the forms with a picture take so much", () =>
  withApp(async (app) => {
    const form = withForm(eventForm({}, pngFile({ size: 2 * mebibyte })));
    await testRequest(app, "POST", "/events", form).wantStatus(405);
    await testRequest(app, "POST", "/api/events", form).wantStatus(405);
  }));

const names = [
  "../../../evil.png",
  "..\\..\\evil.png",
  "/etc/passwd",
  "C:\\windows\\evil.png",
  ".htaccess",
  "..",
  "a\r\nset-cookie: x=1.png",
  '"><script>alert(1)</script>.png',
  "con",
  `${"a".repeat(300)}.png`,
  "\u202egnp.exe",
  "secret.key",
];

for (const name of names) {
  Deno.test(`photo: the name ${JSON.stringify(name.slice(0, 40))} stays a name`, () =>
    withApp(async (app, folder) => {
      await create(app, pngFile({ name }));
      const [stored = "", ...others] = await folder.list();
      assertEquals(others, []);
      assertMatch(stored, /^[^/\\<>:"|?*\p{Cc}\u202e]{1,120}$/u);
      const info = await Deno.lstat(join(folder.photos, stored));
      assert(info.isFile);
      if (Deno.build.os !== "windows") assertEquals((info.mode ?? 0) & 0o777, 0o600);
      const photo = await testRequest(app, "GET", `${page}/photo`).wantStatus(200);
      photo.wantHeader("content-type", "image/png");
      const { body } = await testRequest(app, "GET", editUrl);
      assertFalse(body.includes("<script>alert"));
      await testRequest(app, "POST", deleteUrl).wantStatus(303);
      assertEquals(await folder.list(), []);
    }));
}

Deno.test("photo: a NUL in the name is not a form", () =>
  withApp(async (app, folder) => {
    const form = withForm(eventForm({}, pngFile({ name: "a\0b.png" })));
    await testRequest(app, "POST", newUrl, form).wantStatus(400);
    assertEquals(await folder.list(), []);
  }));

Deno.test("photo: two of one name are two files", () =>
  withApp(async (app, folder) => {
    await create(app, pngFile({ fill: 1 }));
    const form = eventForm(
      { title: "Other", starts: "2026-05-21T19:00", ends: "2026-05-21T20:00" },
      pngFile({ fill: 2 }),
    );
    await testRequest(app, "POST", newUrl, withForm(form)).wantStatus(303);
    const [first = "", second] = await folder.list();
    assertEquals([first.replace(/[0-9a-f]{12}/, "…"), second], ["terrace-….png", "terrace.png"]);
    assertEquals((await testRequest(app, "GET", `${page}/photo`)).bytes[20], 1);
    assertEquals((await testRequest(app, "GET", "/events/other/photo")).bytes[20], 2);
  }));

Deno.test("photo: a form that is refused for something else keeps none, and says so", () =>
  withApp(async (app, folder) => {
    // Large enough to be stored in a temporary file.
    const photo = pngFile({ size: mebibyte });
    const form = withForm(eventForm({ venue: "nowhere" }, photo));
    await testRequest(app, "POST", newUrl, form).wantStatus(422)
      .wantContains("Choose the file again");
    assertEquals(await folder.list(), []);
  }));

Deno.test("photo: a new one replaces the old one, under another URL", () =>
  withApp(async (app, folder) => {
    await create(app, pngFile({ fill: 1 }));
    const before = await photoOf(app);
    const form = withForm(eventForm({}, pngFile({ fill: 2 })));
    await testRequest(app, "POST", editUrl, form).wantStatus(303);
    assertEquals(await folder.list(), [(await photoOf(app))?.file]);
    assertNotEquals((await photoOf(app))?.version, before?.version);
    assertEquals((await testRequest(app, "GET", `${page}/photo`)).bytes[20], 2);
  }));

Deno.test("photo: the same name again is still another URL", () =>
  withApp(async (app) => {
    await create(app, pngFile());
    const before = await photoOf(app);
    const remove = withForm(eventForm({ removePhoto: "on" }));
    await testRequest(app, "POST", editUrl, remove).wantStatus(303);
    await testRequest(app, "POST", editUrl, withForm(eventForm({}, pngFile()))).wantStatus(303);
    assertEquals((await photoOf(app))?.file, before?.file);
    assertNotEquals((await photoOf(app))?.version, before?.version);
  }));

const changes: [name: string, fields: Record<string, string>, photo: boolean, files: string[]][] = [
  ["stays when nothing is said of it", {}, false, ["terrace.png"]],
  ["goes when the box is ticked", { removePhoto: "on" }, false, []],
  ["is the new one, whatever the box says", { removePhoto: "on" }, true, ["new.png"]],
  ["stays when the form is refused", { seats: "many", removePhoto: "on" }, true, ["terrace.png"]],
];

for (const [name, fields, hasPhoto, files] of changes) {
  Deno.test(`photo: it ${name}`, () =>
    withApp(async (app, folder) => {
      await create(app, pngFile());
      const photo = hasPhoto ? pngFile({ name: "new.png" }) : undefined;
      await testRequest(app, "POST", editUrl, withForm(eventForm(fields, photo)));
      assertEquals(await folder.list(), files);
      assertEquals((await photoOf(app))?.file, files[0]);
      await testRequest(app, "GET", `${page}/photo`).wantStatus(files.length === 0 ? 404 : 200);
    }));
}

Deno.test("photo: it is deleted with its event", () =>
  withApp(async (app, folder) => {
    await create(app, pngFile());
    await testRequest(app, "GET", deleteUrl).wantContains("Its page and its picture are removed");
    await testRequest(app, "POST", deleteUrl).wantStatus(303);
    assertEquals(await folder.list(), []);
    await testRequest(app, "GET", `${page}/photo`).wantStatus(404);
  }));
