/** A decimal number as its digits, so that no value is ever rounded by a float. */
export type Decimal = { whole: string; fraction: string }

export type NumberProblem = {
  problem: 'ambiguous_number' | 'invalid_format' | 'out_of_range'
  detail: string
}

/**
 * Parses a number as people and spreadsheets write it: the last separator is the decimal one
 * (`1,234.50`, `1.234,50`), a repeated one groups thousands, `1.234` is a decimal, and `1,234` alone is ambiguous
 * (docs/rules/files.md#an-ambiguous-number-is-an-error).
 * Returns a problem for a negative number and for other text.
 */
export function parseDecimal(text: string): Decimal | NumberProblem {
  const number = text.trim()
  if (number.startsWith('-'))
    return { problem: 'out_of_range', detail: `${quoteForError(text)} is negative.` }
  if (!/^[0-9., '\u00a0\u2019\u202f]*[0-9]$/.test(number)) return notANumber(text)
  const { whole, fraction, ambiguous } = split(number)
  if (ambiguous) {
    const [plain, decimal] = [number.replace(',', ''), number.replace(',', '.')]
    return {
      problem: 'ambiguous_number',
      detail: `${quoteForError(text)} can mean ${plain} or ${decimal}; write one of these.`,
    }
  }
  if (!isGrouped(whole)) return notANumber(text)
  return { whole: whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0', fraction }
}

/** Returns the value as a number. Use it for weights and lengths, never for money. */
export function decimalToNumber({ whole, fraction }: Decimal): number {
  return Number(`${whole}.${fraction}0`)
}

function split(number: string): { whole: string; fraction: string; ambiguous: boolean } {
  const at = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','))
  if (at < 0) return { whole: number, fraction: '', ambiguous: false }
  const [whole, fraction] = [number.slice(0, at), number.slice(at + 1)]
  const separator = number.charAt(at)
  if (whole.includes(separator)) return { whole: number, fraction: '', ambiguous: false }
  return {
    whole,
    fraction,
    ambiguous: separator === ',' && /^[1-9]\d{0,2}$/.test(whole) && /^\d{3}$/.test(fraction),
  }
}

/** Returns true for digits alone, or for groups of three with one kind of separator. */
function isGrouped(whole: string): boolean {
  return /^\d*$/.test(whole) || /^\d{1,3}([., '\u00a0\u2019\u202f])\d{3}(?:\1\d{3})*$/.test(whole)
}

function notANumber(text: string): NumberProblem {
  return { problem: 'invalid_format', detail: `${quoteForError(text)} is not a number; write it like 8.50.` }
}

/** Returns the text in quotes for an error, cut to 40 characters. */
export function quoteForError(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
}
