import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { openDatabase } from "../../lib/database.ts";

const opener = `import { openDatabase } from ${
  JSON.stringify(new URL("../../lib/database.ts", import.meta.url).href)
};
openDatabase(Deno.args[0]).close();`;

// The test task of the example grants neither processes nor the system's temporary folder.
const isAllowed = Deno.permissions.querySync({ name: "run" }).state === "granted";
if (!isAllowed) console.log("skipped: openDatabase in several processes needs --allow-run");
const name =
  "openDatabase brings a new file up to date once, however many processes open it at once";

Deno.test({ name, ignore: !isAllowed, fn: openAtOnce });

async function openAtOnce(): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "events.db");
    const script = join(folder, "open.ts");
    await Deno.writeTextFile(script, opener);
    const open = async (): Promise<string> => {
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", script, path],
        stdin: "null",
        stdout: "null",
        stderr: "piped",
      }).output();
      return success ? "" : new TextDecoder().decode(stderr);
    };
    assertEquals(await Promise.all([open(), open(), open(), open()]), ["", "", "", ""]);
    const db = openDatabase(path);
    assertEquals(db.prepare("select count(*) as n from attendees").get()?.["n"], 0);
    db.close();
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
