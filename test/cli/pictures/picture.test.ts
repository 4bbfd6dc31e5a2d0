import { expect, test } from 'vitest'
import { textPng } from '../../../src/areas/proofs/rules/png.ts'
import { pictureProtocol, pictureText } from '../../../src/cli/pictures/picture.ts'

const TERMINAL = { isTTY: true }
const PICTURE = textPng(['A SHELF'])
const LARGE = textPng(Array.from({ length: 40 }, (_, index) => `${'W'.repeat(78)}${index}`))

test.each([
  [{ TERM: 'xterm-kitty' }, 'kitty'],
  [{ TERM: 'xterm-256color', KITTY_WINDOW_ID: '1' }, 'kitty'],
  [{ TERM: 'xterm-ghostty' }, 'kitty'],
  [{ TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
  [{ TERM_PROGRAM: 'WezTerm' }, 'iterm2'],
  [{ LC_TERMINAL: 'iTerm2', TERM: 'xterm-256color' }, 'iterm2'],
  [{ TERM: 'xterm-sixel' }, undefined],
  [{ TERM: 'xterm-256color' }, undefined],
  [{}, undefined],
  [{ TERM: 'dumb', TERM_PROGRAM: 'iTerm.app' }, undefined],
  [{ TERM: 'xterm-kitty', TMUX: '/tmp/tmux' }, undefined],
  [{ TERM: 'screen', STY: '1.tty', TERM_PROGRAM: 'iTerm.app' }, undefined],
] as const)('a terminal that says %j draws by %s', (env, protocol) => {
  expect(pictureProtocol(TERMINAL, env)).toBe(protocol)
  expect(pictureProtocol({ isTTY: false }, env)).toBeUndefined()
})

test('kitty gets the whole picture in pieces that it takes', () => {
  const text = pictureText(LARGE, 'kitty') ?? ''
  const pieces = text.trimEnd().split('\x1b\\').slice(0, -1)
  expect(pieces.length).toBeGreaterThan(1)
  expect(pieces[0]?.startsWith('\x1b_Ga=T,f=100,q=2,m=1;')).toBe(true)
  expect(pieces.at(-1)?.startsWith('\x1b_Gm=0;')).toBe(true)
  const data = pieces.map((piece) => piece.slice(piece.indexOf(';') + 1))
  expect(data.every((part) => part.length <= 4096)).toBe(true)
  expect(new Uint8Array(Buffer.from(data.join(''), 'base64'))).toEqual(LARGE)
})

test('iTerm2 gets it in one piece, a JPEG too', () => {
  const [head, rest = ''] = (pictureText(PICTURE, 'iterm2') ?? '').split(':')
  expect(head).toBe(`\x1b]1337;File=inline=1;size=${PICTURE.length};preserveAspectRatio=1`)
  const [data = '', tail] = rest.split('\x07')
  expect(tail).toBe('\n')
  expect(new Uint8Array(Buffer.from(data, 'base64'))).toEqual(PICTURE)
  expect(pictureText(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), 'iterm2')).toContain('File=inline')
})

test.each(['kitty', 'iterm2'] as const)('%s gets nothing of what is no picture', (protocol) => {
  for (const bytes of [
    new Uint8Array(),
    new TextEncoder().encode('\x1b]0;title\x07'),
    Uint8Array.of(0x89, 0x50),
  ])
    expect(pictureText(bytes, protocol)).toBeUndefined()
})
