/** The parts and names of the samples that depend on who reads and who writes. */
import type { Rendering } from "../sample.ts";
import type { Resource } from "./resource.ts";

export function isRoleName(role: string): boolean {
  return /^[\w.:-]{1,60}$/.test(role);
}

/** Returns the sample of the guard of all pages; `undefined` if every client may change rows. */
export function guardSample(
  { guard, role, writers, isPublic, isAudited }: Resource,
): string | undefined {
  if (guard === undefined) return undefined;
  if (isAudited && isPublic !== true) return "app/book-loans/middleware.ts";
  const kind = isAudited ? "public" : writers ? "writers" : role === undefined ? "signed" : "role";
  return `guards/book-loans/${kind}.ts`;
}

export function accessRendering(
  { guard, role, writers, isPublic, isAudited, hasAccounts }: Resource,
): Required<Pick<Rendering, "names" | "parts">> {
  const held = [role, writers].filter((each) => each !== undefined);
  return {
    names: {
      "clerk librarian": held.join(" "),
      clerk: role ?? "",
      librarian: writers ?? "",
      ...hasAccounts === true ? {} : { "lib/account_testing": "lib/session_testing" },
      ...guard === "auth" ? { sessions: "auth" } : {},
      // The sample is guarded, so its own test expects the sign-in.
      ...isPublic === true ? { '/1").wantStatus(302)': '/1").wantStatus(200)' } : {},
    },
    parts: {
      accounts: hasAccounts === true,
      guard: guard !== undefined && isPublic !== true,
      signed: guard !== undefined,
      role: role !== undefined,
      writer: writers !== undefined,
      held: held.length > 0,
      // Strangers see neither deleted rows nor the history.
      hidden: guard !== undefined && isPublic === true && isAudited,
    },
  };
}
