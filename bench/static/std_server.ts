import { dirname, join } from "@std/path";

/** std, republished as JavaScript; missing modules are added below. */
const packageName = "deno-std";
const packageVersion = "1.4.0";

/**
 * Installs `@std/http`'s file server from npm into a folder. The npm edition lacks a few modules
 * that the file server imports; of these, only the header names are used to serve files.
 *
 * @returns The path of the module that exports `serveDir`.
 */
export async function installFileServer(folder: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", "--no-audit", "--no-fund", `${packageName}@${packageVersion}`],
    cwd: folder,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  // Moved out of node_modules, where the package's `exports` would hide its files.
  const std = join(folder, "std");
  await Deno.rename(join(folder, "node_modules", packageName), std);
  await Deno.rename(join(std, "media_types"), join(std, "media-types"));
  const server = join(std, "http/file_server.js");
  const source = await Deno.readTextFile(server);
  for (const [path, text] of Object.entries(missingModules(source))) {
    await Deno.mkdir(dirname(join(std, path)), { recursive: true });
    await Deno.writeTextFile(join(std, path), text);
  }
  return server;
}

function missingModules(server: string): Record<string, string> {
  return {
    "fs/exists.js": "export const exists = async () => true;",
    "net/unstable_get_network_address.js": "export const getNetworkAddress = () => undefined;",
    "html/unstable_html.js": "export const html = String.raw;",
    "http/deno.json": "{}",
    "http/unstable_header.js": constants("HEADER", { server, toValue: headerName }),
    "http/unstable_method.js": constants("METHOD", { server, toValue: (n) => n.toUpperCase() }),
  };
}

/** Writes a module with an object of the names that the server uses. */
function constants(
  name: string,
  options: { readonly server: string; readonly toValue: (name: string) => string },
): string {
  const members = new Set<string>();
  for (const [, member] of options.server.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))) {
    if (member !== undefined) members.add(member);
  }
  const values = Object.fromEntries([...members].map((each) => [each, options.toValue(each)]));
  return `export const ${name} = ${JSON.stringify(values)};`;
}

function headerName(name: string): string {
  return name === "ETag" ? name : name.replace(/(?<=[a-z])(?=[A-Z])/g, "-");
}
