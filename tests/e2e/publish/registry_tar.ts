/** Reading of tar archives, as far as `deno publish` writes them. */

const blockBytes = 512;

/**
 * Lists the regular files of a ustar or GNU archive.
 *
 * @returns Content by path; paths start with `/`.
 */
export function parseTar(archive: Uint8Array<ArrayBuffer>): Map<string, Uint8Array<ArrayBuffer>> {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let longName = "";
  for (let at = 0; at + blockBytes <= archive.length && archive[at] !== 0;) {
    const header = archive.subarray(at, at + blockBytes);
    const size = parseInt(textAt(header, 124, 12).trim(), 8);
    const type = textAt(header, 156, 1);
    const start = at + blockBytes;
    const content = archive.slice(start, start + size);
    if (type === "L") {
      longName = textAt(content, 0, size);
    } else {
      const name = longName === "" ? nameOf(header) : longName;
      if (type === "0" || type === "") files.set(name.replace(/^\.?\/?/, "/"), content);
      longName = "";
    }
    at = start + Math.ceil(size / blockBytes) * blockBytes;
  }
  return files;
}

// A ustar header has a prefix field; a GNU one, marked "ustar ", has other things there.
function nameOf(header: Uint8Array): string {
  const name = textAt(header, 0, 100);
  const prefix = textAt(header, 257, 6) === "ustar" ? textAt(header, 345, 155) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function textAt(bytes: Uint8Array, start: number, length: number): string {
  const text = new TextDecoder().decode(bytes.subarray(start, start + length));
  const end = text.indexOf("\0");
  return end < 0 ? text : text.slice(0, end);
}
