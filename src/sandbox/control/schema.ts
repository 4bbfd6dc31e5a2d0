import * as Type from 'typebox'
import { type Account, SCOPES } from '../../core/account.ts'
import type { FlagHint } from '../../core/operation.ts'
import {
  strictObject,
  objectField,
  instant,
  describeField,
  component,
  nameField,
  nullable,
} from '../../core/schema.ts'
import { toTimestamp } from '../../core/time.ts'

export const clock = component('SandboxClock', {
  now: describeField('Time that it shows', instant, 'Sandbox time'),
  mode: Type.Enum(['real', 'frozen', 'scaled', 'offset'] as const, {
    meaning: 'Way in which it runs: as the machine’s clock, not at all, faster, or ahead of it',
    label: 'Clock',
  }),
  factor: Type.Integer({ meaning: 'Seconds that pass in a second of the machine', label: 'Speed' }),
  next_due_at: nullable('Time of the next due event; null if nothing is due', instant, 'Next event'),
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
export const accountHandle = Type.String({ meaning: 'Short name of the account', label: 'Account' })
export const accountId = Type.String({ meaning: 'Account', label: 'Account ID' })

/** An account by its id or its short name. */
export const accountParam = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'its short name or id',
})

export const scopes = Type.Array(Type.Enum(SCOPES), { description: 'Scopes' })

export const fewerScopes = Type.Optional(
  Type.Array(scopes.items, { minItems: 1, description: 'fewer scopes than the account has' }),
)

/** The flag `--scope`, which repeats. The service rejects a wrong scope: it knows the account. */
export const scopeFlag: FlagHint = { flag: 'scope', kind: 'text' }

/** The schema of an agreement. Its status is shown under the label. */
function agreement(label: string) {
  const status = Type.Enum(['active', 'ended'] as const, { meaning: 'Status of the agreement', label })
  const agreed = strictObject({ agreement_id: Type.String({ meaning: 'Agreement' }), status })
  return nullable(`${label} agreement; null without one`, agreed)
}

export const account = component('SandboxAccount', {
  account_id: accountId,
  handle: accountHandle,
  name: nameField,
  scopes,
  membership: objectField('Membership', {
    status: Type.Enum(['none', 'trialing', 'active', 'past_due', 'cancelled', 'expired'] as const, {
      meaning: 'Status of the membership',
      label: 'Membership',
    }),
    plan_code: nullable('Plan; null without a membership', Type.String(), 'Plan'),
    current_period_start: nullable('Start of the current period; null without one', instant),
    current_period_end: nullable('End of the current period; null without one', instant, 'Membership until'),
    cancel_at_period_end: Type.Boolean({
      meaning: 'Membership ends with the current period',
      label: 'Ends at period end',
    }),
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

export function serializeAccount(found: Account): Type.Static<typeof account> {
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
