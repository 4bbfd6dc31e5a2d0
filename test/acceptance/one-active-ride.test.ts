/** The rule of an operator that an account may have only one ride at a time. */
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { PrintedFailure } from '../support/answers.ts'
import { builtProgram, startDray, splitCommandLine } from '../support/program.ts'
import { makeTempFolder } from '../support/stores.ts'

beforeAll(builtProgram)

test('an operator may allow one ride at a time only', async () => {
  const home = await makeTempFolder()
  const env = {
    HOME: home,
    DRAY_HOME: join(home, 'dray'),
    DRAY_NOW: '2026-11-20T09:00:00.000Z',
    DRAY_ONE_ACTIVE_RIDE: '1',
  }
  const request = splitCommandLine(
    'rides request --from kings-cross --to bank --tier economy --yes --max-total 30 --json',
  )
  expect((await startDray(request, { env }).ended).exitCode).toBe(0)
  const second = await startDray(request, { env }).ended
  expect(second.exitCode).toBe(7)
  expect(second.json<PrintedFailure>().code).toBe('active_ride_exists')
})
