import { requireRecent } from "../../../lib/sessions.ts";

export const Middleware = requireRecent;
