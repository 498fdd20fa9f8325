export interface ServeDirOptions {
  fsRoot?: string;
  urlRoot?: string;
  showDirListing?: boolean;
  showIndex?: boolean;
  enableCors?: boolean;
  quiet?: boolean;
  headers?: string[];
}
export function serveDir(req: Request, opts?: ServeDirOptions): Promise<Response>;
export function accepts(request: Pick<Request, "headers">): string[];
export function accepts(request: Pick<Request, "headers">, ...types: string[]): string | undefined;
export function acceptsLanguages(
  request: Pick<Request, "headers">,
  ...langs: string[]
): string | undefined;
