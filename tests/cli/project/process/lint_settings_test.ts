import { assertEquals } from "@std/assert";
import { hasLintPlugins, lintFlags } from "../../../../cli/project/process/tools.ts";
import { findSettingPlace } from "../../../../cli/project/process/failure.ts";
import { inProject } from "../../support.ts";

const rows: readonly [manifest: Record<string, unknown>, flags: string[], files: string[]][] = [
  [{}, [], []],
  [{ lint: "x", exclude: 3 }, [], []],
  [{ lint: { rules: { tags: [], exclude: [1, "", "a"] } } }, ["--rules-exclude=a"], []],
  [{ exclude: ["dist", "!dist/a"], lint: { exclude: ["b"] } }, ["--ignore=dist,b"], []],
  [
    { lint: { include: ["src/", "/etc", "../x", "a/../../x", "C:/x", "\\\\x", "a..b"] } },
    [],
    ["src/", "a..b"],
  ],
];
for (const [manifest, flags, files] of rows) {
  Deno.test(`lintFlags: ${JSON.stringify(manifest)}`, () => {
    assertEquals(lintFlags(manifest), { flags: ["--no-config", ...flags], files });
  });
}

Deno.test("hasLintPlugins: is true only for a non-empty list of names", () => {
  const lists = [["./a.ts"], [], undefined, "x", [3]];
  const counted = lists.filter((plugins) => hasLintPlugins({ lint: { plugins } }));
  assertEquals(counted, [["./a.ts"]]);
});

const setup = `import type { Config as Settings } from "@fw/fw";

// The spell checker accepts corss.
export function Config(config: Settings): void {
  config.timeouts.readMs = -1;
  Object.assign(config, {
    corss: { origins: [] },
  });
  config.cors = { origin: ["https://a.example"] };
}
`;

const places: [message: string, place: string | undefined][] = [
  ["TypeError: Cannot set config.corss: there is no such setting. There are addr.", "7:5"],
  ['RangeError: Cannot set config.timeouts.readMs to "-1": use milliseconds from 0 up.', "5:19"],
  ["Cannot set config.cors.origin: there is no such setting; there are origins.", "9:19"],
  ["TypeError: Cannot set config.cors.gone: there is no such setting.", "9:10"],
  ["TypeError: Cannot set config.basePath: use a string.", undefined],
  ["Error: it says config.cors but is the application's", undefined],
  ["TypeError: Cannot read PORT", undefined],
];

for (const [message, want] of places) {
  Deno.test(`findSettingPlace: ${message.slice(0, 60)}: ${want}`, () =>
    inProject({ "app/setup.ts": setup }, (root) => {
      const place = findSettingPlace(root, message);
      assertEquals(
        place && `${place.file}:${place.line}:${place.column}`,
        want && `app/setup.ts:${want}`,
      );
      return Promise.resolve();
    }));
}

Deno.test("findSettingPlace: returns undefined without setup.ts", () =>
  inProject({}, (root) => {
    assertEquals(findSettingPlace(root, "Cannot set config.cors: write"), undefined);
    return Promise.resolve();
  }));
