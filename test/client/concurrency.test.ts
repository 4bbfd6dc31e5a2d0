import { expect, test } from 'vitest'
import { forEachConcurrently } from '../../src/client/concurrency.ts'

test('all items are done, a few at the same time, and none is begun after a failure', async () => {
  const begun: number[] = []
  const ends: ((error?: Error) => void)[] = []
  const work = (item: number): Promise<void> => {
    begun.push(item)
    return new Promise((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)))
    })
  }
  const all = forEachConcurrently([1, 2, 3, 4, 5], 2, work)
  expect(begun).toEqual([1, 2])
  ends[0]?.()
  await expect.poll(() => begun).toEqual([1, 2, 3])
  ends[2]?.(new Error('lost'))
  await expect(all).rejects.toThrow('lost')
  ends[1]?.()
  await Promise.resolve()
  expect(begun).toEqual([1, 2, 3])
  const done: number[] = []
  await forEachConcurrently([1, 2, 3], 2, async (item) => void done.push(item))
  expect(done).toEqual([1, 2, 3])
})
