import { join } from "@std/path";
import type { Messages } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { Stop } from "../stop.ts";
import { type AuthPlan, findProvider } from "./auth.ts";

export type PresentSignIn =
  | { readonly kind: "none" }
  /** The accounts that this command writes, which passkeys or a provider can join. */
  | { readonly kind: "accounts"; readonly plan: AuthPlan }
  | { readonly kind: "provider" }
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

/** Joins what is there with what was requested. @throws {Stop} where that cannot be. */
export function planSignIn(present: PresentSignIn, request: AuthPlan): AuthPlan {
  const refuse = (reason: keyof Messages["generateAuthBeside"]): never => {
    throw new Stop(({ generateAuthBeside }) => generateAuthBeside[reason]);
  };
  if (present.kind === "foreign") return refuse("foreign");
  if (present.kind === "provider" && request.hasAccounts) refuse("provider");
  if (present.kind !== "accounts") return request;
  const { plan: old } = present;
  if (old.provider !== undefined && request.provider !== undefined) {
    refuse(old.provider === request.provider ? "already" : "second");
  }
  const plan: AuthPlan = {
    hasAccounts: true,
    hasPasskeys: old.hasPasskeys || request.hasPasskeys,
    provider: old.provider ?? request.provider,
    languages: old.languages,
    engine: old.engine,
  };
  const isNew = plan.hasPasskeys !== old.hasPasskeys || plan.provider !== old.provider;
  return isNew ? plan : refuse("already");
}
