import { type Application, variable } from "@fw/fw";
import { missing } from "./auth.ts";
import { originOf } from "./origin.ts";

// if passwords
/** The variables that production needs. */
const needed: Readonly<Record<string, string>> = {
  FW_ORIGIN: "the origin of the site, such as https://club.example, without a path",
  FW_MAIL_URL: "the address of the mail service, or change lib/mail.ts",
  FW_MAIL_TOKEN: "the token of the mail service",
  FW_MAIL_FROM: "the sender of the mails",
};

// end
/** Refuses to start with missing or invalid variables, and names all of them. */
export function checkVariables(app: Application): void {
  const { env } = app;
  const faults: string[] = [];
  // if passwords
  for (const [name, what] of Object.entries(needed)) {
    const value = variable(app, name) ?? "";
    // The `Host` of a request can be forged, so production does not derive the origin from it.
    if (value === "" && env !== "dev") faults.push(`${name} is not set: ${what}`);
    else if (name === "FW_ORIGIN" && value !== "" && URL.parse(value)?.origin !== value) {
      faults.push(`${name} is not valid: set ${what}`);
    } else if (name === "FW_MAIL_URL" && value !== "" && URL.parse(value) === null) {
      faults.push(`${name} is not valid: set a whole URL, such as https://mail.example/send`);
    }
  }
  // end
  // if passkeys
  const domain = variable(app, "FW_PASSKEY_DOMAIN");
  const host = URL.parse(originOf(app))?.hostname;
  if (domain !== undefined && !`.${host}`.endsWith(`.${domain}`)) {
    faults.push("FW_PASSKEY_DOMAIN is not valid: set the host of FW_ORIGIN, or a domain above it");
  }
  // end
  // if provider
  if (env !== "dev") {
    faults.push(
      ...missing.map((name) => `${name} is not set: see the registration at the identity provider`),
    );
  }
  // end
  // if signed
  if (env !== "dev" && app.config.secret === undefined) {
    faults.push("FW_SECRET is not set: 32 random bytes or more, the same on every replica");
  }
  // end
  if (faults.length === 0) return;
  const error = new Error(`Cannot start the sign-in.\n  ${faults.join("\n  ")}`);
  // No stack, because the fault is not in the code: only the message is printed.
  error.stack = "";
  throw error;
}
