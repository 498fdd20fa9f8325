import { assertEquals, assertLess } from "@std/assert";
import { fromFileUrl } from "@std/path";

const script = fromFileUrl(new URL("../server.ts", import.meta.url));
const megabyte = 1_000_000;

async function withServer(run: (port: number, spoolDir: string) => Promise<void>): Promise<void> {
  const spoolDir = await Deno.makeTempDir();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "-A", script, spoolDir],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    const { value = "" } = await lines.read();
    await run(Number(value), spoolDir);
  } finally {
    child.kill();
    await lines.cancel();
    await child.status;
    await Deno.remove(spoolDir, { recursive: true });
  }
}

async function upload(port: number, megabytes: number): Promise<{ size: number; saved: number }> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const write = async (bytes: Uint8Array): Promise<void> => {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  };
  const encoder = new TextEncoder();
  const head = encoder.encode(
    '--X\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n',
  );
  const end = encoder.encode("\r\n--X--\r\n");
  const length = head.length + megabytes * megabyte + end.length;
  await write(encoder.encode(
    `POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n` +
      "Content-Type: multipart/form-data; boundary=X\r\n\r\n",
  ));
  await write(head);
  const chunk = new Uint8Array(megabyte).map((_, i) => i * 31);
  for (let i = 0; i < megabytes; i++) await write(chunk);
  await write(end);
  const answer = new Uint8Array(4_096);
  const count = await connection.read(answer) ?? 0;
  const [, body = ""] = new TextDecoder().decode(answer.subarray(0, count)).split("\r\n\r\n");
  return JSON.parse(body);
}

async function peakBytes(port: number): Promise<number> {
  return (await (await fetch(`http://127.0.0.1:${port}/peak`)).json()).bytes;
}

Deno.test("a saved upload of 200 MB takes less than 64 MB of memory and leaves no file", async () => {
  await withServer(async (port, spoolDir) => {
    await upload(port, 2);
    const before = await peakBytes(port);
    assertEquals(await upload(port, 200), { size: 200 * megabyte, saved: 200 * megabyte });
    assertLess(await peakBytes(port) - before, 64 * megabyte);
    for (let tries = 0; tries < 1_500; tries++) {
      if ((await Array.fromAsync(Deno.readDir(spoolDir))).length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("the file is still there");
  });
});
