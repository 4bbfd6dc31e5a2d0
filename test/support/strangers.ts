/** Ids of one account that another account may not see. */
import type { AnyOperation } from '../../src/core/operation.ts'
import INTERFACE from '../operations.json' with { type: 'json' }
import { AREA_CASES, ID_CASES } from './all-cases.ts'

/** Returns an account with ids for the operation that `everything` may not see. */
export function strangerTo({ area }: AnyOperation): string {
  return AREA_CASES[area].stranger
}

/** Fields of paths that are no ids: each account, or store, has its own of these. */
export const OWN_TO_EACH: readonly string[] = ['month', 'number', 'table_number']

/** Returns whether only its owner may read the resource of an id in a path. */
const isPrivate = (id: string): boolean =>
  !OWN_TO_EACH.includes(id) && (ID_CASES[id] === undefined || ID_CASES[id].make !== undefined)

/** A call that names a private id: the field, and an id of nobody. */
export type PrivateCell = { operation: AnyOperation; member: string; nobodys: string }

/** Returns the private ids in paths and the quotes of confirms. */
export function listPrivateCells(operations: readonly AnyOperation[]): PrivateCell[] {
  return operations.flatMap((operation) => {
    const inPath = operation.pathParameters.filter(isPrivate)
    const members = 'quote_id' in operation.input.properties ? [...inPath, 'quote_id'] : inPath
    return members.map((member) => ({ operation, member, nobodys: ID_CASES[member]?.nobodys ?? '' }))
  })
}

/** The number of private ids that the interface names. */
export const PRIVATE_IDS = INTERFACE.flatMap(({ path, idempotency }) => [
  ...[...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (isPrivate(name) ? [name] : [])),
  ...(idempotency === 'required' ? ['quote_id'] : []),
]).length
