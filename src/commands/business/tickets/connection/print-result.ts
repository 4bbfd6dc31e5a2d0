/** The outcome of sending a paper to a printer, and the time that it may take. */
import type { PrinterLanguage } from '../../../../rendering/receipt-format.ts'

/** `absent`: no byte of it reached the printer. `unknown`: it may be printed, whole or in part. `why` is for people. */
export type PrintResult =
  | { outcome: 'printed' }
  | { outcome: 'absent'; why: string }
  | { outcome: 'unknown'; why: string }

/** Times in milliseconds. */
export type PrinterLimits = {
  connectMs: number
  /** The wait for the state of the printer before a paper. A printer that tells none gets the paper after it. */
  stateMs: number
  /** The wait until a paper is taken, and until the printer says that it is printed. */
  printMs: number
}

export const PRINTER_LIMITS: PrinterLimits = { connectMs: 3000, stateMs: 1500, printMs: 20_000 }

export type PaperSending = {
  language: PrinterLanguage
  limits: PrinterLimits
  /** Called right before the first byte of the paper is sent. What it throws keeps the paper from being sent. */
  onSend(): void
}
