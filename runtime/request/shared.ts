export { ExportConnection, ProcessConnection } from "./connections.ts";
