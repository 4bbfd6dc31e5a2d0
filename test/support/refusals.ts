/** Inputs for the errors that an operation declares: those of its cases, and those that every operation rejects in one way. */
import type { ErrorCode } from '../../src/core/errors.ts'
import { type AnyOperation, isRead } from '../../src/core/operation.ts'
import { OPERATION_CASES, ID_CASES } from './all-cases.ts'
import type { CaseChange, CaseContext, CaseInput, CaseRefusals } from './cases.ts'
import { newKey } from './food.ts'
import { gbp } from './money.ts'

/** Makes the call once, so that the same call is rejected afterwards. */
async function repeated({ world, operation, example }: CaseContext): Promise<CaseInput> {
  const input = await example()
  await world.ok(operation.name as 'cancel_ride', input, { key: newKey() })
  return input
}

/** An error that is caused in the same way for every operation that declares it. */
const USUAL: CaseRefusals = {
  invalid_cursor: { cursor: 'bm9uZQ' },
  invalid_tracking_number: { tracking_number: 'ZC968043371GB' },
  version_conflict: { version: 7 },
  duplicate_item: repeated,
  duplicate_reference: repeated,
  invalid_state: repeated,
  not_cancellable: repeated,
  quote_mismatch: { expected_total: gbp(1) },
  quote_expired: async ({ world, example }) => {
    const input = await example()
    await world.advance(900_000)
    return input
  },
  quote_already_used: repeated,
  payment_declined: { payment: { method: 'card', payment_token: 'tok_declined' } },
  payment_method_not_accepted: { payment: { method: 'pay_at_table' } },
}

/** Returns the codes of an operation's errors, each with its cause; those of its cases last and in their order. */
export function refusalsOf(operation: AnyOperation): [code: ErrorCode, cause: CaseChange][] {
  const { name, errors, input } = operation
  const { refusals: own = {}, unreachableErrors: never = {} } = OPERATION_CASES[name] ?? {}
  const ids = Object.entries(ID_CASES).filter(([id]) => id in input.properties)
  const unknown = ids.map(([id, { missing, nobodys }]) => [missing, { [id]: nobodys }])
  const usual = Object.entries<CaseChange>({ ...USUAL, ...(Object.fromEntries(unknown) as CaseRefusals) })
  const declared = usual.filter(
    ([code, cause]) =>
      errors.includes(code as ErrorCode) &&
      !(code in own || code in never) &&
      // A read that is made twice is answered twice.
      !(cause === repeated && isRead(operation)),
  )
  return [...declared, ...Object.entries<CaseChange>(own)] as [ErrorCode, CaseChange][]
}
