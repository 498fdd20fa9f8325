import { testThorough } from "../../../thorough.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import { isAlive, pageSaying, quiet, until, withDev } from "../project.ts";

Deno.test("dev reacts to saved files", (t) =>
  withDev({}, async (project) => {
    await t.step("a save", async () => {
      const before = await project.page("/");
      assertStringIncludes(before.body, "<h1>one</h1>");
      assertStringIncludes(before.body, "/_fw/events/reload.js");
      const first = JSON.parse((await project.get("/api/pid")).body);

      project.write("app/page.ts", pageSaying("two"));
      await project.untilPage("/", "<h1>two</h1>");

      const second = JSON.parse((await project.get("/api/pid")).body);
      assertNotEquals(second.pid, first.pid, "a new process");
      assertEquals(second.secret, first.secret, "one key for all processes");
      assert(first.secret.length >= 43, "a key of 32 bytes");
      for (const { port } of [first, second]) {
        assertEquals(port, new URL(project.url).port, "the port that browsers use");
      }
      assert(!isAlive(first.pid), "the old process has ended");
      assertMatch(
        project.process.written.stdout,
        /Serving http:\/\/127\.0\.0\.1:\d+ \(ready in \d+ ms\)\n/,
      );
      await until(
        () => project.process.written.stdout,
        (text) => /Reloaded app\/page\.ts in \d+ ms\n/.test(text),
      );
      assertEquals(project.process.written.stdout.match(/Reloaded/g)?.length, 1);

      const secret = "a".repeat(43);
      project.write(".env", `FW_SECRET=${secret}\n`);
      project.write("app/page.ts", pageSaying("three"));
      await project.untilPage("/", "<h1>three</h1>");
      assertEquals(JSON.parse((await project.get("/api/pid")).body).secret, secret);
    });
    await t.step(
      "a style sheet updates without a restart; other public files reload the page",
      async () => {
        const pid = await project.childPid();
        const events = await openEvents(project.url);
        try {
          assertMatch(await events.until(/event: boot\n/), /^retry: \d+\n/);
          project.write("public/style.css", "body { color: red }\n");
          const text = await events.until(/event: css\n.*\n\n/);
          const [, data = ""] = /event: css\ndata: (.*)\n/.exec(text) ?? [];
          assertEquals(JSON.parse(data).path, "/style.css");
          assertStringIncludes((await project.get("/style.css")).body, "red");
          project.write("public/logo.svg", "<svg/>");
          await events.until(/event: reload\n/);
          assertEquals(await project.childPid(), pid);
          project.write("app/page.ts", pageSaying("four"));
          await events.until(/(event: boot\n[^]*){2}/);
        } finally {
          await events.close();
        }
      },
    );
    await t.step(
      "a burst of saves ends with the last version served, after few restarts",
      async () => {
        const before = project.process.written.stdout.length;
        for (let i = 0; i < 40; i++) {
          project.write(`lib/file${i % 8}.ts`, `export const n = ${i};\n`);
          project.write("app/page.ts", pageSaying(`burst ${i}`));
        }
        await project.untilPage("/", "<h1>burst 39</h1>");
        await quiet(150);
        // One on an idle machine; a busy one may spread the burst.
        const restarts = project.process.written.stdout.slice(before).match(/Reloaded /g)?.length ??
          0;
        assert(restarts >= 1 && restarts <= 4, project.process.written.stdout);
      },
    );
    await t.step("new and deleted routes", async (part) => {
      const status = async (path: string): Promise<number> => (await project.page(path)).status;
      await part.step("a new folder", async () => {
        project.write("app/deep/er/page.ts", pageSaying("deep"));
        await project.untilPage("/deep/er", "<h1>deep</h1>");
      });
      await part.step("a renamed folder", async () => {
        await Deno.rename(join(project.dir, "app/deep"), join(project.dir, "app/high"));
        await project.untilPage("/high/er", "<h1>deep</h1>");
        assertEquals(await status("/deep/er"), 404);
      });
      await part.step("a deleted folder", async () => {
        project.remove("app/high");
        await until(() => status("/high/er"), (code) => code === 404);
      });
      await part.step("a save through a temporary file", async () => {
        project.write("app/page.ts.tmp", pageSaying("renamed"));
        await Deno.rename(join(project.dir, "app/page.ts.tmp"), join(project.dir, "app/page.ts"));
        await project.untilPage("/", "<h1>renamed</h1>");
      });
    });
    await t.step("a save through a temporary file names the final file", async () => {
      const before = project.process.written.stdout.length;
      for (const word of ["first", "second"]) {
        const temporary = join(project.dir, "app/sedXy12Za");
        await Deno.writeTextFile(temporary, "");
        // As slow as a tool may be: the first events end before the rename.
        await quiet(40);
        await Deno.writeTextFile(temporary, pageSaying(word));
        await Deno.rename(temporary, join(project.dir, "app/page.ts"));
        await project.untilPage("/", `<h1>${word}</h1>`);
      }
      const told = await until(
        () => project.process.written.stdout.slice(before).match(/Reloaded .* in/g) ?? [],
        (lines) => lines.length === 2,
      );
      assertEquals(new Set(told), new Set(["Reloaded app/page.ts in"]));
    });
    await t.step("a moved app folder is reported once", async () => {
      await Deno.rename(join(project.dir, "app"), join(project.dir, "appx"));
      await until(() => project.process.written.stderr, (text) => text.includes("E_NO_APP"));
      await quiet(600);
      assertEquals(
        project.process.written.stderr.split("E_NO_APP").length,
        2,
        project.process.written.stderr,
      );
      await Deno.rename(join(project.dir, "appx"), join(project.dir, "app"));
      await project.untilPage("/", "<h1>second</h1>");
    });
    await t.step("a request during a restart waits for the new process", async () => {
      project.write(
        "app/setup.ts",
        `export async function Setup(): Promise<void> {
    Deno.writeTextFileSync("begun.log", "");
    while (true) {
      try {
        return void Deno.statSync("go.log");
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
  }
  `,
      );
      project.write("app/page.ts", pageSaying("late"));
      const begun = join(project.dir, "begun.log");
      await until(() => Deno.stat(begun).then(() => true, () => false), Boolean);
      let answered = 0;
      const asked = Array.from({ length: 20 }, async () => {
        const page = await project.page("/");
        answered++;
        return page;
      });
      await quiet(200);
      assertEquals(answered, 0, "they wait");
      project.write("go.log", "");
      for (const { status, body } of await Promise.all(asked)) {
        assertEquals(status, 200);
        assertStringIncludes(body, "late");
      }
    });
  }));

testThorough("imported data and .env restart the application", (t) =>
  withDev({
    "lib/data.json": '{ "n": 1 }',
    "app/api/n/route.ts": `import data from "../../../lib/data.json" with { type: "json" };
import type { Ctx } from "@fw/fw";
export const GET = (c: Ctx): Response => c.json(200, data);
`,
    ".env": "NUMBER=1\n",
    "app/api/env/route.ts": `import type { Ctx } from "@fw/fw";
export const GET = (c: Ctx): Response => c.text(200, Deno.env.get("NUMBER") ?? "");
`,
  }, async (project) => {
    await t.step("imported data", async () => {
      project.write("lib/data.json", '{ "n": 2 }');
      await until(() => project.get("/api/n"), ({ body }) => body.includes("2"));
    });
    await t.step(".env", async () => {
      project.write(".env", "NUMBER=2\n");
      await until(() => project.get("/api/env"), ({ body }) => body === "2");
    });
  }));

Deno.test("the application's output is printed unchanged", async () => {
  const setup = `export function Setup(): void {
  console.log("out: é \\u2713");
  console.error("error handling is ready");
  console.error("error: this is only a log line");
  Deno.stderr.writeSync(new TextEncoder().encode("no line end"));
}
`;
  await withDev({ "app/setup.ts": setup }, async (project) => {
    const { process } = project;
    await until(() => process.written.stderr, (text) => text.includes("no line end"));
    await until(() => process.written.stdout, (text) => text.includes("out: é \u2713\n"));
    assertStringIncludes(
      process.written.stderr,
      "error handling is ready\nerror: this is only a log line\n",
    );
  });
});

testThorough(
  "FW_DEV_RELOAD=off omits the script and still restarts",
  () =>
    withDev({}, async (project) => {
      assert(!(await project.page("/")).body.includes("/_fw/events"));
      project.write("app/page.ts", "export const GET = 1;\n");
      const page = await project.untilPage("/", "The routes cannot be generated");
      assert(!page.body.includes("/_fw/events"));
      project.write("app/page.ts", pageSaying("two"));
      await project.untilPage("/", "<h1>two</h1>");
    }, { env: { FW_DEV_RELOAD: "off" } }),
);

interface OpenEvents {
  /** Waits until the output so far matches. */
  until(pattern: RegExp): Promise<string>;
  close(): Promise<void>;
}

async function openEvents(url: string): Promise<OpenEvents> {
  const response = await fetch(`${url}/_fw/events`);
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  assert(response.body !== null);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    until: async (pattern) => {
      while (!pattern.test(text)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The stream ended without ${pattern}: ${text}`);
        text += value;
      }
      return text;
    },
    close: () => reader.cancel(),
  };
}
