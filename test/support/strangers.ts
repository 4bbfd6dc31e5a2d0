/** Who has what somebody else may not see. */
import type { AnyOperation, Area } from '../../src/core/operation.ts'
import { UNKNOWN } from './examples.ts'

/** By area an account that has what its operations name, and is no customer or keeper of `everything`. */
export const OTHERS: Readonly<Record<Area, string>> = {
  account: 'member',
  carrier: 'shipper',
  food: 'member',
  rides: 'member',
  delivery: 'member',
  business: 'owner',
  services: 'member',
  tasks: 'member',
}

/** What anybody may read. */
const PUBLIC: readonly string[] = ['merchant_id', 'provider_id']

const UNKNOWN_QUOTE = 'quo_01m7vkystge8kbcf2tpy8vep2a'

/** Where a call names something private: the member, and a value of it that is nobody's. */
export type PrivateCell = { operation: AnyOperation; member: string; nobodys: string }

/** The ids in paths and the quotes of confirms that are somebody's own. */
export function listPrivateCells(operations: readonly AnyOperation[]): PrivateCell[] {
  return operations.flatMap((operation) => {
    const inPath = operation.pathParameters.filter((name) => !PUBLIC.includes(name))
    const members = operation.idempotency === 'required' ? [...inPath, 'quote_id'] : inPath
    return members.map((member) => ({ operation, member, nobodys: UNKNOWN[member] ?? UNKNOWN_QUOTE }))
  })
}
