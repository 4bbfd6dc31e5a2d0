/** The delivery options that exclude each other. */
import { AppError } from '../../../core/errors.ts'
import type { ShipmentOptions } from '../store/shipments.ts'

/** Throws `options_conflict` for cash on delivery where nobody would be at the door to pay; `pointer` names the place. */
export function assertCashAtDoor(options: ShipmentOptions, pointer: string): void {
  const { cash_on_delivery: cash, leave_safe_place, neighbour } = options
  if (cash === undefined || (leave_safe_place === undefined && neighbour === undefined)) return
  const detail = 'Cash on delivery is paid by the recipient: leave out the safe place and the neighbour.'
  throw new AppError('options_conflict', detail, {
    errors: [{ pointer, code: 'mutually_exclusive', detail }],
  })
}
