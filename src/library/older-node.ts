/** The parts of Node 26 that Node 24 lacks. */
import { AppError } from '../core/errors.ts'

const OLDEST = 24

/**
 * Defines, in this process, what this version of Node lacks: Temporal, and bytes as text. Throws `config_error` for an older one
 * than Node 24, whose SQLite cannot copy a store.
 */
export async function completeNode(): Promise<void> {
  const { node } = process.versions
  if (Number(node.split('.')[0]) < OLDEST)
    throw new AppError('config_error', `dray/testing needs Node ${OLDEST} or newer; this is Node ${node}.`, {
      hint: 'dray/client runs on Node 22; `npx -p node@26` runs a newer Node.',
    })
  if (!Object.hasOwn(globalThis, 'Temporal')) await import('temporal-polyfill/global')
  if (typeof Uint8Array.prototype.toHex === 'function') return
  define(Uint8Array.prototype, {
    toHex(this: Uint8Array) {
      return Buffer.from(this.buffer, this.byteOffset, this.length).toString('hex')
    },
    toBase64(this: Uint8Array, { alphabet = 'base64', omitPadding = false } = {}) {
      const text = Buffer.from(this.buffer, this.byteOffset, this.length).toString(alphabet as BufferEncoding)
      return omitPadding ? text.replace(/=+$/, '') : text
    },
  })
  define(Uint8Array, {
    fromHex: (text: string) => new Uint8Array(Buffer.from(text, 'hex')),
    fromBase64: (text: string) => new Uint8Array(Buffer.from(text, 'base64')),
  })
}

/** Defines functions as a newer Node does: no loop over the fields finds them. */
function define(target: object, functions: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(functions))
    Object.defineProperty(target, name, { value, writable: true, configurable: true })
}
