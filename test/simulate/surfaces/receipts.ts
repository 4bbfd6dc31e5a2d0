/** Bills and receipts, on a screen, a page or paper: rows of words and amounts. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { installProgram } from '../../support/debian.ts'
import { type Facts, toMinorUnits } from './facts.ts'

const execute = promisify(execFile)

/** A row of a bill: its words, and its amount where it has one. */
export type BillRow = readonly [label: string, amount: string]

/** Returns the units and sums of a bill. */
export function readBill(rows: readonly BillRow[]): Pick<Facts, 'lines' | 'sums'> {
  const sumsOf = (pattern: RegExp): number[] =>
    rows.flatMap(([label, amount]) => (pattern.test(label) ? [toMinorUnits(amount) ?? Number.NaN] : []))
  const totalOf = (pattern: RegExp): number | undefined => {
    const found = sumsOf(pattern)
    return found.length === 0 ? undefined : found.reduce((sum, amount) => sum + amount, 0)
  }
  const paid = totalOf(/^(?:Paid|To pay) /)
  const back = totalOf(/^Refund to /)
  return {
    ...readUnits(rows),
    sums: {
      total: totalOf(/^Total$/),
      subtotal: totalOf(/^Subtotal$/),
      paid,
      charged: totalOf(/^Charged(?: in all)?$/) ?? paid,
      refunded: back && -back,
      tax: totalOf(/^(?:of which )?VAT(?: \d|$)/),
    },
  }
}

/** Returns the units that are left of each item. What left a line, and what came in its place, is told below it. */
function readUnits(rows: readonly BillRow[]): Pick<Facts, 'lines'> {
  const lines: Record<string, number> = {}
  let last = ''
  for (const [label, amount] of rows) {
    const [, units, name] = amount === '' ? [] : (/^(\d+) × (.+)$/.exec(label) ?? [])
    if (name !== undefined) {
      last = name
      lines[last] = (lines[last] ?? 0) + Number(units)
    }
    if (label.startsWith('· ')) countDepartures(label.slice(2), last, lines)
  }
  return Object.keys(lines).length === 0 ? {} : { lines }
}

const REPLACED = /^(\d+) replaced by (.+?)(?: \((\d+ (?:taken off|replaced by).*)\))?$/

/** Counts `1 taken off, 2 replaced by Summer Rolls (1 taken off)` of an item. */
function countDepartures(text: string, name: string, lines: Record<string, number>): void {
  for (const part of splitDepartures(text)) {
    const units = Number(/^(\d+) taken off$/.exec(part)?.[1] ?? 0)
    lines[name] = (lines[name] ?? 0) - units
    const [, count = '0', other, further] = REPLACED.exec(part) ?? []
    if (other === undefined) continue
    lines[name] -= Number(count)
    lines[other] = (lines[other] ?? 0) + Number(count)
    if (further !== undefined) countDepartures(further, other, lines)
  }
}

/** Splits at commas before the next departure, but for those in parentheses, and leaves the comma in `Crisps, 150 g`. */
function splitDepartures(text: string): string[] {
  const parts: string[] = ['']
  let depth = 0
  for (const piece of text.split(/(, (?=\d+ (?:taken off|replaced by))|[()])/)) {
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (piece === ', ' && depth === 0) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts
}

/** The facts of a receipt as a page. */
export function readReceiptPage(page: string): Facts {
  const found = page.matchAll(/<th scope="row">(.*?)<\/th>\s*<td class="number">(.*?)<\/td>/g)
  return readBill([...found].map(([, label = '', amount = '']) => [decodeHtml(label), decodeHtml(amount)]))
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

export function decodeHtml(text: string): string {
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}

/** Returns the rows of a receipt on paper, by its text. */
export async function readPaperRows(file: string): Promise<BillRow[]> {
  await installProgram('pdftotext', 'poppler-utils')
  const { stdout } = await execute('pdftotext', ['-layout', file, '-'])
  return stdout.split('\n').map((line) => {
    const found = /^(.*?) {2,}(-?£[\d,]+\.\d\d)$/.exec(line.trim())
    return found === null ? [line.trim(), ''] : [found[1]?.trim() ?? '', found[2] ?? '']
  })
}
