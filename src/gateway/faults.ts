/** The injected faults of a sandbox, met by one call. Loaded where there are any. */
import { AppError } from '../core/errors.ts'
import { PROCESS_EVENT_LOOP } from '../core/event-loop.ts'
import {
  sampleFaultSpec,
  sampleFaults,
  type SampledFaults,
  FAULT_WORDS,
  parseFaultSpec,
} from '../core/fault.ts'
import { invalidRequest } from '../core/invalid-request.ts'
import { loadWorld, lockWorld, saveFaults } from '../db/world.ts'
import { concerns, refuseFurther } from './attempt.ts'
import type { CallFacts, GatewayDeps } from './deps.ts'
import type { GatewayRequest } from './request.ts'

/**
 * Draws the faults that hit a call, and counts them; its header names the only one. Waits as long as they want, and throws
 * the error of a call that goes no further. Throws `invalid_request` for a header that names no fault.
 */
export async function meetFaults(
  deps: GatewayDeps,
  { operation, fault }: Pick<GatewayRequest, 'operation' | 'fault'>,
  findings: CallFacts,
  totalMs: number,
): Promise<void> {
  const drawn =
    fault === undefined ? await sampleConfiguredFaults(deps, operation, totalMs) : readFault(fault)
  const isProxys = drawn.status === 502 || drawn.status === 504
  findings.fault = isProxys ? { ...drawn, lost: 'page' } : drawn
  if (drawn.waitMs > 0) await (deps.sleep ?? sleep)(drawn.waitMs)
  assertGoesOn(drawn, findings)
}

async function sampleConfiguredFaults(
  { db }: GatewayDeps,
  operation: string,
  totalMs: number,
): Promise<SampledFaults> {
  return db.write(
    async (tx) => {
      await lockWorld(tx)
      const { world, faults = [] } = await loadWorld(tx)
      const { drawn, faults: counted } = sampleFaults(world.seed, faults, (fault) =>
        concerns(fault, operation),
      )
      await saveFaults(tx, counted)
      return drawn
    },
    { totalMs },
  )
}

function readFault(text: string): SampledFaults {
  if (parseFaultSpec(text) !== undefined) return sampleFaultSpec(text, '', [0, 0])
  const detail = `Sandbox-Fault must be one of ${FAULT_WORDS}`
  throw invalidRequest([{ header: 'Sandbox-Fault', code: 'invalid_enum', detail }])
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => void PROCESS_EVENT_LOOP.later(resolve, ms))

/** Throws where a fault ends the call before it is carried out. */
function assertGoesOn({ status, rate_limit }: SampledFaults, findings: CallFacts): void {
  if (rate_limit === true) refuseFurther(findings, { detail: 'Too many calls: a fault on order.', wait: 1 })
  if (status !== undefined)
    throw new AppError(
      status === 500 ? 'internal_error' : 'service_unavailable',
      `Status ${status}: a fault on order. Nothing was done.`,
    )
}
