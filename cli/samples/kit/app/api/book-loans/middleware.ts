export { Middleware } from "../../book-loans/middleware.ts";
