/** Returns a unique address for every number: one in two is IPv6, in its own network. */
export function addressOf(index: number): string {
  return index % 2 === 0
    ? `${10 + (index >> 24)}.${index >> 16 & 255}.${index >> 8 & 255}.${index & 255}`
    : `2001:${(0xdb8 + (index >> 16)).toString(16)}:${(index & 65_535).toString(16)}::1`;
}
