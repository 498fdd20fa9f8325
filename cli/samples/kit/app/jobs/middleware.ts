import { sessions } from "../../lib/sessions.ts";

// Operators alone: errors quote what users sent, and a job that runs again has effects.
export const Middleware = sessions.requireAdmin;
