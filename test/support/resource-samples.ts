/** Two small operations, for tests of the transport that should not change when the interface grows. */
import * as Type from 'typebox'
import { Compile } from 'typebox/compile'
import { AppError } from '../../src/core/errors.ts'
import { defineOperation } from '../../src/core/operation.ts'
import type { AnyOperation } from '../../src/core/operation.ts'

const getThing = defineOperation({
  name: 'get_thing',
  area: 'account',
  summary: 'A thing',
  method: 'GET',
  path: '/v1/things/{thing_id}',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'none',
  input: Type.Object(
    { thing_id: Type.String(), colour: Type.Optional(Type.String()) },
    { additionalProperties: false },
  ),
  output: Type.Object({ thing_id: Type.String(), owner: Type.String() }),
  errors: ['order_not_found'],
  cli: { command: 'things show', danger: 'read' },
  example: () => ({ thing_id: 'a' }),
  async run({ account }, { thing_id }) {
    if (thing_id === 'none') throw new AppError('order_not_found', 'There is no such thing.')
    if (thing_id === 'broken') throw new Error('a bug')
    return { thing_id, owner: account.handle }
  },
})

const createThing = defineOperation({
  name: 'create_thing',
  area: 'account',
  summary: 'Make a thing',
  method: 'POST',
  path: '/v1/things',
  scope: 'profile.read',
  entitlement: 'none',
  createsTransaction: false,
  idempotency: 'supported',
  repetition: 'makes',
  status: 201,
  location: '/v1/things/{thing_id}',
  input: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 100_000 }) },
    { additionalProperties: false },
  ),
  output: Type.Object({ thing_id: Type.String(), length: Type.Integer() }),
  errors: [],
  bodyLimit: 100_000,
  scenarios: ['happy'],
  cli: { command: 'things create', danger: 'write' },
  example: () => ({ name: 'lamp' }),
  async run({ tx, world, now }, { name }) {
    const { newIds } = await import('../../src/db/counters.ts')
    const [thing_id = ''] = await newIds({ tx, world, at: now }, 'thg')
    return { thing_id, length: name.length }
  },
})

const OPERATIONS: readonly AnyOperation[] = [getThing, createThing]

export const RESOURCE_SAMPLES = {
  NAMES: OPERATIONS.map(({ name }) => name),
  async load(name: string) {
    const operation = OPERATIONS.find((one) => one.name === name)
    if (operation === undefined) return undefined
    const compiled = Compile(operation.input)
    return { operation, check: (value: unknown) => compiled.Check(value) }
  },
}
