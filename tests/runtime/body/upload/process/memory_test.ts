import { assertEquals, assertLess } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { newFolder } from "../../../../new_folder.ts";
import { converse, parseAnswer } from "../../../../security/raw_client.ts";
import { until } from "../../../../until.ts";
import { startWatched } from "../../../../watched_process.ts";

const script = fromFileUrl(new URL("../server.ts", import.meta.url));
const megabyte = 1_000_000;

async function upload(url: URL, megabytes: number): Promise<{ size: number; saved: number }> {
  const head = '--X\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n';
  const end = "\r\n--X--\r\n";
  const length = head.length + megabytes * megabyte + end.length;
  const text = await converse({ hostname: url.hostname, port: Number(url.port) }, [
    `POST /upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${length}\r\n`,
    `Content-Type: multipart/form-data; boundary=X\r\n\r\n${head}`,
    ...new Array<Uint8Array>(megabytes).fill(new Uint8Array(megabyte).map((_, i) => i * 31)),
    end,
  ]);
  return JSON.parse(parseAnswer(text).body);
}

async function peakBytes(url: URL): Promise<number> {
  return (await (await fetch(new URL("/peak", url))).json()).bytes;
}

Deno.test("a saved upload of 200 MB takes less than 64 MB of memory and leaves no file", async () => {
  await using spool = await newFolder();
  const args = ["run", "--quiet", "--no-check", "-A", script, spool.path];
  await using server = startWatched(Deno.execPath(), { args, env: {} });
  const url = new URL(await server.url());
  await upload(url, 2);
  const before = await peakBytes(url);
  assertEquals(await upload(url, 200), { size: 200 * megabyte, saved: 200 * megabyte });
  assertLess(await peakBytes(url) - before, 64 * megabyte);
  await until(async () => (await Array.fromAsync(Deno.readDir(spool.path))).length === 0);
});
