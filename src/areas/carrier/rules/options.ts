/** The delivery options that exclude each other (docs/rules/parcels.md#some-options-exclude-each-other). */
import { AppError } from '../../../core/errors.ts'
import type { ShipmentOptions } from '../queries/shipments.ts'

/** Returns the warnings about options of which one wins; nothing where there are none. */
export function findOptionWarnings(options: ShipmentOptions | undefined): { warnings?: string[] } {
  const { signature_required, leave_safe_place } = options ?? {}
  if (signature_required !== true || leave_safe_place === undefined) return {}
  return { warnings: [SIGNATURE_WINS] }
}

const SIGNATURE_WINS = 'A signature is required, so the parcel is handed over and not left in the safe place.'

/** Throws `options_conflict` for cash on delivery without a recipient at the door to pay; `pointer` names the place. */
export function assertCashAtDoor(options: ShipmentOptions, pointer: string): void {
  const { cash_on_delivery: cash, leave_safe_place, neighbour } = options
  if (cash === undefined || (leave_safe_place === undefined && neighbour === undefined)) return
  const detail = 'Cash on delivery is paid by the recipient: leave out the safe place and the neighbour.'
  throw new AppError('options_conflict', detail, {
    errors: [{ pointer, code: 'mutually_exclusive', detail }],
  })
}
