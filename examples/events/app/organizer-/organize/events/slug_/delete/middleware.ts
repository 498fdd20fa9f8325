import { sessions } from "@/lib/sign_in.ts";

/** What is gone for good takes the role of an administrator. */
export const Middleware = sessions.requireAdmin;
