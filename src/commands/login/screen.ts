/** The text that is shown while a person approves a login in a browser. */
import { type Paint, makePaint } from '../../cli/output/colour.ts'
import { sanitizeForTerminal, wrapText } from '../../cli/output/text.ts'
import { formatMinutesLeft } from '../../cli/questions.ts'

export type CodeView = {
  /** The address of the service. */
  address: string
  code: string
  page: string
  pageWithCode: string | undefined
  /** The name of this device on the page. */
  device: string
  /** True if a browser has opened the page with the code filled in. */
  opened: boolean
  /** True if `pageWithCode` has the right to approve; `page` is for everyone else. */
  own: boolean
}

type ScreenOptions = { drawn: boolean; width: number; colour: boolean }

/** Returns drawn steps for people at a terminal, else plain sentences. */
export function codeScreen(view: CodeView, { drawn, width, colour }: ScreenOptions): string {
  return drawn ? drawnScreen(view, width, makePaint(colour)) : plainScreen(view)
}

function plainScreen({ address, code, page, pageWithCode, device, opened, own }: CodeView): string {
  const complete = own ? pageWithCode : undefined
  return lines(
    `To log in to ${address}, approve it on this page${opened ? ', which opens in your browser' : ''}:`,
    complete ?? page,
    `The code is ${code}`,
    ...(pageWithCode === undefined || own ? [] : ['The page with the code filled in:', pageWithCode]),
    `The page calls this device: ${device}`,
  )
}

const INDENT = '     '

function drawnScreen(
  { address, code, page, pageWithCode, device, opened, own }: CodeView,
  width: number,
  look: Paint,
): string {
  const { bold, cyan, dim } = look
  const step = (number: number, words: string): string[] =>
    wrapText(words, width - 6).map((line, at) =>
      at === 0 ? `  ${bold(`${number}.`)} ${line}` : `${INDENT}${line}`,
    )
  const complete = own && !opened ? pageWithCode : undefined
  const where = opened
    ? 'Your browser opens this page:'
    : complete === undefined
      ? 'Open this page in a browser, on any device:'
      : 'Open this page in a browser on this machine:'
  const big = width >= BANNER_WIDTH ? banner(code) : undefined
  return lines(
    '',
    ...wrapText(`Log in to ${address}`, width - 2).map((line) => `  ${bold(line)}`),
    '',
    ...step(1, where),
    `${INDENT}${cyan(complete ?? page)}`,
    '',
    ...step(
      2,
      opened || complete !== undefined ? 'Check that it shows this code:' : 'Enter this code there:',
    ),
    '',
    ...(big === undefined ? [] : [...big.map((row) => INDENT + cyan(row)), '']),
    `${INDENT}${bold(code)}`,
    '',
    ...step(3, 'Approve only this device:'),
    ...wrapText(device, width - 6).map((line) => `${INDENT}${line}`),
    ...(pageWithCode === undefined || opened || own
      ? []
      : ['', `  ${dim('Steps 1 and 2 in one:')}`, `${INDENT}${dim(pageWithCode)}`]),
    '',
  )
}

/** Returns `Waiting, 9:58 left. Ctrl-C stops.` */
export function waitingLine(leftMs: number): string {
  return `Waiting, ${formatMinutesLeft(leftMs)} left. Ctrl-C stops.`
}

function lines(...all: string[]): string {
  return `${all.map((line) => line.trimEnd()).join('\n')}\n`
}

/** Five rows of five pixels for each letter of a code, each row a digit of base 32. */
const LETTERS: Readonly<Record<string, string>> = {
  B: 'uhuhu',
  C: 'fgggf',
  D: 'uhhhu',
  F: 'vgugg',
  G: 'fgjhf',
  H: 'hhvhh',
  J: '722ic',
  K: 'hisih',
  L: 'ggggv',
  M: 'hrlhh',
  N: 'hpljh',
  P: 'uhugg',
  Q: 'ehlid',
  R: 'uhuih',
  S: 'fge1u',
  T: 'v4444',
  V: 'hhha4',
  W: 'hhlrh',
  X: 'ha4ah',
  Z: 'v248v',
  '-': '00e00',
}
const BANNER_WIDTH = 64

/** Returns the code in large letters, two rows of pixels per line; undefined when a character has no picture. */
function banner(code: string): string[] | undefined {
  const letters = Array.from(code, (letter) => LETTERS[letter])
  if (letters.length > 9 || letters.includes(undefined)) return undefined
  return [0, 2, 4].map((row) =>
    letters
      .map((letter = '') => pixels(letter[row], letter[row + 1]))
      .join(' ')
      .trimEnd(),
  )
}

function pixels(top = '0', bottom = '0'): string {
  const upper = Number.parseInt(top, 32)
  const lower = Number.parseInt(bottom, 32)
  return [16, 8, 4, 2, 1]
    .map((bit) => ' ▄▀█'[((upper & bit) === 0 ? 0 : 2) + ((lower & bit) === 0 ? 0 : 1)])
    .join('')
}

/** Returns the page's address without control characters: the service could send any text. */
export function shownPage(page: URL): string {
  return sanitizeForTerminal(page.href)
}
