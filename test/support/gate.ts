/** An operation that runs until the test lets it. */
import * as Type from 'typebox'
import { defineOperation } from '../../src/core/operation.ts'

export type Gate = {
  /** Resolves when the operation runs. */
  reached: Promise<void>
  open(): void
  /** The operation calls this; it resolves once the gate is open. */
  pass(): Promise<void>
}

export function makeGate(): Gate {
  const arrival = Promise.withResolvers<void>()
  const opening = Promise.withResolvers<void>()
  return {
    reached: arrival.promise,
    open: () => opening.resolve(),
    pass() {
      arrival.resolve()
      return opening.promise
    },
  }
}

/** A registry of one operation, `GET /v1/waits`. */
export function makeGatedRegistry(gate: Gate) {
  const waits = defineOperation({
    name: 'wait_for_it',
    area: 'account',
    summary: 'Waits',
    method: 'GET',
    path: '/v1/waits',
    scope: 'profile.read',
    entitlement: 'none',
    createsTransaction: false,
    idempotency: 'none',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({ waited: Type.Boolean() }),
    errors: [],
    cli: { command: 'wait', danger: 'read' },
    example: () => ({}),
    async run() {
      await gate.pass()
      return { waited: true }
    },
  })
  return {
    NAMES: [waits.name],
    load: async (name: string) => (name === waits.name ? { operation: waits, check: () => true } : undefined),
  }
}
