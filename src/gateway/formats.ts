import { isDate, parseTimestamp } from '../core/time.ts'

/** The string formats that schemas use; the compiled validators and the error details both ask here. */
const FORMATS: Record<string, (text: string) => boolean> = {
  'date-time': (text) => parseTimestamp(text) !== undefined,
  date: isDate,
}

export function testFormat(format: string, text: string): boolean {
  return FORMATS[format]?.(text) ?? true
}

export const FORMAT_NAMES = Object.keys(FORMATS)
