export { Middleware } from "../../new/middleware.ts";
