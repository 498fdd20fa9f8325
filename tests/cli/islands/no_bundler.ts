/** Whether this machine can bundle: `deno bundle` fetches esbuild from the npm registry once. */
import { join } from "@std/path";
import { deno, inScratch } from "../support.ts";

/** Why the tests of bundles cannot run; `undefined` where they can. */
export const noBundler: string | undefined = await findReason();

async function findReason(): Promise<string | undefined> {
  let reason: string | undefined;
  await inScratch(async (folder) => {
    await Deno.writeTextFile(join(folder, "a.ts"), "export default 1;\n");
    const { code } = await deno(["bundle", "--no-config", "--outdir=out", "a.ts"], folder);
    if (code !== 0) reason = "deno bundle cannot get esbuild";
  });
  return reason;
}
