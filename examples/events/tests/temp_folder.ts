import { join } from "@std/path";
import { findDataFolder } from "@/lib/data_folder.ts";

/** Creates a temporary folder where the test task has write permission. */
export function makeTempFolder(): string {
  const { database } = findDataFolder({ database: undefined, folder: undefined });
  const data = join(database, "..");
  Deno.mkdirSync(data, { recursive: true });
  return Deno.makeTempDirSync({ dir: data, prefix: "test_" });
}
