import { expect, test } from 'vitest'
import type { Tx } from '../../src/core/db.ts'
import { deleteCompletedResponses } from '../../src/db/idempotency.ts'
import { openTestSandbox } from '../support/world.ts'

test('forgetting old keys costs the same however many keys an account has used today', async () => {
  const world = await openTestSandbox()
  const plan = await world.db.write(async (tx) => {
    const steps: unknown[] = []
    const planning: Tx = {
      ...tx,
      runPipelined: async (sql, ...params) => {
        steps.push(...(await tx.all(`explain query plan ${sql}`, ...params)))
      },
    }
    await deleteCompletedResponses(planning, 'cus', 1)
    return JSON.stringify(steps)
  })
  expect(plan).toMatch(/idempotency_by_age \(account_id=\? AND completed_at<\?\)/)
})
