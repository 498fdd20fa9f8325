import { join } from "@std/path";
import { findDataFolder } from "@/lib/data_folder.ts";

/** Makes a folder of the test's own where the task lets it write. */
export function makeTempFolder(): string {
  const { database } = findDataFolder({ database: undefined, folder: undefined });
  const data = join(database, "..");
  Deno.mkdirSync(data, { recursive: true });
  return Deno.makeTempDirSync({ dir: data, prefix: "test_" });
}
