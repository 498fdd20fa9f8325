import { join } from "@std/path";
import { readTextIfThere } from "../project/files/look.ts";
import { type AuthPlan, findProvider } from "./auth.ts";

export type PresentSignIn =
  | { readonly kind: "none" }
  /** The accounts that this command writes, which passkeys or a provider can join. */
  | { readonly kind: "accounts"; readonly plan: AuthPlan }
  | { readonly kind: "provider" }
  /** A `lib/accounts.ts` of another origin. */
  | { readonly kind: "foreign" };

export async function findSignIn(
  root: string,
  { languages, engine }: Pick<AuthPlan, "languages" | "engine">,
): Promise<PresentSignIn> {
  const read = (path: string): Promise<string | undefined> => readTextIfThere(join(root, path));
  const [accounts, passkeys, auth] = await Promise.all([
    read("lib/accounts.ts"),
    read("lib/passkeys.ts"),
    read("lib/auth.ts"),
  ]);
  if (accounts === undefined) return auth === undefined ? { kind: "none" } : { kind: "provider" };
  if (!accounts.includes("export const Accounts = key<AccountStore>")) return { kind: "foreign" };
  return {
    kind: "accounts",
    plan: {
      hasAccounts: true,
      hasPasskeys: passkeys !== undefined,
      provider: auth === undefined ? undefined : findProvider(auth),
      languages,
      engine,
    },
  };
}

/** Why nothing is written. */
export type PlanRefusal = "already" | "foreign" | "provider" | "second";

export type Planned =
  | { readonly kind: "planned"; readonly plan: AuthPlan }
  | { readonly kind: "refused"; readonly reason: PlanRefusal };

/** Joins what is there with what was requested. */
export function planSignIn(present: PresentSignIn, request: AuthPlan): Planned {
  if (present.kind === "foreign") return { kind: "refused", reason: "foreign" };
  if (present.kind === "provider" && request.hasAccounts) {
    return { kind: "refused", reason: "provider" };
  }
  if (present.kind !== "accounts") return { kind: "planned", plan: request };
  const { plan: old } = present;
  if (old.provider !== undefined && request.provider !== undefined) {
    return { kind: "refused", reason: old.provider === request.provider ? "already" : "second" };
  }
  const plan: AuthPlan = {
    hasAccounts: true,
    hasPasskeys: old.hasPasskeys || request.hasPasskeys,
    provider: old.provider ?? request.provider,
    languages: old.languages,
    engine: old.engine,
  };
  const isNew = plan.hasPasskeys !== old.hasPasskeys || plan.provider !== old.provider;
  return isNew ? { kind: "planned", plan } : { kind: "refused", reason: "already" };
}
