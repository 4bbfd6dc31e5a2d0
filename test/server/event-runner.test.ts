import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startEventRunner } from '../../src/server/event-runner.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('tick once a second, and at once while more is due', async () => {
  const answers = [true, true, false, false]
  let ticks = 0
  const running = startEventRunner(
    async () => answers[ticks++] ?? false,
    () => {},
  )
  await vi.advanceTimersByTimeAsync(999)
  expect(ticks).toBe(0)
  await vi.advanceTimersByTimeAsync(10)
  expect(ticks).toBe(3)
  await vi.advanceTimersByTimeAsync(1000)
  expect(ticks).toBe(4)
  await running.stop()
})

test('continue after a failure, and report it', async () => {
  const errors: unknown[] = []
  let ticks = 0
  const running = startEventRunner(
    async () => {
      ticks++
      throw new Error('the store is away')
    },
    (error) => errors.push(error),
  )
  await vi.advanceTimersByTimeAsync(3000)
  expect([ticks, errors.length]).toEqual([3, 3])
  await running.stop()
})

test('stop after the running one, and not before', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  let ticks = 0
  const running = startEventRunner(
    () => {
      ticks++
      return promise
    },
    () => {},
  )
  await vi.advanceTimersByTimeAsync(1000)
  let stopped = false
  const stopping = running.stop().then(() => (stopped = true))
  await vi.advanceTimersByTimeAsync(5000)
  expect(stopped).toBe(false)
  resolve(true)
  await stopping
  await vi.advanceTimersByTimeAsync(5000)
  expect(ticks).toBe(1)
})
