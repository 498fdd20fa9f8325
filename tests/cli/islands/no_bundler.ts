/** Whether this machine can bundle: `deno bundle` downloads esbuild from the npm registry once. */
import { join } from "@std/path";
import { deno, inScratch } from "../support.ts";

/** The reason why the bundle tests cannot run; `undefined` if they can. */
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
