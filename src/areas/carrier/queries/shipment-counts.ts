/** Numbers of an agreement's parcels by state, up to a limit: the cost does not grow with the store. */
import type { Tx, SqlValue } from '../../../core/db.ts'
import { addCreation, type CreationSpan, makeWhere, CUSTOM_PLAN_COMMENT } from '../../../db/lists.ts'
import { readIntegerColumn } from '../../../db/values.ts'
import { SERVICE_LEVEL_CODES } from '../rules/rates.ts'
import { SHIPMENT_STATUSES, type ShipmentStatus } from '../states.ts'

/** The most that are counted of each state. */
export const MAX_COUNTED_SHIPMENTS = 10_000

/** Returns the number of parcels in each state; one that is larger than `most` means that there are more. */
export async function countAgreementShipmentsByStatus(
  tx: Tx,
  agreementId: string,
  {
    customer,
    ...span
  }: CreationSpan & {
    /** Empty for parcels without one. */
    customer?: string | undefined
  },
  most = MAX_COUNTED_SHIPMENTS,
): Promise<{ status: ShipmentStatus; count: number }[]> {
  // The index holds state, level and creation: with a span each level is a walk of its own.
  const isSpan = span.created_from !== undefined || span.created_to !== undefined
  const levels = isSpan ? SERVICE_LEVEL_CODES : [undefined]
  const params: SqlValue[] = []
  const walks = SHIPMENT_STATUSES.flatMap((status, at) =>
    levels.map((level) => {
      const where = makeWhere(params)
      where.and('agreement_id = ?', agreementId)
      if (customer === '') where.and('customer is null')
      else where.and('customer = ?', customer)
      where.and('status = ?', status)
      where.and('service_level = ?', level)
      addCreation(where, span, undefined)
      return `select ${at} as place, count(*) as count from (select 1 from shipments where ${where.text()} limit ${most + 1}) as walk${at}`
    }),
  )
  const rows = await tx.all(`${walks.join(' union all ')} ${CUSTOM_PLAN_COMMENT}`, ...params)
  return SHIPMENT_STATUSES.map((status, at) => ({
    status,
    count: rows
      .filter((row) => readIntegerColumn(row, 'place') === at)
      .reduce((sum, row) => sum + readIntegerColumn(row, 'count'), 0),
  }))
}
