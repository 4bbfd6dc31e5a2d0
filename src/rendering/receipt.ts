/** Lines of text in the commands of a ticket printer: ESC/POS or StarPRNT. Letters outside of its table are a picture. */
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import type { AppError } from '../core/errors.ts'
import type { PaperWidthMm, PrinterLanguage, ReceiptFormat, ReceiptLine } from './receipt-format.ts'
import { cleanForPrint } from './text.ts'

export type EncodedReceipt = {
  bytes: Uint8Array
  /** Why some letters are question marks: no font here has them. */
  problem: AppError | undefined
}

/**
 * The columns of the usual font that every printer for this paper has. A printer with more leaves a margin at the right, which
 * is better than broken lines.
 */
const COLUMNS: Readonly<Record<PaperWidthMm, number>> = { 80: 42, 58: 32 }

/** The letters of Windows-1252, the one table for which printers agree on the number. */
const IN_TABLE = /^[\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/
const TABLE = 'windows1252'
/** The paper between the print head and the knife. */
const LINES_BEFORE_CUT = 4

/** Returns the commands that print these lines once. */
export async function encodeReceipt(
  lines: readonly ReceiptLine[],
  format: ReceiptFormat,
): Promise<EncodedReceipt> {
  const columns = COLUMNS[format.paper]
  const encoder = new ReceiptPrinterEncoder({
    language: format.language === 'escpos' ? 'esc-pos' : 'star-prnt',
    columns,
    imageMode: 'raster',
    feedBeforeCut: LINES_BEFORE_CUT,
    feedAfterBlock: false,
    newline: '\n',
    errors: 'strict',
  })
  encoder.initialize().codepage(TABLE)
  let problem: AppError | undefined
  for (const given of lines) {
    const line = { ...given, text: cleanForPrint(given.text) }
    if (line.hasRule === true) encoder.line('-'.repeat(columns))
    if (IN_TABLE.test(line.text)) addText(encoder, line, columns)
    else problem = (await addPicture(encoder, line, columns)) ?? problem
  }
  addBuzzer(encoder, format)
  if (format.cut === 'none') encoder.newline(LINES_BEFORE_CUT)
  else encoder.cut(format.cut)
  return { bytes: withoutLastFeed(encoder.encode(), format), problem }
}

/** The encoder ends each command with a line feed. After a cut it would be an empty line on top of the next ticket. */
function withoutLastFeed(bytes: Uint8Array, { cut }: ReceiptFormat): Uint8Array {
  return cut !== 'none' && bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes
}

function addText(encoder: ReceiptPrinterEncoder, line: ReceiptLine, columns: number): void {
  const { text, size = 1, lead = '', indent = 0, bold, isInverted, isCentred } = line
  const first = lead === '' ? '' : `${lead} `
  const margin = ' '.repeat(indent)
  const frame = isInverted === true ? 2 : 0
  const parts = wrapLetters(text, Math.floor(columns / size) - indent - first.length - frame)
  encoder.align(isCentred === true ? 'center' : 'left').size(size, size)
  encoder.bold(bold === true)
  for (const [at, part] of parts.entries()) {
    encoder.text(margin + (at === 0 ? first : ' '.repeat(first.length)))
    // The black reaches a letter beyond the text.
    if (isInverted === true) encoder.invert(true).text(` ${part} `).invert(false).newline()
    else encoder.line(part)
  }
  encoder.size(1, 1).bold(false).align('left')
}

/** Breaks text between words, and a word that is longer than a line between its letters. */
function wrapLetters(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    let rest = word
    if (line !== '' && line.length + 1 + rest.length > columns) {
      lines.push(line)
      line = ''
    }
    while (rest.length > columns) {
      lines.push(rest.slice(0, columns))
      rest = rest.slice(columns)
    }
    line = line === '' ? rest : `${line} ${rest}`
  }
  return [...lines, line]
}

/** Returns why letters are missing, if any are. */
async function addPicture(
  encoder: ReceiptPrinterEncoder,
  line: ReceiptLine,
  columns: number,
): Promise<AppError | undefined> {
  // The canvas takes 60 ms to load, and most tickets need none.
  const { drawReceiptLine } = await import('./receipt-picture.ts')
  const { picture, problem } = drawReceiptLine(line, columns)
  encoder.image(picture, { width: picture.width, height: picture.height })
  return problem
}

/** ESC B n t: n times, t tenths of a second. Star: ESC GS EM DC1 and DC2 set and start the buzzer. */
const BEEPS: Readonly<Record<PrinterLanguage, readonly number[]>> = {
  escpos: [0x1b, 0x42, 3, 2],
  starprnt: [0x1b, 0x1d, 0x19, 0x11, 1, 20, 20, 0x1b, 0x1d, 0x19, 0x12, 1, 3, 0],
}

function addBuzzer(encoder: ReceiptPrinterEncoder, { buzzer, language }: ReceiptFormat): void {
  if (buzzer === 'pulse') encoder.pulse()
  if (buzzer === 'beep') encoder.raw([...BEEPS[language]])
}
