import * as Type from 'typebox'
import { AppError } from '../../core/errors.ts'
import {
  type Fault,
  FAULT_STATUSES,
  LATENCY_PATTERN,
  MAX_LATENCY_MS,
  parseFaultSpec,
  readRate,
} from '../../core/fault.ts'
import { findClosestWord } from '../../core/nearest.ts'
import type { AnyOperation } from '../../core/operation.ts'
import { strictObject } from '../../core/schema.ts'
import { lockWorld, loadWorld, saveFaults } from '../../db/world.ts'
import { invalidMemberError } from './clock.ts'
import { defineControl } from './control.ts'
import { sandboxFault, faultColumns, serializeFault } from './faults.ts'

const MAX_FAULTS = 50

/** The fields that say how a call goes wrong, of which a fault has one. */
const EFFECTS = {
  status: Type.Integer({
    description:
      'Status of the response, 500, 502, 503 or 504; nothing is done. 502 and 504 have the page of a proxy',
  }),
  latency: Type.String({
    pattern: LATENCY_PATTERN,
    description: 'Wait before the call: 300ms, or 300ms±100ms',
    errorMessage: 'must be a time such as 300ms, 2s or 300ms±100ms',
  }),
  cut: Type.Enum(['headers', 'body'] as const, {
    description: 'Part of the response where the connection ends; the call is carried out',
  }),
  after_commit: Type.Literal(true, {
    description: 'Connection ends without a response; the call is carried out',
  }),
  rate_limit: Type.Literal(true, { description: 'Call refused with 429' }),
  payments: Type.Enum(['declined'] as const, { description: 'Outcome of payments by card and wallet' }),
}

type Effects = { [N in keyof typeof EFFECTS]?: Type.Static<(typeof EFFECTS)[N]> }

export const addFault = defineControl({
  name: 'add_fault',
  method: 'POST',
  path: '/sandbox/faults',
  summary: 'Make calls fail on order',
  description:
    'Draws from the seed which calls fail: the same calls in the same order fail again. Faults concern operations, not the controls of the sandbox, and stay until they are cleared.',
  input: strictObject({
    operation: Type.Optional(Type.String({ maxLength: 60, description: 'Only this operation' })),
    status: Type.Optional(EFFECTS.status),
    latency: Type.Optional(EFFECTS.latency),
    cut: Type.Optional(EFFECTS.cut),
    after_commit: Type.Optional(EFFECTS.after_commit),
    rate_limit: Type.Optional(EFFECTS.rate_limit),
    payments: Type.Optional(EFFECTS.payments),
    rate: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Share of calls, such as 0.2. Default: 1' }),
    ),
    times: Type.Optional(Type.Integer({ minimum: 1, description: 'Most calls that it hits' })),
  }),
  output: sandboxFault,
  errors: ['invalid_state'],
  example: () => ({ operation: 'place_food_order', status: 503, rate: 0.2 }),
  cli: {
    command: 'sandbox fault add',
    danger: 'write',
    columns: faultColumns,
    done: 'Fault {fault_id} is on: {effect}.',
    next: 'dray sandbox fault clear {fault_id}',
    examples: [
      'dray sandbox fault add --operation place_food_order --status 503 --rate 0.2',
      'dray sandbox fault add --latency 300ms±100ms',
      'dray sandbox fault add --operation create_shipment --after-commit --times 1',
    ],
  },
  async run({ db }, { operation = null, rate = 1, times = null, ...effects }) {
    const effect = effectOf(effects)
    if (operation !== null) await assertConcerned(operation, effect)
    const millionths = readRate(rate)
    if (millionths === undefined) throw invalidMemberError('rate', 'must be above 0, and at most 1')
    return db.write(async (tx) => {
      await lockWorld(tx)
      const { faults = [] } = await loadWorld(tx)
      if (faults.length >= MAX_FAULTS)
        throw new AppError('invalid_state', `There are ${MAX_FAULTS} faults already: clear one first.`)
      const fault_id = Math.max(0, ...faults.map((each) => each.fault_id)) + 1
      const added: Fault = { fault_id, operation, effect, rate: millionths, times, seen: 0, hits: 0 }
      await saveFaults(tx, [...faults, added])
      return serializeFault(added)
    })
  },
})

/** Returns the one effect, as the header has it. Throws `invalid_request` for none, for several, and for a wait that is too long. */
function effectOf(effects: Effects): string {
  const [given, another] = Object.entries(effects)
  const names = Object.keys(EFFECTS).join(', ')
  if (given === undefined) throw invalidMemberError('status', `is required, or another one of ${names}`)
  if (another !== undefined)
    throw invalidMemberError(another[0], `must be another fault: each has one of ${names}`)
  const [name, value] = given
  const text = value === true ? name : `${name}=${value}`
  if (parseFaultSpec(text) !== undefined) return text
  throw invalidMemberError(
    name,
    name === 'status'
      ? `must be one of ${FAULT_STATUSES.join(', ')}`
      : `must wait at most ${MAX_LATENCY_MS / 1000} s, and vary by no more than it waits`,
  )
}

/** Throws `invalid_request` for an operation that there is not, or that takes no payment which could be declined. */
async function assertConcerned(name: string, effect: string): Promise<void> {
  const { OPERATIONS } = await import('../../generated/operation-list.ts')
  const found = Object.entries<() => Promise<AnyOperation>>(OPERATIONS).find(([each]) => each === name)
  if (found === undefined) {
    const meant = findClosestWord(name, Object.keys(OPERATIONS))
    throw invalidMemberError(
      'operation',
      `is unknown: ${meant === undefined ? 'see `dray api --list`' : `use ${meant}`}`,
    )
  }
  const { errors } = await found[1]()
  if (effect === 'payments=declined' && !errors.includes('payment_declined'))
    throw invalidMemberError('operation', `must be one that takes a payment, and ${name} takes none`)
}
