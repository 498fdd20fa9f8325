import { findMisspelt } from "../../../../../runtime/addon.ts";
import { assert, assertEquals } from "@std/assert";
import { variableNames } from "../../../../../runtime/base/diagnose/nearest.ts";

const rows: [name: string, nearest: string | undefined][] = [
  ["FW_SECRT", "FW_SECRET"],
  ["FW_BASEPATH", "FW_BASE_PATH"],
  ["FW_ALLOWED_HOST", "FW_ALLOWED_HOSTS"],
  ["FW_secret", "FW_SECRET"],
  ["FW_PORT", "PORT"],
  ["FW_SECRET", undefined],
  ["FW_DEV_READY", undefined],
  ["FW_DB", undefined],
  ["FW_MAIL_HOST", undefined],
  ["FW_", undefined],
  ["SECRT", undefined],
];

for (const [name, nearest] of rows) {
  Deno.test(`findMisspelt ${name}: ${nearest}`, () => {
    assertEquals(findMisspelt([name]), nearest === undefined ? [] : [{ name, nearest }]);
  });
}

const set = { FW_SECRT: "a", FW_BASEPATH: "b", FW_PORT: "1", FW_DB: "c", FW_SCERET: "d" };

const permissions: [name: string, env: Deno.PermissionOptionsObject["env"], want: string[]][] = [
  ["everything", true, ["FW_BASEPATH", "FW_PORT", "FW_SCERET", "FW_SECRT"]],
  ["the prefix", ["FW_*", "PORT"], ["FW_BASEPATH", "FW_PORT", "FW_SCERET", "FW_SECRT"]],
  ["single names", ["FW_SECRET"], []],
  ["nothing", false, []],
];

for (const [name, env, want] of permissions) {
  Deno.test({
    name: `variableNames where the process may read ${name}`,
    fn: async () => {
      const flag = env === true
        ? ["--allow-env"]
        : Array.isArray(env)
        ? [`--allow-env=${env}`]
        : [];
      const code = `import { findMisspelt, variableNames } from "${new URL(
        "../../../../../runtime/base/diagnose/nearest.ts",
        import.meta.url,
      )}"; console.log(JSON.stringify(findMisspelt(variableNames()).map(({ name }) => name).sort()));`;
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-check", ...flag, `data:text/typescript,${encodeURIComponent(code)}`],
        env: { ...set, NO_COLOR: "1" },
        stdin: "null",
        stderr: "inherit",
      }).output();
      assertEquals(new TextDecoder().decode(stdout).trim(), JSON.stringify(want));
    },
  });
}

Deno.test("variableNames throws nothing under this test's permissions", () => {
  assert(Array.isArray(variableNames()));
});
