import { describe, expect, test } from 'vitest'
import type { Db } from '../../src/core/db.ts'
import { AppError, ERRORS, toProblem } from '../../src/core/errors.ts'
import { unavailable, unknownOutcome } from '../../src/db/postgres-errors.ts'
import { toOpenError } from '../../src/db/sqlite-errors.ts'
import { makeGateway } from '../../src/gateway/gateway.ts'
import { toPublicError } from '../../src/gateway/public-error.ts'
import type { Credential } from '../../src/gateway/request.ts'
import { load } from '../../src/generated/registry.ts'

const ID = 'req_01m7vkystgef38d6j5p56t9yfw'
const DATABASE = 'The PostgreSQL database orders at db.internal:5432'
const PATH = '/srv/secret/store.db'

function seen(error: unknown): { code: string; text: string; told: unknown[] } {
  const told: unknown[] = []
  const visible = toPublicError(error, ID, (bug) => told.push(bug))
  return { code: visible.code, text: JSON.stringify(toProblem(visible, ID)), told }
}

describe('an external caller does not learn where the store is', () => {
  const full = toOpenError(Object.assign(new Error('full'), { syscall: 'open', code: 'ENOSPC' }), PATH)
  const closed = toOpenError(Object.assign(new Error('no'), { syscall: 'open', code: 'EACCES' }), PATH)
  test.each([
    [
      'that is away',
      unavailable(DATABASE, new Error('connect ECONNREFUSED 10.0.0.5')),
      'service_unavailable',
    ],
    ['that may have committed', unknownOutcome(DATABASE, new Error('reset')), 'service_unavailable'],
    ['that is full', full, 'storage_full'],
    ['that cannot be opened', closed, 'internal_error'],
    ['that has a bug', new TypeError(`cannot read ${PATH}`), 'internal_error'],
  ])('%s', (_, error, code) => {
    const { code: given, text, told } = seen(error)
    expect(given).toBe(code)
    expect(text).not.toMatch(/secret|internal:5432|10\.0\.0\.5|ECONN/)
    expect(told).toEqual([error])
  })
})

test('every error of the interface is passed on unchanged', () => {
  for (const [code, { status }] of Object.entries(ERRORS)) {
    if (status === null) continue
    const error = new AppError(code as keyof typeof ERRORS, 'As it is.')
    expect(toPublicError(error, ID, () => {})).toBe(error)
  }
})

test.each([
  [
    'of the caller, with its cause',
    () => new AppError('invalid_state', 'No.', { cause: new Error('x') }),
    true,
  ],
  ['of the service', () => new AppError('service_unavailable', 'Later.'), true],
  [
    'of the service, with its cause',
    () => new AppError('internal_error', 'No.', { cause: new Error('x') }),
    false,
  ],
  ['of a program, which no service has', () => new AppError('store_error', 'No.'), false],
])('a fault %s is passed on as it is: %s', (_, make, isPassed) => {
  const error = make()
  const visible = toPublicError(error, ID, () => {})
  expect(visible === error).toBe(isPassed)
  if (isPassed) return
  expect([visible.code, visible.message, visible.cause]).toEqual([
    'internal_error',
    `An unexpected error occurred. Its ID is ${ID}.`,
    error,
  ])
})

test('a caller with a token is external even in this process; the account itself is not', async () => {
  const away = async (): Promise<never> => {
    throw unavailable(DATABASE, new Error('connect ECONNREFUSED 10.0.0.5'))
  }
  const told: unknown[] = []
  const gateway = makeGateway({
    db: { read: away, write: away, close: async () => {} } as unknown as Db,
    now: () => 0,
    weakRandomBytes: (count) => new Uint8Array(count),
    load,
    hasDue: async () => false,
    drain: async () => 0,
    onBug: (error) => told.push(error),
  })
  const ask = async (credential: Credential): Promise<string> =>
    (await gateway.invoke({ operation: 'get_membership_status', input: {}, credential })).body
  expect(await ask({ account: 'everything' })).toContain('internal:5432')
  expect(told).toEqual([])
  const answered = await ask({ token: 'dray_sbx_any' })
  expect(JSON.parse(answered)).toMatchObject({ code: 'service_unavailable' })
  expect(answered).not.toMatch(/internal:5432|10\.0\.0\.5|ECONN/)
  expect(told).toHaveLength(1)
})
