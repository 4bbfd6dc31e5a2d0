/** A purchase as `dray approve` lists it, made without the code under test. */
import { createHash } from 'node:crypto'
import type { OperationOutput } from '../../src/client/operations.ts'
import { canonicalJson } from '../../src/core/canonical-json.ts'
import { hashInput } from '../../src/core/input-hashes.ts'
import { toTimestamp } from '../../src/core/time.ts'
import type { Purchase } from '../../src/local-state/approvals.ts'
import type { Actor } from '../../src/local-state/ledger.ts'

/** Returns the purchase of a food order by the call that confirms its quote. */
export function purchaseOf(
  { quote_id, total, expires_at }: OperationOutput<'quote_food_order'>,
  confirm: Record<string, unknown>,
  actor: Actor,
): Purchase {
  return {
    approval_id: quote_id,
    quote_id,
    total,
    // Agents are told it by the clock of the place.
    expires_at: toTimestamp(Date.parse(expires_at)),
    operation: 'place_food_order',
    tier: null,
    ...actor,
    ...toPurchaseInput(confirm),
    about: [],
  }
}

/** Returns the fields of a purchase that hold what its call says. */
export function toPurchaseInput(
  input: Record<string, unknown>,
): Pick<Purchase, 'input_sha256' | 'input_parts' | 'adds'> {
  const input_sha256 = createHash('sha256').update(canonicalJson(input)).digest('hex')
  return { input_sha256, input_parts: hashInput(input), adds: [] }
}
