import { App, boot, createLogger, key, Off, provide, use } from "../../../../mod.ts";
import type { Application, AppTree, Config, Settings, SetupModule } from "../../../../mod.ts";
import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { testRequest } from "../../../../runtime/testing/mod.ts";
import { newSite, routeOf, textRoute, throwing } from "../support.ts";
import { setEnv } from "../../base/with_env.ts";
import { newFolder } from "../../../new_folder.ts";

const quiet = { logger: createLogger({ write: () => {} }) };

function tree(setup: SetupModule, rest: Partial<AppTree> = {}): AppTree {
  return { routes: [textRoute("/", "home")], setup, ...rest };
}

Deno.test("boot runs Config, adds the routes, runs Setup; Shutdown runs at shutdown, once", async () => {
  const steps: string[] = [];
  const app = await boot(
    tree({
      Config: async (config) => {
        await Promise.resolve();
        steps.push(`Config ${config.env}`);
      },
      Setup: async (app) => {
        await Promise.resolve();
        steps.push(`Setup with ${app.routes.length} route`);
      },
      Shutdown: async () => {
        await Promise.resolve();
        steps.push("Shutdown");
      },
    }),
    quiet,
  );
  assertEquals(steps, ["Config prod", "Setup with 1 route"]);
  assertEquals((await testRequest(app, "GET", "/")).body, "home");
  await Promise.all([app.shutdown(), app.shutdown()]);
  await app.shutdown();
  assertEquals(steps.slice(2), ["Shutdown"]);
});

Deno.test("boot refuses --fw, which only an executable of fw build answers", async () => {
  const { args } = Deno;
  try {
    for (const given of [["--fw", "routes"], ["x", "--fw=version"]]) {
      Object.defineProperty(Deno, "args", { value: given, configurable: true });
      await assertRejects(() => boot(tree({})), Error, "Cannot answer --fw: `fw build` did not");
    }
  } finally {
    Object.defineProperty(Deno, "args", { value: args, configurable: true });
  }
});

Deno.test("the argument overrides the environment, and Config overrides both", async () => {
  using _ = setEnv({ FW_BASE_PATH: "/env", PORT: "4001", FW_ENV: "DEV" });
  let seen: Partial<Config> = {};
  const app = await boot(
    tree({
      Config: (config) => {
        seen = { ...config };
        config.addr = ":4003";
      },
    }),
    { ...quiet, basePath: "/argument", addr: ":4002" },
  );
  assertEquals([seen.basePath, seen.addr, seen.env], ["/argument", ":4002", "dev"]);
  const { basePath, addr, env } = app.config;
  assertEquals([basePath, addr, env], ["/argument", ":4003", "dev"]);
});

for (const name of ["Config", "Setup"] as const) {
  for (const way of ["throws", "rejects"]) {
    Deno.test(`a ${name} that ${way} fails the boot with its own error`, async () => {
      const error = new Error("no database");
      const fail = (): Promise<void> => {
        if (way === "throws") throw error;
        return Promise.reject(error);
      };
      let isSetUp = false;
      const setup: SetupModule = { Setup: () => void (isSetUp = true), [name]: fail };
      const caught = await assertRejects(() => boot(tree(setup), quiet));
      assertStrictEquals(caught, error);
      assert(!isSetUp);
    });
  }
}

const silent:
  readonly (readonly [name: string, isTerminal: boolean, env: string, given: Settings])[] = [
    ["FW_ENV", true, "prod", {}],
    ["development", true, "dev", {}],
    ["a setting", true, "", { env: "prod" }],
    ["a variable", true, "", { variables: { FW_ENV: "prod" } }],
    ["a service", false, "", {}],
  ];

for (const [name, isTerminal, env, given] of [["nothing", true, "", {}] as const, ...silent]) {
  Deno.test(`on a terminal, the log names production where ${name} chooses it`, async () => {
    const lines: string[] = [];
    const logger = createLogger({ write: (line) => void lines.push(line) });
    const { isTerminal: before } = Deno.stdout;
    Deno.stdout.isTerminal = () => isTerminal;
    try {
      using _ = setEnv({ FW_ENV: env });
      await boot(tree({}), { logger, ...given });
    } finally {
      Deno.stdout.isTerminal = before;
    }
    const told = lines.filter((line) => line.includes("FW_ENV is not set"));
    assertEquals(told.length, name === "nothing" ? 1 : 0);
  });
}

Deno.test("a failing Shutdown makes shutdown reject with its error", async () => {
  const app = await boot(tree({ Shutdown: throwing(new Error("cannot close")) }), quiet);
  await assertRejects(() => app.shutdown(), Error, "cannot close");
});

Deno.test("Setup and Shutdown may declare an App or an Application, which are the same object", async () => {
  const seen: unknown[] = [];
  const setup = {
    Setup: (app: App) => void seen.push(app instanceof App),
    Shutdown: (app: Application) => void seen.push(app instanceof App),
  };
  const app = await boot(tree(setup), quiet);
  await app.shutdown();
  assertEquals(seen, [true, true]);
});

Deno.test("Setup may change the configuration and add routes before they are compiled", async () => {
  const app = await boot(
    tree({
      Setup: (app) => {
        app.config.basePath = "/late";
        app.route(textRoute("/added"));
      },
    }),
    quiet,
  );
  await testRequest(app, "GET", "/late/added").wantStatus(200);
  await testRequest(app, "GET", "/added").wantStatus(404);
});

Deno.test("the configuration is frozen and routes are final after the first request", async () => {
  const { app } = newSite([textRoute("/")]);
  const rateLimit = app.config.rateLimit = { rate: 1_000, burst: 1_000 };
  const variables: Record<string, string> = app.config.variables = { SHOP: "one" };
  await testRequest(app, "GET", "/").wantStatus(200);
  assertThrows(() => app.config.basePath = "/x", TypeError);
  assertThrows(() => rateLimit.rate = 1, TypeError);
  assertThrows(() => Object.assign(app.config.mounts, { "/late": "." }), TypeError);
  assertThrows(() => app.config.timeouts.shutdownMs = 1, TypeError);
  assertThrows(() => app.config.observability.metrics = "/m", TypeError);
  assertThrows(() => Object.assign(app.config.variables, { SHOP: "two" }), TypeError);
  variables["SHOP"] = "two";
  assertEquals(app.config.variables["SHOP"], "one");
  const message =
    'Cannot add the route "/late": the application is already serving; add it in Setup.';
  assertThrows(() => app.route(textRoute("/late")), TypeError, message);
});

Deno.test("public/ beside the application is served unless config.public is set", async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  for (const folder of ["public", "other"]) {
    await Deno.mkdir(`${dir}/${folder}`);
    await Deno.writeTextFile(`${dir}/${folder}/a.txt`, folder);
  }
  const own = await boot(tree({}, { dir }), quiet);
  assertEquals((await testRequest(own, "GET", "/a.txt")).body, "public");
  const other = await boot(tree({}, { dir }), { ...quiet, public: `${dir}/other` });
  assertEquals((await testRequest(other, "GET", "/a.txt")).body, "other");
  const none = await boot(
    tree({ Config: (config) => void (config.public = undefined) }, { dir }),
    quiet,
  );
  await testRequest(none, "GET", "/a.txt").wantStatus(404);
});

const missing = "/nonexistent/assets";
const publicFolders: [name: string, parts: Partial<AppTree>, set: Settings, warned: string[]][] = [
  ["public/ beside the application is missing", { dir: "/nonexistent" }, {}, []],
  ["config.public is missing", {}, { public: missing }, [missing]],
  ["config.public is missing", { dir: "/nonexistent" }, { public: missing }, [missing]],
  ["a file: URL is missing", {}, { public: new URL(`file://${missing}`) }, [`file://${missing}`]],
  ["config.public exists", {}, { public: "examples/gallery/public" }, []],
  ["there is none", {}, {}, []],
];

for (const env of ["dev", "prod"] as const) {
  for (const [name, parts, settings, warned] of publicFolders) {
    Deno.test(`a missing public folder is reported at boot if it was configured: ${name} (${env})`, async () => {
      const lines: string[] = [];
      const logger = createLogger({ write: (text) => void lines.push(text) });
      const app = await boot(tree({}, parts), { env, logger, logRequest: Off, ...settings });
      await testRequest(app, "GET", "/").wantStatus(200);
      await testRequest(app, "GET", "/").wantStatus(200);
      assertEquals(
        lines.map((line) => JSON.parse(line)).map(({ level, msg, folder }) => [level, msg, folder]),
        warned.map((folder) => ["warn", "config.public is not a folder; create it", folder]),
      );
    });
  }
}

Deno.test("provide in Setup and use in a handler keep a value per application, not per module", async () => {
  const Count = key<{ n: number }>("count");
  const apps = await Promise.all(
    [1, 2].map((n) =>
      boot({
        routes: [{ pattern: "/", methods: { GET: (c) => c.json(200, use(c, Count).n++) } }],
        setup: { Setup: (app) => provide(app, Count, { n: n * 10 }) },
      }, quiet)
    ),
  );
  const seen: string[] = [];
  for (const app of [...apps, ...apps]) seen.push((await testRequest(app, "GET", "/")).body);
  assertEquals(seen, ["10", "20", "11", "21"]);
});

Deno.test("concurrent requests do not mix staged headers, titles and values", async () => {
  const { app } = newSite([routeOf("GET", "/{id}", async (c) => {
    const id = c.param("id");
    c.header("x-id", id);
    c.set("id", id);
    c.title = id;
    await new Promise((resolve) => setTimeout(resolve, Number(id) % 3));
    return c.json(200, [c.get("id"), c.title, c.param("id")]);
  })]);
  const ids = Array.from({ length: 30 }, (_, i) => String(i));
  const responses = await Promise.all(ids.map((id) => testRequest(app, "GET", `/${id}`)));
  for (const [i, id] of ids.entries()) {
    responses[i]?.wantHeader("x-id", id);
    assertEquals(responses[i]?.body, JSON.stringify([id, id, id]));
  }
});
