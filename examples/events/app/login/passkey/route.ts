import { KindPage, use } from "@fw/fw";
import { Organisers } from "@/lib/organisers.ts";
import { organiserKeys, sessions } from "@/lib/sign_in.ts";

// The CSRF token is checked.
export const Kind = KindPage;

export const { GET, POST } = organiserKeys.signInHandlers(
  sessions,
  (c, subject) => use(c, Organisers).find(subject),
  { fallback: "/organize" },
);
