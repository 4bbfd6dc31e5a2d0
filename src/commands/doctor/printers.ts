import { span } from '../../areas/orders/rules/waiting.ts'
/** The check of `dray doctor` for the ticket printers of this machine. */
import type { Runtime } from '../../cli/runtime.ts'
import { isPrinterServed, listPrinters, type PrinterEntry } from '../../local-state/printers.ts'
import { type Check, formatShellCommand, okCheck, warningCheck } from './check.ts'

/** Returns a finding for each printer that this machine printed to. */
export function checkPrinters(runtime: Runtime): Check[] {
  return listPrinters(runtime).map((entry) => checkPrinter(runtime, entry))
}

function checkPrinter(runtime: Runtime, entry: PrinterEntry): Check {
  const { printer, status, why, since, waiting, pid } = entry
  const tickets =
    waiting === 0 ? 'no ticket waits' : waiting === 1 ? '1 ticket waits' : `${waiting} tickets wait`
  const again = formatShellCommand('dray', 'business', 'tickets', '--printer', printer)
  if (!isPrinterServed(runtime, entry)) {
    const detail = `${printer} is not in use; ${tickets}`
    // A process that ended by itself left nothing behind but what waits.
    return pid === null && waiting === 0 ? okCheck('Printer', detail) : warningCheck('Printer', detail, again)
  }
  if (status === 'ready') return okCheck('Printer', `${printer} prints; ${tickets}`)
  const detail = `${printer} is gone for ${span(runtime.now() - since)}: ${why}; ${tickets}`
  return warningCheck(
    'Printer',
    detail,
    formatShellCommand('dray', 'business', 'tickets', 'list', '--printer', printer),
  )
}
