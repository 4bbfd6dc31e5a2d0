/** A header as it is compared: lower case, accents removed, each run of other characters one `_`, none at the ends. */
export function headerKey(header: string): string {
  return header
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
}

/** `Address Line 1`, `AddressLine1` and `address_line1` are one. */
export function squash(key: string): string {
  return key.replaceAll('_', '')
}
