import * as Type from 'typebox'
import { type Account, SCOPES } from '../../core/account.ts'
import type { FlagHint } from '../../core/operation.ts'
import { closed, instant, labelled, orNull } from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'

export const clock = closed({
  now: labelled('Sandbox time', instant),
  mode: Type.Enum(['real', 'frozen', 'scaled', 'offset'] as const, { label: 'Clock' }),
  factor: Type.Integer({ label: 'Speed' }),
  next_due_at: labelled('Next event', orNull(instant)),
})

export const clockColumns = ['now', 'mode', 'factor', 'next_due_at']

export const clockMode = clock.properties.mode

export const handle = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,31}$',
  description: 'a short name of lower-case letters, digits and dashes',
  errorMessage:
    'must have lower-case letters, digits and hyphens, start with a letter, and have at most 32 characters',
})

/** The short name of an account in an answer. */
export const accountHandle = Type.String({ label: 'Account' })

/** An account by its id or its short name. */
export const accountName = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'its short name or id',
})

export const scopes = Type.Array(Type.Enum(SCOPES), { description: 'Scopes' })

export const fewerScopes = Type.Optional(
  Type.Array(scopes.items, { minItems: 1, description: 'fewer scopes than the account has' }),
)

/** The flag `--scope`, which repeats. The service refuses a wrong scope: it knows the account. */
export const typedScopes: FlagHint = { flag: 'scope', kind: 'text' }

/** The schema of an agreement, whose status is shown under the label. */
function agreement(label: string) {
  const status = Type.Enum(['active', 'ended'] as const, { label })
  return orNull(closed({ agreement_id: Type.String(), status }))
}

export const account = closed({
  account_id: Type.String({ label: 'Account ID' }),
  handle: accountHandle,
  name: Type.String(),
  scopes,
  membership: closed({
    status: Type.Enum(['none', 'trialing', 'active', 'past_due', 'cancelled', 'expired'] as const, {
      label: 'Membership',
    }),
    plan_code: labelled('Plan', orNull(Type.String())),
    current_period_start: orNull(instant),
    current_period_end: labelled('Membership until', orNull(instant)),
    cancel_at_period_end: Type.Boolean({ label: 'Ends at period end' }),
  }),
  carrier_agreement: agreement('Carrier'),
  business_agreement: agreement('Business'),
})

export const accountColumns = [
  'handle',
  'name',
  'membership.status',
  'carrier_agreement.status',
  'business_agreement.status',
  'scopes',
]

export function toAccount(found: Account): Type.Static<typeof account> {
  const { carrierAgreement, businessAgreement } = found
  // The anchor only says when the next period ends, and answers say that.
  const { anchor_day: _, ...membership } = found.membership
  const at = (ms: number | null) => (ms === null ? null : toTimestamp(ms))
  return {
    account_id: found.account_id,
    handle: found.handle,
    name: found.name,
    scopes: [...found.scopes],
    membership: {
      ...membership,
      current_period_start: at(membership.current_period_start),
      current_period_end: at(membership.current_period_end),
    },
    carrier_agreement: carrierAgreement
      ? { agreement_id: carrierAgreement.agreement_id, status: carrierAgreement.status }
      : null,
    business_agreement: businessAgreement
      ? { agreement_id: businessAgreement.agreement_id, status: businessAgreement.status }
      : null,
  }
}
