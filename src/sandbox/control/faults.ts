/** The parts that the calls for injected faults share. */
import * as Type from 'typebox'
import { type Fault, rateOf } from '../../core/fault.ts'
import { component, nullable } from '../../core/schema.ts'

export const faultId = Type.Integer({ minimum: 1, description: 'Number of the fault', label: 'Fault' })

export const sandboxFault = component('SandboxFault', {
  fault_id: faultId,
  operation: nullable('Operation; null for all operations', Type.String(), 'Operation'),
  effect: Type.String({ description: 'Effect, as the header Sandbox-Fault has it', label: 'Effect' }),
  rate: Type.Number({ description: 'Share of calls', label: 'Rate' }),
  times: nullable('Most hits; null without a limit', Type.Integer(), 'Most hits'),
  seen: Type.Integer({ description: 'Calls that it could hit', label: 'Calls' }),
  hits: Type.Integer({ description: 'Calls that it hit', label: 'Hits' }),
})

export const faultColumns = ['fault_id', 'operation', 'effect', 'rate', 'times', 'seen', 'hits']

export function serializeFault(found: Fault): Type.Static<typeof sandboxFault> {
  return { ...found, rate: rateOf(found) }
}
