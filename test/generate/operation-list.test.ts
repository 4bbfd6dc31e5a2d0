import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { AREAS } from '../../src/core/areas.ts'
import {
  assertNamedByFile,
  listOperationFiles,
  operationListSource,
} from '../../src/generate/operation-list.ts'
import { OPERATIONS } from '../../src/generated/operation-list.ts'
import { ROOT } from '../support/sources.ts'
import { makeTempFolder } from '../support/stores.ts'

/** A project whose areas have the files of this one, without their contents, and `more`. */
async function makeProject(...more: string[]): Promise<string> {
  const root = await makeTempFolder()
  const own = Object.keys(AREAS).flatMap((area) =>
    readdirSync(join(ROOT, 'src/areas', area)).map((name) => `${area}/${name}`),
  )
  for (const file of [...own, ...more]) {
    mkdirSync(dirname(join(root, 'src/areas', file)), { recursive: true })
    writeFileSync(join(root, 'src/areas', file), '')
  }
  return root
}

test('a new file of an area is an operation, after all those that callers know, without a line anywhere', async () => {
  const files = listOperationFiles(
    await makeProject('tasks/praise_tasker.ts', 'rides/tip_driver.ts', 'rides/tip-rules.ts'),
  )
  const more = ['tip_driver', 'praise_tasker']
  const names = files.map(({ name }) => name)
  expect(names.filter((name) => !more.includes(name))).toEqual(Object.keys(OPERATIONS))
  const lastKnown = names.indexOf('delete_webhook_endpoint')
  expect(more.map((name) => names.indexOf(name) > lastKnown)).toEqual([true, true])
  expect(files.filter(({ name }) => more.includes(name))).toEqual([
    { area: 'rides', name: 'tip_driver' },
    { area: 'tasks', name: 'praise_tasker' },
  ])
  expect(operationListSource(files)).toContain(
    "  tip_driver: () => import('../areas/rides/tip_driver.ts').then((m) => m.tipDriver),\n",
  )
})

test('a file that exports no operation of its name and folder is named', async () => {
  const ride = await OPERATIONS.get_ride()
  expect(() => assertNamedByFile({ area: 'rides', name: 'get_ride' }, ride)).not.toThrow()
  const words =
    'src/areas/rides/tip_driver.ts exports tipDriver, the operation tip_driver of rides: it does not'
  expect(() => assertNamedByFile({ area: 'rides', name: 'tip_driver' }, undefined)).toThrow(words)
  expect(() => assertNamedByFile({ area: 'rides', name: 'tip_driver' }, ride)).toThrow(words)
  expect(() => assertNamedByFile({ area: 'tasks', name: 'get_ride' }, ride)).toThrow(
    'src/areas/tasks/get_ride.ts',
  )
})

test('an operation that callers know cannot vanish unnoticed', async () => {
  const root = await makeTempFolder()
  for (const area of Object.keys(AREAS)) mkdirSync(join(root, 'src/areas', area), { recursive: true })
  expect(() => listOperationFiles(root)).toThrow('no folder of src/areas/ has get_membership_status.ts')
})
