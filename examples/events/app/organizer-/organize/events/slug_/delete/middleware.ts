import { sessions } from "@/lib/sign_in.ts";

/** Permanent deletion requires the role of an administrator. */
export const Middleware = sessions.requireAdmin;
