import type { Schema, SecurityRequirement } from "./document.ts";
import type { Effect } from "../../facts/effects.ts";

const sessionCookie = "fw_session";

export class SecuritySchemes {
  readonly #schemes = new Map<string, Schema>();

  requirementsOf(effects: readonly Effect[]): SecurityRequirement[] {
    const requirement: SecurityRequirement = {};
    for (const effect of effects) {
      if (effect.kind === "guard") requirement[this.#session(effect.cookie)] = [];
      if (effect.kind === "error" && /^bearer\b/i.test(effect.challenge ?? "")) {
        requirement[this.#add("bearer", { type: "http", scheme: "bearer" })] = [];
      }
      if (effect.kind === "error" && /^basic\b/i.test(effect.challenge ?? "")) {
        requirement[this.#add("basic", { type: "http", scheme: "basic" })] = [];
      }
    }
    return Object.keys(requirement).length === 0 ? [] : [requirement];
  }

  all(): Record<string, Schema> | undefined {
    return this.#schemes.size === 0 ? undefined : Object.fromEntries([...this.#schemes].sort());
  }

  #session(cookie: string | undefined): string {
    const name = cookie === undefined || cookie === sessionCookie
      ? "session"
      : cookie.replace(/[^\w.-]+/g, "_");
    return this.#add(name, {
      type: "apiKey",
      in: "cookie",
      name: cookie ?? sessionCookie,
      description: "The session of a signed-in user. Over HTTPS the name has the prefix " +
        "`__Host-`, below a base path `__Secure-`.",
    });
  }

  #add(name: string, scheme: Schema): string {
    this.#schemes.set(name, scheme);
    return name;
  }
}
