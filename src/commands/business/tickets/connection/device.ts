/** A printer behind a device file, such as /dev/usb/lp0. It tells nothing: a paper that the system took is printed. */
import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { fileReason } from '../../../../core/file-reason.ts'
import type { PrinterAddress } from '../printer-address.ts'
import type { PaperSending, PrintResult } from './print-result.ts'

/** Between two tries to write to a printer that takes nothing now: it prints, or it is out of paper. */
const RETRY_MS = 50

/** Writes the paper. Creates no file: a printer that is switched off has no device file. */
export async function printToDevice(
  { path }: Extract<PrinterAddress, { kind: 'device' }>,
  bytes: Uint8Array,
  { limits, onSend }: PaperSending,
): Promise<PrintResult> {
  let file: number
  try {
    // A printer without paper would hold a write for ever, and with it the whole program.
    file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK)
  } catch (error) {
    return { outcome: 'absent', why: fileReason(error) }
  }
  try {
    if (bytes.length === 0) return { outcome: 'printed' }
    onSend()
    return await writeWhole(file, bytes, limits.printMs)
  } finally {
    closeSync(file)
  }
}

async function writeWhole(file: number, bytes: Uint8Array, limitMs: number): Promise<PrintResult> {
  let written = 0
  for (let waited = 0; written < bytes.length;) {
    try {
      written += writeSync(file, bytes, written)
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN'
      const outcome = written === 0 ? 'absent' : 'unknown'
      if (!isFull) return { outcome, why: fileReason(error) }
      if (waited >= limitMs) return { outcome, why: 'it takes no data' }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      waited += RETRY_MS
    }
  }
  return { outcome: 'printed' }
}
