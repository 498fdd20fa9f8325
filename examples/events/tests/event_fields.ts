/** The start of a PNG: enough to be taken for one. */
const pngHead = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** What a visitor types for an event that nothing is wrong with. */
export const goodFields = {
  title: "Swifts over the Roofs",
  category: "outdoors",
  summary: "An hour on a terrace with a woman who has counted them for thirty years.",
  story: "Bring a hat.\r\n\r\nThe swifts arrive at eight.",
  venue: "estufa-velha",
  starts: "2026-05-20T19:00",
  ends: "2026-05-20T20:30",
  seats: "30",
  price: "7,50",
} as const;

/** A form of {@link goodFields} with some of them changed, and a file. */
export function eventForm(
  changed: Readonly<Record<string, string>> = {},
  photo: File = new File([], ""),
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...goodFields, ...changed })) {
    form.append(name, value);
  }
  // A browser sends a file without name and content when none was chosen.
  form.append("photo", photo);
  return form;
}

/** A PNG as far as its first bytes go. */
export function pngFile(
  options: { readonly name?: string; readonly size?: number; readonly fill?: number } = {},
): File {
  const { name = "terrace.png", size = 64, fill = 0 } = options;
  const bytes = new Uint8Array(size).fill(fill);
  bytes.set(pngHead.slice(0, size));
  return new File([bytes], name, { type: "image/png" });
}

/** The first element of a tag that has an id, as it stands in a page. */
export function elementOf(body: string, id: string): string {
  return new RegExp(`<\\w+[^>]* id="${id}"[^>]*>`).exec(body)?.[0] ?? "";
}

/** The token in the form of a page. */
export function tokenOf(body: string): string {
  return /name="_csrf" value="([^"]+)"/.exec(body)?.[1] ?? "";
}
