import { sessions } from "../../lib/sessions.ts";

// Only for operators: errors may quote user data, and running a job again has effects.
export const Middleware = sessions.requireRole("admin");
