/** The exports of the module in `BENCH_STD`. */
interface FileServer {
  readonly serveDir: (
    request: Request,
    options: { readonly fsRoot: string; readonly quiet: boolean },
  ) => Promise<Response>;
}

const { serveDir }: FileServer = await import(Deno.env.get("BENCH_STD") ?? "");
const fsRoot = Deno.env.get("BENCH_PUBLIC") ?? "";
Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen: () => undefined },
  (request) => serveDir(request, { fsRoot, quiet: true }),
);
