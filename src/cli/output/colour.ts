import type { OutputStream } from '../io.ts'

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  struck: [9, 29],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const

type Style = keyof typeof STYLES
export type Paint = Record<Style, (text: string) => string>

/**
 * Returns whether a stream gets colour. The first of these decides: `--color`, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE,
 * CLICOLOR=0, TERM=dumb, and whether it is a terminal.
 */
export function hasColour(
  { isTTY }: Pick<OutputStream, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
  flag?: string,
): boolean {
  if (flag === 'always' || flag === 'never') return flag === 'always'
  if (isSet(env['NO_COLOR'])) return false
  const forced = env['FORCE_COLOR']
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  if (isSet(env['CLICOLOR_FORCE']) && env['CLICOLOR_FORCE'] !== '0') return true
  if (env['CLICOLOR'] === '0' || env['TERM'] === 'dumb') return false
  return isTTY
}

/** Returns whether output may be redrawn in place: not in a pipe, with --accessible or TERM=dumb. */
export function canRedraw(
  { isTTY }: Pick<OutputStream, 'isTTY'>,
  env: Readonly<Record<string, string | undefined>>,
  accessible = false,
): boolean {
  return isTTY && !accessible && env['TERM'] !== 'dumb'
}

/** Returns functions that style text, or return it unchanged. Text must be understandable without style. */
export function makePaint(on: boolean): Paint {
  const style = ([open, close]: readonly [number, number]) =>
    on ? (text: string) => (text === '' ? '' : `\x1b[${open}m${text}\x1b[${close}m`) : (text: string) => text
  return {
    bold: style(STYLES.bold),
    dim: style(STYLES.dim),
    struck: style(STYLES.struck),
    red: style(STYLES.red),
    green: style(STYLES.green),
    yellow: style(STYLES.yellow),
    cyan: style(STYLES.cyan),
  }
}

const GOOD = /^(?:active|accepted|available|completed|confirmed|created|delivered|ok|open|paid|ready|yes)$/
const WAITING =
  /^(?:.*_attempted|available_for_pickup|delayed|duplicate|held|past_due|pending|pre_transit|processing|requested|returning|trialing|in_transit|out_for_delivery)$/
const BAD = /^(?:cancelled|declined|expired|failed|lost|rejected|returned|unfulfilled)$/

/** Returns the colour of a status, which helps readers to scan; the word itself is complete. */
export function statusStyle(field: string, word: string, style: Paint): (text: string) => string {
  if (!/(?:^|[._])(?:status|result|state)$/.test(field)) return (text) => text
  if (GOOD.test(word)) return style.green
  if (isBad(word)) return style.red
  return WAITING.test(word) ? style.yellow : (text) => text
}

/** Returns whether a status is that of something lost. */
export function isBad(word: string): boolean {
  return BAD.test(word)
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}
