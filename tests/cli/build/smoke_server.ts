/** Stands in for an executable made by `build`; `SMOKE_MODE` sets its behaviour. */
const mode = Deno.env.get("SMOKE_MODE") ?? "";
const [hostname = "", port = ""] = (Deno.env.get("ADDR") ?? "").split(":");

if (mode === "ends") {
  console.error("error: there is no database");
  Deno.exit(3);
}
if (mode === "stubborn") Deno.addSignalListener("SIGTERM", () => {});
if (mode !== "silent") {
  const server = Deno.serve(
    { hostname, port: mode === "elsewhere" ? 0 : Number(port), onListen: () => {} },
    (request) => answer(new URL(request.url).pathname, request.headers.get("host") ?? ""),
  );
  if (mode === "elsewhere") {
    console.log(JSON.stringify({ msg: "listening", url: `http://localhost:${server.addr.port}/` }));
  }
} else setInterval(() => {}, 1_000);

async function answer(path: string, host: string): Promise<Response> {
  if (mode === "picky" && host !== "shop.example") return new Response(null, { status: 400 });
  if (mode === "endless" && path === "/") return new Response(drip());
  if (path === "/_fw/health/live" || path === "/") {
    const isEmpty = (await Array.fromAsync(Deno.readDir("."))).length === 0;
    const isWell = mode !== "sick" && isEmpty && Deno.env.get("FW_ENV") === "prod";
    return new Response(null, { status: isWell ? 200 : 503 });
  }
  if (path !== "/style.css" || mode === "empty") return new Response(null, { status: 404 });
  return new Response("a{}");
}

function drip(): ReadableStream<Uint8Array> {
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(new TextEncoder().encode(".")), 50);
    },
    cancel: () => clearInterval(timer),
  });
}
