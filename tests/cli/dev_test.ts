import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { join } from "@std/path";
import { type ChangeBatch, watchProject } from "../../cli/project/watch.ts";
import {
  baseFiles,
  CliProcess,
  isAlive,
  pageSaying,
  quiet,
  until,
  withDev,
  withFolder,
} from "./dev_project.ts";

Deno.test("dev serves, and follows a save", async () => {
  await withDev({}, async (project) => {
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
    assert(!isAlive(first.pid), "the old process has ended");
    assertMatch(project.process.stdout, /Serving http:\/\/127\.0\.0\.1:\d+ \(ready in \d+ ms\)\n/);
    await until(
      () => project.process.stdout,
      (text) => /Reloaded app\/page\.ts in \d+ ms\n/.test(text),
    );
    assertEquals(project.process.stdout.match(/Reloaded/g)?.length, 1);
  });
});

const brokenSources: readonly {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly title: string;
  readonly place: string;
  readonly message: string;
  readonly mend: string;
}[] = [
  {
    name: "a syntax error in a route file",
    path: "app/page.ts",
    text: "export function Page() {\n  return = 1;\n}\n",
    title: "The routes cannot be generated",
    place: "app/page.ts:2:10",
    message: "Expression expected",
    mend: "Correct the syntax",
  },
  {
    name: "a syntax error in another file",
    path: "lib/words.ts",
    text: "export const word = = 1;\n",
    title: "The code does not compile",
    place: "lib/words.ts:1:21",
    message: "Expression expected",
    mend: "Correct the syntax at the marked place",
  },
  {
    name: "a missing module",
    path: "lib/words.ts",
    text: 'import "./word.ts";\nexport const word = 1;\n',
    title: "The code does not compile",
    place: "lib/words.ts:1:8",
    message: "Module not found &quot;lib/word.ts&quot;",
    mend: "Did you mean &quot;lib/words.ts&quot;?",
  },
  {
    name: "an import of what is not exported",
    path: "lib/words.ts",
    text: "export const words = 1;\n",
    title: "The code does not compile",
    place: "app/setup.ts:1:10",
    message: "does not provide an export named &#39;word&#39;",
    mend: "Export &quot;word&quot; from",
  },
  {
    name: "an unknown package",
    path: "lib/words.ts",
    text: 'import "no-such-package";\nexport const word = 1;\n',
    title: "The code does not compile",
    place: "lib/words.ts:1:8",
    message: "no-such-package",
    mend: "deno add npm:no-such-package",
  },
  {
    name: "a throw at the top level",
    path: "lib/words.ts",
    text: 'export const word = 1;\nthrow new TypeError("Cannot <b>start</b>: mend it");\n',
    title: "The application does not start",
    place: "lib/words.ts:2:7",
    message: "Cannot &lt;b&gt;start&lt;/b&gt;: mend it",
    mend: "Correct what throws",
  },
  {
    name: "a throw in Setup",
    path: "app/setup.ts",
    text: "export function Setup(): void {\n  throw new Error('no database');\n}\n",
    title: "The application does not start",
    place: "app/setup.ts:2:9",
    message: "Error: no database",
    mend: "Correct what throws",
  },
  {
    name: "a throw in Config",
    path: "app/setup.ts",
    text:
      "export function Setup(): void {}\nexport async function Config(): Promise<void> {\n  await 0;\n  throw new Error('bad');\n}\n",
    title: "The application does not start",
    place: "app/setup.ts:4:9",
    message: "Error: bad",
    mend: "Correct what throws",
  },
  {
    name: "an end of the process",
    path: "app/setup.ts",
    text: "export function Setup(): void {\n  Deno.exit(7);\n}\n",
    title: "The application does not start",
    place: "",
    message: "exit code 7",
    mend: "Deno.exit",
  },
  {
    name: "a generation error",
    path: "app/page.ts",
    text: "export const GET = 1;\n",
    title: "The routes cannot be generated",
    place: "app/page.ts:1:14",
    message: "E_UNROUTABLE_METHOD",
    mend: "Name it Page",
  },
  {
    name: "settings that are no JSON",
    path: "deno.json",
    text: '{\n  "imports": }\n',
    title: "The configuration cannot be read",
    place: "deno.json:2:14",
    message: "Failed deserializing",
    mend: "Correct the configuration file",
  },
];

Deno.test("dev shows every error as a page and in the terminal, until it is mended", async (t) => {
  const files = {
    "lib/words.ts": "export const word = 1;\n",
    "app/setup.ts":
      'import { word } from "../lib/words.ts";\nexport function Setup(): void {\n  if (word !== 1) throw word;\n}\n',
  };
  await withDev(files, async (project) => {
    for (const broken of brokenSources) {
      await t.step(broken.name, async () => {
        const printed = project.process.stderr.length;
        project.write(broken.path, broken.text);
        const page = await project.untilPage("/", broken.title);
        assertEquals(page.status, 500);
        assertEquals(page.headers.get("content-type"), "text/html; charset=utf-8");
        assertStringIncludes(page.body, broken.message);
        assertStringIncludes(page.body, broken.mend);
        assertStringIncludes(page.body, broken.place);
        assertStringIncludes(page.body, "/_fw/events/reload.js");
        if (broken.place !== "") assertStringIncludes(page.body, 'class="row marked"');
        assert(!page.body.includes(project.dir), "no absolute paths");

        const terminal = await until(
          () => project.process.stderr.slice(printed),
          (text) => text.includes(broken.title) && text.endsWith("\n"),
        );
        assertEquals(terminal.split(broken.title).length, 2, `once in:\n${terminal}`);
        assertStringIncludes(terminal, broken.place);
        assert(!terminal.includes("file://"), `relative places in:\n${terminal}`);

        const answer = await project.get("/api/pid");
        assertEquals(answer.status, 500);
        assertEquals(answer.headers.get("content-type"), "application/problem+json");
        const problem = JSON.parse(answer.body);
        assertEquals(problem.title, broken.title);
        const { file, line, column } = problem.problems[0];
        assertEquals(file === undefined ? "" : `${file}:${line}:${column}`, broken.place);

        project.write(broken.path, { ...baseFiles, ...files }[broken.path] ?? "");
        assertEquals((await project.untilPage("/", "<h1>one</h1>")).status, 200);
      });
    }
  });
});

Deno.test("dev shows the error of the first start, and all generation errors at once", async () => {
  const files = {
    "app/page.ts": "export const GET = 1;\n",
    "app/x/route.ts": "export const Page = 1;\n",
  };
  await withDev(files, async (project) => {
    const { status, body } = await project.page("/");
    assertEquals(status, 500);
    assertStringIncludes(body, "app/page.ts:1:14");
    assertStringIncludes(body, "app/x/route.ts:1:");
    await until(() => project.process.stdout, (text) => text.includes("waiting for the mend"));
    project.remove("app/x");
    project.restore("app/page.ts");
    await project.untilPage("/", "<h1>one</h1>");
    await until(() => project.process.stdout, (text) => /Mended .* in \d+ ms/.test(text));
  });
});

Deno.test("a style sheet is announced without a restart, other public files reload", async () => {
  await withDev({}, async (project) => {
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
      project.write("app/page.ts", pageSaying("two"));
      await events.until(/(event: boot\n[^]*){2}/);
    } finally {
      await events.close();
    }
  });
});

Deno.test("a burst of saves is one batch", async () => {
  await withFolder(baseFiles, async (dir) => {
    const batches: ChangeBatch[] = [];
    const close = watchProject(dir, (batch) => batches.push(batch), { debounceMs: 300 });
    try {
      for (let i = 0; i < 20; i++) {
        await Deno.writeTextFile(join(dir, "app/page.ts"), pageSaying(`${i}`));
        await Deno.writeTextFile(join(dir, "public/style.css"), `/* ${i} */`);
      }
      await until(() => batches.length, (count) => count > 0);
      await quiet(400);
    } finally {
      close();
    }
    assertEquals(batches.map(({ changes }) => changes), [[
      { path: "app/page.ts", kind: "source", exists: true },
      { path: "public/style.css", kind: "style", exists: true },
    ]]);
  });
});

Deno.test("a burst of saves ends with the last one served, and few restarts", async () => {
  await withDev({}, async (project) => {
    for (let i = 0; i < 40; i++) {
      project.write(`lib/file${i % 8}.ts`, `export const n = ${i};\n`);
      project.write("app/page.ts", pageSaying(`burst ${i}`));
    }
    await project.untilPage("/", "<h1>burst 39</h1>");
    await quiet(150);
    // One on an idle machine; a busy one may spread the burst.
    const restarts = project.process.stdout.match(/(?:Reloaded|Mended) /g)?.length ?? 0;
    assert(restarts >= 1 && restarts <= 4, project.process.stdout);
  });
});

Deno.test("new and deleted routes are noticed", async (t) => {
  await withDev({}, async (project) => {
    const status = async (path: string): Promise<number> => (await project.page(path)).status;
    await t.step("a new folder", async () => {
      project.write("app/deep/er/page.ts", pageSaying("deep"));
      await project.untilPage("/deep/er", "<h1>deep</h1>");
    });
    await t.step("a renamed folder", async () => {
      await Deno.rename(join(project.dir, "app/deep"), join(project.dir, "app/high"));
      await project.untilPage("/high/er", "<h1>deep</h1>");
      assertEquals(await status("/deep/er"), 404);
    });
    await t.step("a deleted folder", async () => {
      project.remove("app/high");
      await until(() => status("/high/er"), (code) => code === 404);
    });
    await t.step("a save by way of a temporary file", async () => {
      project.write("app/page.ts.tmp", pageSaying("renamed"));
      await Deno.rename(join(project.dir, "app/page.ts.tmp"), join(project.dir, "app/page.ts"));
      await project.untilPage("/", "<h1>renamed</h1>");
    });
    await t.step("a file that somebody else generated", async () => {
      project.write("fw_gen.ts", "throw new Error('stale');\n");
      await until(
        () => Deno.readTextFileSync(join(project.dir, "fw_gen.ts")),
        (text) => text.includes("newApp"),
      );
      assertEquals(await status("/"), 200);
    });
  });
});

Deno.test("only files that matter restart the application", async (t) => {
  const files = {
    "lib/data.json": '{ "n": 1 }',
    "app/api/n/route.ts": `import data from "../../../lib/data.json" with { type: "json" };
import type { Ctx } from "@fw/fw";
export const GET = (c: Ctx): Response => c.json(200, data);
`,
    ".env": "NUMBER=1\n",
    "app/api/env/route.ts": `import type { Ctx } from "@fw/fw";
export const GET = (c: Ctx): Response => c.text(200, Deno.env.get("NUMBER") ?? "");
`,
  };
  await withDev(files, async (project) => {
    let pid = await project.childPid();
    const ignored = [
      "state.json",
      "app.db",
      "app.db-wal",
      ".git/HEAD",
      "node_modules/x/index.js",
      "app/.page.ts.swp",
      "app/page.ts~",
      "app/page_test.ts",
      "server.log",
    ];
    for (const path of ignored) {
      await t.step(`${path} does not`, async () => {
        project.write(path, "changed");
        await quiet(60);
        assertEquals(await project.childPid(), pid);
      });
    }
    await t.step("imported data does", async () => {
      project.write("lib/data.json", '{ "n": 2 }');
      await until(() => project.get("/api/n"), ({ body }) => body.includes("2"));
      pid = await project.childPid();
    });
    await t.step(".env does", async () => {
      project.write(".env", "NUMBER=2\n");
      await until(() => project.get("/api/env"), ({ body }) => body === "2");
    });
  });
});

Deno.test("a request during a restart waits for the new process", async () => {
  await withDev({}, async (project) => {
    await project.page("/");
    project.write(
      "app/setup.ts",
      "export const Setup = (): Promise<void> => new Promise((r) => setTimeout(r, 500));\n",
    );
    project.write("app/page.ts", pageSaying("late"));
    await quiet(100);
    const startedMs = performance.now();
    const pages = await Promise.all(Array.from({ length: 20 }, () => project.page("/")));
    for (const { status, body } of pages) {
      assertEquals(status, 200);
      assertStringIncludes(body, "late");
    }
    assert(performance.now() - startedMs > 200, "it waited");
  });
});

Deno.test("the application's output passes through as it is", async () => {
  const setup = `export function Setup(): void {
  console.log("out: é \\u2713");
  console.error("error handling is ready");
  console.error("error: this is only a log line");
  Deno.stderr.writeSync(new TextEncoder().encode("no line end"));
}
`;
  await withDev({ "app/setup.ts": setup }, async (project) => {
    const { process } = project;
    await until(() => process.stderr, (text) => text.includes("no line end"));
    await until(() => process.stdout, (text) => text.includes("out: é \u2713\n"));
    assertStringIncludes(
      process.stderr,
      "error handling is ready\nerror: this is only a log line\n",
    );
  });
});

Deno.test("an application that ends by itself is a page until the next save", async () => {
  const route = `export function POST(): Response {
  setTimeout(() => Deno.exit(9), 10);
  return new Response("ok");
}
`;
  await withDev({ "app/api/crash/route.ts": route }, async (project) => {
    const { status } = await project.get("/api/crash", { method: "POST" });
    assertEquals(status, 200);
    const page = await project.untilPage("/", "ended while it served: exit code 9");
    assertEquals(page.status, 500);
    assertStringIncludes(page.body, "Deno.exit");
    await until(() => project.process.stderr, (text) => text.includes("again at the next save"));
    project.write("app/page.ts", pageSaying("again"));
    await project.untilPage("/", "<h1>again</h1>");
  });
});

Deno.test("a reload of the page of a failed start tries again, once a second at most", async () => {
  const setup = `export function Setup(): void {
  Deno.writeTextFileSync("starts", "x", { append: true });
  Deno.statSync("data");
}
`;
  await withDev({ "app/setup.ts": setup }, async (project) => {
    const { process, dir } = project;
    const starts = (): number => Deno.readTextFileSync(join(dir, "starts")).length;
    const failed = await project.page("/");
    assertEquals(failed.status, 500);
    assertStringIncludes(failed.body, "reload this page");
    for (let at = 0; at < 5; at++) await project.page("/");
    assertEquals(starts(), 1, "nobody asks within a second");
    await quiet(1_000);
    assertEquals((await project.get("/")).status, 500, "a program starts nothing");
    assertEquals(starts(), 1);
    assertEquals((await project.page("/")).status, 500);
    assertEquals(starts(), 2);
    // The same failure is told once.
    assertEquals(process.stderr.split("The application does not start").length, 2);
    await Deno.mkdir(join(dir, "data"));
    await quiet(1_000);
    assertStringIncludes((await project.page("/")).body, "<h1>one</h1>");
    assertEquals(starts(), 3);
  });
});

Deno.test("a generated file that cannot be written is a page until it can", async () => {
  await withDev({ "fw_gen.ts/in_the_way.txt": "" }, async (project) => {
    const page = await project.untilPage("/", "The application does not start");
    assertStringIncludes(page.body, "fw_gen.ts");
    assertStringIncludes(page.body, "free space");
    assert(!page.body.includes(project.dir), "no absolute paths");
    await until(() => project.process.stderr, (text) => text.includes("free space"));
    project.remove("fw_gen.ts");
    await project.untilPage("/", "<h1>one</h1>");
  });
});

Deno.test("a save by way of a temporary file names the file that stays", async () => {
  await withDev({}, async (project) => {
    await project.page("/");
    for (const word of ["two", "three", "four", "five"]) {
      const temporary = join(project.dir, "app/sedXy12Za");
      await Deno.writeTextFile(temporary, "");
      // As slow as a tool may be: the first events are over before the name is changed.
      await quiet(40);
      await Deno.writeTextFile(temporary, pageSaying(word));
      await Deno.rename(temporary, join(project.dir, "app/page.ts"));
      await project.untilPage("/", `<h1>${word}</h1>`);
    }
    const told = await until(
      () => project.process.stdout.match(/Reloaded .* in/g) ?? [],
      (lines) => lines.length === 4,
    );
    assertEquals(new Set(told), new Set(["Reloaded app/page.ts in"]));
  });
});

Deno.test("an app folder that is moved away is told once", async () => {
  await withDev({}, async (project) => {
    await project.page("/");
    await Deno.rename(join(project.dir, "app"), join(project.dir, "appx"));
    await until(() => project.process.stderr, (text) => text.includes("E_NO_APP"));
    await quiet(600);
    assertEquals(project.process.stderr.split("E_NO_APP").length, 2, project.process.stderr);
    await Deno.rename(join(project.dir, "appx"), join(project.dir, "app"));
    await project.untilPage("/", "<h1>one</h1>");
  });
});

Deno.test("FW_DEV_RELOAD=off leaves the script out and still restarts", async () => {
  await withDev({}, async (project) => {
    assert(!(await project.page("/")).body.includes("/_fw/events"));
    project.write("app/page.ts", "export const GET = 1;\n");
    const page = await project.untilPage("/", "The routes cannot be generated");
    assert(!page.body.includes("/_fw/events"));
    project.write("app/page.ts", pageSaying("two"));
    await project.untilPage("/", "<h1>two</h1>");
  }, { env: { FW_DEV_RELOAD: "off" } });
});

Deno.test("a save ends streams of the old process without waiting for them", async () => {
  const route = `import type { Ctx } from "@fw/fw";
export function GET(_: Ctx): Response {
  const body = new ReadableStream({ start: (s) => s.enqueue(new TextEncoder().encode("data: 1\\n\\n")) });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
`;
  await withDev({ "app/api/live/route.ts": route }, async (project) => {
    const response = await fetch(project.url + "/api/live");
    const reader = response.body?.getReader();
    await reader?.read();
    const savedMs = performance.now();
    project.write("app/page.ts", pageSaying("two"));
    await project.untilPage("/", "<h1>two</h1>");
    assert(performance.now() - savedMs < 2_000);
    await reader?.read().catch(() => {});
    await reader?.cancel().catch(() => {});
  });
});

Deno.test("a WebSocket of the application passes", async () => {
  const route = `import type { Ctx } from "@fw/fw";
export function GET(c: Ctx): Response {
  const { socket, response } = Deno.upgradeWebSocket(c.request);
  socket.onmessage = ({ data }) => socket.send("echo " + data);
  return response;
}
`;
  await withDev({ "app/api/echo/route.ts": route }, async (project) => {
    const socket = new WebSocket(`${project.url.replace("http", "ws")}/api/echo`);
    const happened: string[] = [];
    socket.onopen = () => socket.send("hello");
    socket.onmessage = ({ data }) => {
      happened.push(data);
      socket.close();
    };
    socket.onclose = () => happened.push("close");
    await until(() => happened, (list) => list.includes("close"));
    assertEquals(happened, ["echo hello", "close"]);
  });
});

Deno.test("an event stream of the application passes, and ends with its client", async () => {
  const files = {
    "app/api/ticks/route.ts": `import type { Ctx } from "@fw/fw";
export function GET(_: Ctx): Response {
  let timer = 0;
  const body = new ReadableStream({
    start: (s) => { timer = setInterval(() => s.enqueue(new TextEncoder().encode("data: x\\n\\n")), 20); },
    cancel: () => { clearInterval(timer); console.log("stream cancelled"); },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
`,
  };
  await withDev(files, async (project) => {
    const response = await fetch(`${project.url}/api/ticks`);
    const reader = response.body?.getReader();
    for (let event = 0; event < 3; event++) {
      const { value } = await reader?.read() ?? {};
      assertEquals(new TextDecoder().decode(value), "data: x\n\n");
    }
    await reader?.cancel();
    await until(() => project.process.stdout, (text) => text.includes("stream cancelled"));
  });
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.test(`${signal} ends dev with code 0 and leaves nothing running`, async () => {
    const setup = `export function Setup(): void {
  new Deno.Command("sleep", { args: ["300"], stdin: "null", stdout: "null", stderr: "null" }).spawn();
}
`;
    await withDev({ "app/setup.ts": setup }, async (project) => {
      const pid = await project.childPid();
      const helpers = childrenOf(pid);
      assertEquals(helpers.length, 1, "what the application started");
      const { process } = project;
      process.kill(signal);
      const { code } = await process.ended();
      assertEquals(code, 0);
      // The system takes a moment to end what it was told to.
      for (const one of [pid, ...helpers]) await until(() => isAlive(one), (alive) => !alive);
    });
  });
}

Deno.test("the application ends by itself when dev is killed", async () => {
  await withDev({}, async (project) => {
    const pid = await project.childPid();
    project.process.kill("SIGKILL");
    await project.process.ended();
    await until(() => isAlive(pid), (alive) => !alive);
  });
});

Deno.test("dev names a taken port and the mend", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    await withFolder(baseFiles, async (dir) => {
      const process = new CliProcess(dir, ["dev", "--addr", `127.0.0.1:${listener.addr.port}`]);
      assertEquals((await process.ended()).code, 1);
      assertStringIncludes(process.stderr, `127.0.0.1:${listener.addr.port}`);
      assertStringIncludes(process.stderr, "another program uses this port");
      assertStringIncludes(process.stderr, "--addr");
    });
  } finally {
    listener.close();
  }
});

const refusals: readonly {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly code: number;
  readonly says: string;
  readonly lang?: string;
}[] = [
  {
    name: "a library",
    files: { ...baseFiles, "deno.json": '{ "exports": "./fw_gen.ts" }' },
    args: [],
    code: 1,
    says: 'deno.json has "exports"',
  },
  {
    name: "a library, in Portuguese",
    files: { ...baseFiles, "deno.json": '{ "exports": "./fw_gen.ts" }' },
    args: [],
    code: 1,
    says: 'deno.json tem "exports"',
    lang: "pt_BR.UTF-8",
  },
  { name: "a folder without an application", files: {}, args: [], code: 1, says: "deno.json" },
  {
    name: "a wrong address",
    files: baseFiles,
    args: ["--addr", "here"],
    code: 2,
    says: 'Cannot listen on "here"',
  },
  { name: "an unknown flag", files: baseFiles, args: ["--adr", "1"], code: 2, says: "--addr" },
];

for (const { name, files, args, code, says, lang = "en" } of refusals) {
  Deno.test(`dev refuses ${name}`, async () => {
    await withFolder(files, async (dir) => {
      const process = new CliProcess(dir, ["dev", ...args], { FW_LANG: lang });
      assertEquals((await process.ended()).code, code);
      assertStringIncludes(process.stderr, says);
    });
  });
}

function childrenOf(pid: number): number[] {
  const text = Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`);
  return text.split(" ").filter((part) => part.trim() !== "").map(Number);
}

interface OpenEvents {
  /** Waits until everything that came so far matches. */
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
