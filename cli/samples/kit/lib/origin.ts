import { type Application, variable } from "@fw/fw";

/** Returns the origin of the site, for links in mails. */
export function originOf(app: Application): string {
  return variable(app, "FW_ORIGIN") ??
    new URL(`http://localhost:${variable(app, "PORT") ?? "3000"}`).origin;
}
