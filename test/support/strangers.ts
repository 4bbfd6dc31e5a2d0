/** Ids of one account that another account may not see. */
import type { Area } from '../../src/core/areas.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import INTERFACE from '../operations.json' with { type: 'json' }
import { UNKNOWN } from './examples.ts'

/** By area, an account with ids for its operations that has no order with `everything`. */
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

/** Ids that anybody may read. */
const PUBLIC: readonly string[] = ['merchant_id', 'provider_id']

const UNKNOWN_QUOTE = 'quo_01m7vkystge8kbcf2tpy8vep2a'

/** A call that names a private id: the member, and an id of nobody. */
export type PrivateCell = { operation: AnyOperation; member: string; nobodys: string }

/** Returns the private ids in paths and the quotes of confirms. */
export function listPrivateCells(operations: readonly AnyOperation[]): PrivateCell[] {
  return operations.flatMap((operation) => {
    const inPath = operation.pathParameters.filter((name) => !PUBLIC.includes(name))
    const members = 'quote_id' in operation.input.properties ? [...inPath, 'quote_id'] : inPath
    return members.map((member) => ({ operation, member, nobodys: UNKNOWN[member] ?? UNKNOWN_QUOTE }))
  })
}

/** The number of private ids that the interface names. */
export const PRIVATE_IDS = INTERFACE.flatMap(({ path, idempotency }) => [
  ...[...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (PUBLIC.includes(name) ? [] : [name])),
  ...(idempotency === 'required' ? ['quote_id'] : []),
]).length
