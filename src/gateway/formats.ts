import { isDate, parseTimestamp } from '../core/time.ts'

/** The string formats of the schemas, for the compiled validators and for the error details. */
const FORMATS: Record<string, (text: string) => boolean> = {
  'date-time': (text) => parseTimestamp(text) !== undefined,
  date: isDate,
}

export function testFormat(format: string, text: string): boolean {
  return FORMATS[format]?.(text) ?? true
}

export const FORMAT_NAMES = Object.keys(FORMATS)
