import { hmacHex } from '../core/hash.ts'

/** The prefixes of the secrets that the service issues. They make a leaked secret recognisable. */
const PREFIXES = {
  access: 'dray_sbx_',
  refresh: 'dray_ref_',
  device: 'dray_dev_',
  client: 'dray_sec_',
  ticket: 'dray_tkt_',
  browser: 'dray_brw_',
  page: 'dray_pgl_',
  session: 'dray_pgs_',
  shared: 'dray_shr_',
} as const

/**
 * Returns a secret with 256 random bits in 43 characters. Only its SHA-256 is stored
 * (docs/rules/failure-model.md#secrets-are-stored-as-little-as-possible).
 */
export function newSecret(kind: keyof typeof PREFIXES, random: (count: number) => Uint8Array): string {
  return PREFIXES[kind] + random(32).toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** Returns the successor of a secret. It is the same each time, and needs both the secret and the salt. */
export function derivedSecret(kind: keyof typeof PREFIXES, secret: string, salt: string): string {
  return newSecret(kind, () => Uint8Array.fromHex(hmacHex(salt, `${kind}\n${secret}`)))
}

/** Consonants that look and sound different from each other. Without vowels no code spells a word. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8
/** Bytes above this are skipped: they would make the first letters more likely. */
const FAIR = 256 - (256 % LETTERS.length)

/** Returns a code for people to read and type, such as BCDF-GHJK: 34.5 random bits. */
export function newUserCode(random: (count: number) => Uint8Array): string {
  let letters = ''
  while (letters.length < CODE_LENGTH) {
    for (const byte of random(CODE_LENGTH - letters.length)) {
      if (byte < FAIR) letters += LETTERS.charAt(byte % LETTERS.length)
    }
  }
  return withDash(letters)
}

const USER_CODE = new RegExp(`^[${LETTERS}]{${CODE_LENGTH}}$`)

/** Normalizes a typed user code: case, blanks and dashes do not matter. Returns undefined when it cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase()
  return USER_CODE.test(letters) ? withDash(letters) : undefined
}

function withDash(letters: string): string {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
