import { assertEquals, assertRejects } from "@std/assert";
import { boot, createLogger, type Settings, variable } from "../../../../mod.ts";

// A name that no process uses; nothing is written to the environment.
const absent = "FW_TEST_VARIABLE_THAT_NOBODY_SETS";
const logger = createLogger({ write: () => {} });

Deno.test("variable: values override the environment, and an empty one counts as absent", () => {
  const rows: readonly [variables: Record<string, string>, want: string | undefined][] = [
    [{}, undefined],
    [{ [absent]: "a" }, "a"],
    [{ [absent]: "" }, undefined],
    [{ other: "a" }, undefined],
  ];
  for (const [variables, want] of rows) {
    const config = { variables } as unknown as Parameters<typeof variable>[0];
    assertEquals(variable(config, absent), want);
  }
  const inherited = { variables: {} } as unknown as Parameters<typeof variable>[0];
  assertEquals(variable(inherited, "toString"), undefined);
});

Deno.test("boot: two applications of one process have separate variables", async () => {
  const seen: (string | undefined)[] = [];
  const start = (settings: Settings) =>
    boot({
      routes: [],
      setup: {
        Config: (config) =>
          void seen.push(variable(config, absent), config.addr, String(config.secret)),
        Setup: (app) => void seen.push(variable(app, absent)),
      },
    }, { logger, ...settings });
  const secret = "a".repeat(32);
  const apps = await Promise.all([
    start({ variables: { [absent]: "one", ADDR: ":1", FW_SECRET: secret } }),
    start({ variables: { [absent]: "two", ADDR: ":2", FW_SECRET: "" } }),
  ]);
  assertEquals(seen.toSorted(), [":1", ":2", secret, "one", "one", "two", "two", "undefined"]);
  for (const app of apps) await app.shutdown();
});

Deno.test("boot refuses variables that are not strings", async () => {
  const variables = { EVENTS_PORT: 3000 } as unknown as Record<string, string>;
  await assertRejects(
    () => boot({ routes: [], setup: {} }, { logger, variables }),
    TypeError,
    "Cannot set config.variables to an object: use strings by key",
  );
});
