import { hmacHex } from '../core/hash.ts'

/** The secrets that the service hands out. Each begins with what it is, so that a leaked one is recognised. */
const PREFIXES = {
  access: 'dray_sbx_',
  refresh: 'dray_ref_',
  device: 'dray_dev_',
  client: 'dray_sec_',
  ticket: 'dray_tkt_',
  browser: 'dray_brw_',
} as const

/** 256 random bits in 43 characters. Only their SHA-256 is stored. */
export function newSecret(kind: keyof typeof PREFIXES, random: (count: number) => Uint8Array): string {
  return PREFIXES[kind] + random(32).toBase64({ alphabet: 'base64url', omitPadding: true })
}

/** The successor of a secret: the same for the same salt, and known only to who has both. */
export function derivedSecret(kind: keyof typeof PREFIXES, secret: string, salt: string): string {
  return newSecret(kind, () => Uint8Array.fromHex(hmacHex(salt, `${kind}\n${secret}`)))
}

/** Consonants that look and sound unlike each other; without vowels no code spells a word. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8
/** Bytes from here on would make the first letters likelier. */
const FAIR = 256 - (256 % LETTERS.length)

/** A code that people read and type, as BCDF-GHJK: 34.5 random bits. */
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

/** A user code as it was typed: small letters, blanks and dashes do not matter. Undefined when it cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase()
  return USER_CODE.test(letters) ? withDash(letters) : undefined
}

function withDash(letters: string): string {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
