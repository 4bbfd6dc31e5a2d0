import fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serviceIdentity } from '../../src/cli/identity.ts'
import { announceService } from '../../src/client/control-token.ts'
import { makeHome } from '../support/home.ts'

const NONE = '/nowhere'

const store = (address: string): string =>
  serviceIdentity({ kind: 'embedded', store: address, account: 'everything' }, NONE)

function service(baseUrl: string, stateFolder = NONE): string {
  const none = { token: undefined, controlToken: undefined, timeoutMs: undefined }
  return serviceIdentity({ kind: 'remote', baseUrl, ...none }, stateFolder)
}

describe('one service', () => {
  test('is the same store by a link, by another path, and before it is made', () => {
    using home = makeHome()
    const folder = join(home.cwd, 'stores')
    fs.mkdirSync(folder)
    const path = join(folder, 'dray.db')
    const early = store(path)
    fs.writeFileSync(path, '')
    fs.symlinkSync(path, join(home.cwd, 'link.db'))
    fs.symlinkSync(folder, join(home.cwd, 'linked'))
    const names = [
      path,
      join(home.cwd, 'link.db'),
      join(home.cwd, 'linked/dray.db'),
      `${folder}/../stores/dray.db`,
    ]
    expect(new Set([early, ...names.map(store)])).toEqual(new Set([path]))
  })

  test('is the same database with or without user, password, port or last slash', () => {
    const names = [
      'postgres://ada:secret@localhost:5432/dray',
      'postgres://localhost/dray/',
      'postgresql://ada@127.0.0.1/dray',
      'postgres://localhost:5432/dray?sslmode=disable',
    ]
    expect(new Set(names.map(store)).size).toBe(1)
    expect(names.map(store).join()).not.toContain('secret')
  })

  test('is the same for a served store and its address on this machine, while it is served', () => {
    using home = makeHome()
    const { state } = home.paths
    const withdraw = announceService(8080, 'dray_ctl_x', state, '/stores/dray.db')
    const names = ['http://127.0.0.1:8080', 'http://localhost:8080/', 'http://[::1]:8080']
    expect(names.map((name) => service(name, state))).toEqual(names.map(() => '/stores/dray.db'))
    for (const other of ['http://127.0.0.1:8081', 'https://127.0.0.1:8080', 'http://api.example:8080'])
      expect(service(other, state)).toBe(service(other))
    withdraw()
    expect(service('http://127.0.0.1:8080', state)).toBe(service('http://127.0.0.1:8080'))
  })

  test('is the same address with or without last slash, by each name of this machine', () => {
    const names = ['http://127.0.0.1:8080', 'http://localhost:8080/', 'http://[::1]:8080']
    expect(new Set(names.map((name) => service(name))).size).toBe(1)
  })
})

test('other stores, databases, schemas and services differ', () => {
  const names = [
    store('/stores/a.db'),
    store('/stores/b.db'),
    store('postgres://localhost/a'),
    store('postgres://localhost/b'),
    store('postgres://localhost:5433/a'),
    store('postgres://localhost/a?options=-csearch_path%3Dother'),
    service('https://a.example'),
    service('https://a.example/sandbox'),
    service('https://b.example'),
  ]
  expect(new Set(names).size).toBe(names.length)
})
