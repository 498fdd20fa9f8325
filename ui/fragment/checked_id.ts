/** Matches a valid value of the header `FW-Fragment`. */
const fragmentId = /^[\w.:-]{1,100}$/;

export function checkedId(id: string, name: string): string {
  if (fragmentId.test(id)) return id;
  throw new TypeError(
    `Cannot write ui.${name}("${id}"): an id is 1 to 100 letters, digits, "_", "-", "." or ":".`,
  );
}
