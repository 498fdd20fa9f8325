import { KindPage } from "@fw/fw";
import { organiserKeys, sessions } from "@/lib/sign_in.ts";

// The CSRF token is checked.
export const Kind = KindPage;

export const { GET, POST } = organiserKeys.registerHandlers(sessions);
