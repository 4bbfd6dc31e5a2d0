import { expect, test } from 'vitest'
import { OTHER_NAMES } from '../../src/cli/log-filter.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { listControls } from '../../src/sandbox/control/index.ts'
import { makeRoutes } from '../../src/server/routes.ts'

const never = (): never => {
  throw new Error('nothing is called here')
}

test('a log can be filtered by every route', async () => {
  const control = {
    token: '',
    calls: await listControls(),
    invoke: never,
    snapshots: { newFile: never, save: never, load: never },
  }
  const routes = await makeRoutes({
    gateway: { invoke: never } as never,
    registry: { NAMES, load },
    control,
    oauth: { logins: {} as never },
    media: never,
    pages: {} as never,
    shares: {} as never,
    elapsed: never,
    serviceTime: never,
    ready: never,
    metrics: never,
    onBug: never,
    version: '0',
  })
  const known = new Set([
    ...NAMES,
    ...control.calls.map(({ name }) => `sandbox:${name}`),
    ...OTHER_NAMES.filter((name) => name !== 'mcp'),
  ])
  const missing = routes.map(({ name }) => name).filter((name) => !known.has(name))
  expect(missing.map((name) => `${name}: add it to OTHER_NAMES in src/cli/log-filter.ts`)).toEqual([])
  expect(known).toEqual(new Set(routes.map(({ name }) => name)))
})
