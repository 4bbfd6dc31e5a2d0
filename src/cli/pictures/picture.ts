/** Draws pictures on terminals that support it. On others, people get the picture's address. */
import type { OutputStream } from '../io.ts'

export const PROTOCOLS = ['kitty', 'iterm2'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** The largest chunk that kitty accepts. */
const CHUNK = 4096
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG = [0xff, 0xd8, 0xff]

/** Returns the picture protocol that the terminal announces; undefined for another terminal and for no terminal. */
export function pictureProtocol(
  { isTTY }: Pick<OutputStream, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
): Protocol | undefined {
  const { TERM: term = '', TERM_PROGRAM: program = '' } = env
  // A multiplexer is another terminal, which drops unknown sequences.
  if (!isTTY || env['TMUX'] || env['STY'] || term === 'dumb') return undefined
  if (env['KITTY_WINDOW_ID'] || /kitty|ghostty/.test(term) || program === 'ghostty') return 'kitty'
  return ['iTerm.app', 'WezTerm', 'mintty'].includes(program) || env['LC_TERMINAL'] === 'iTerm2'
    ? 'iterm2'
    : undefined
}

/**
 * Returns the text that draws the picture, with a final line break; undefined for data that the terminal cannot draw.
 */
export function pictureText(bytes: Uint8Array, protocol: Protocol): string | undefined {
  const isPng = begins(bytes, PNG)
  if (protocol === 'iterm2') return isPng || begins(bytes, JPEG) ? iterm2(bytes) : undefined
  return isPng ? kitty(bytes) : undefined
}

function kitty(bytes: Uint8Array): string {
  const data = Buffer.from(bytes).toString('base64')
  const parts = data.match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? []
  const last = parts.length - 1
  const escapes = parts.map((part, at) => {
    const head = at === 0 ? 'a=T,f=100,q=2,' : ''
    return `\x1b_G${head}m=${at < last ? 1 : 0};${part}\x1b\\`
  })
  return `${escapes.join('')}\n`
}

function iterm2(bytes: Uint8Array): string {
  const data = Buffer.from(bytes).toString('base64')
  return `\x1b]1337;File=inline=1;size=${bytes.length};preserveAspectRatio=1:${data}\x07\n`
}

function begins(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte)
}
