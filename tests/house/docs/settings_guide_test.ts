import { assertEquals, assertGreater } from "@std/assert";
import { join } from "@std/path";
import { configFromEnv, defaultConfig } from "../../../runtime/base/config/config.ts";
import { root } from "../../../tools/workspace.ts";

const guide = await Deno.readTextFile(join(root, "docs/serving.md"));

/** Whether the table of settings has a row that starts with the field. */
function hasRow(field: string): boolean {
  return guide.split("\n").some((line) => {
    const [, cell = ""] = line.split("|");
    return line.startsWith("| ") && new RegExp(`\`${field}[\`(]`).test(cell);
  });
}

/** The environment variables that `configFromEnv` reads. */
function readNames(): string[] {
  const names: string[] = [];
  // Every variable is there and empty, so that each is read and none changes a setting.
  configFromEnv(
    new Proxy({}, {
      getOwnPropertyDescriptor: (_, name) => {
        names.push(String(name));
        return { value: "", configurable: true };
      },
    }),
  );
  return names;
}

Deno.test("settings: every field of Config has a row in docs/serving.md", () => {
  const { timeouts, observability, ...others } = defaultConfig();
  const fields = [
    ...Object.keys(others),
    ...Object.keys(timeouts).map((name) => `timeouts\\.${name}`),
    ...Object.keys(observability).map((name) => `observability\\.${name}`),
  ];
  assertEquals(fields.filter((field) => !hasRow(field)), []);
});

Deno.test("settings: every variable that configFromEnv reads is in docs/serving.md", () => {
  const names = readNames();
  assertGreater(names.length, 10);
  assertEquals(names.filter((name) => !guide.includes(`\`${name}`)), []);
});
