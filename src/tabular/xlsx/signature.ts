/** The first bytes of workbooks, whatever the file is called. */
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04]
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]

/** Stands readable near the beginning of every workbook that this program writes. */
export const WORKBOOK_MARK = '<Application>dray</Application>'

export function looksLikeWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, ARCHIVE) || isCompound(bytes)
}

/** Returns whether it is a workbook of Excel up to 2003, or one with a password. */
export function isCompound(bytes: Uint8Array): boolean {
  return startsWith(bytes, COMPOUND)
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte)
}
