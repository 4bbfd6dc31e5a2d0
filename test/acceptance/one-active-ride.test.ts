/** The rule of an operator that an account may have only one ride at a time. */
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Failure } from '../support/answers.ts'
import { builtProgram, start, toWords } from '../support/program.ts'
import { makeFolder } from '../support/stores.ts'

beforeAll(builtProgram)

test('an operator may allow one ride at a time only', async () => {
  const home = await makeFolder()
  const env = {
    HOME: home,
    DRAY_HOME: join(home, 'dray'),
    DRAY_NOW: '2026-11-20T09:00:00.000Z',
    DRAY_ONE_ACTIVE_RIDE: '1',
  }
  const request = toWords(
    'rides request --from kings-cross --to bank --tier economy --yes --max-total 30 --json',
  )
  expect((await start(request, { env }).ended).exitCode).toBe(0)
  const second = await start(request, { env }).ended
  expect(second.exitCode).toBe(7)
  expect(second.json<Failure>().code).toBe('active_ride_exists')
})
