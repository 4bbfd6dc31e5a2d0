/** Sends the bytes of one paper to a printer, and finds out what became of it. */
import type { PrinterAddress } from '../printer-address.ts'
import type { PaperSending, PrintResult } from './print-result.ts'

/** Prints one paper. Without bytes it only finds out whether the printer can print. Throws only what `onSend` throws. */
export async function sendToPrinter(
  address: PrinterAddress,
  bytes: Uint8Array,
  options: PaperSending,
): Promise<PrintResult> {
  if (address.kind === 'tcp') return (await import('./tcp.ts')).printByTcp(address, bytes, options)
  if (address.kind === 'device') return (await import('./device.ts')).printToDevice(address, bytes, options)
  return (await import('./exec.ts')).printByCommand(address, bytes, options)
}
