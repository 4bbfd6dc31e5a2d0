/** A shop that uses the built package: compiled with the settings that `docs/testing.md` names, and run. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { builtProgram } from '../support/program.ts'
import { ROOT } from '../support/sources.ts'
import { makeTempFolder } from '../support/stores.ts'

const run = promisify(execFile)

/** The compiler's settings on the page; each setting of `package.json` that decides how modules are read stands beside them. */
const [, SETTINGS = ''] =
  /^```json\n([^]*?)^```$/m.exec(readFileSync(join(ROOT, 'docs/testing.md'), 'utf8')) ?? []

/** The shop knows `dray/client` alone: its tests hand it the calls of a sandbox. */
const SHOP = `import { type Calls, createClient, DrayError } from 'dray/client'

export async function withRetries<T>(call: () => Promise<T>, most = 3): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof DrayError) || !error.retryable || tries === most) throw error
    }
  }
}

export function explain(error: unknown): string {
  if (!(error instanceof DrayError)) return 'not of dray'
  const fields = error.errors.map(({ pointer, detail }) => \`\${pointer ?? ''}: \${detail}\`)
  const status: number | undefined = error.status
  return [error.name, error.code, status ?? 'no status', error.retryable, ...fields].join(', ')
}

export const send = (calls: Calls, reference: string) =>
  withRetries(() =>
    calls.createShipment(
      {
        reference,
        service_level: 'next_day',
        recipient: {
          contact: { name: 'Grace Okoro' },
          address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
        },
        parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 },
      },
      { idempotencyKey: reference },
    ),
  )

export const connect = (baseUrl: string, token: string): Calls => createClient({ baseUrl, token })
`

const TEST = `import * as client from 'dray/client'
import { DrayError, startSandbox } from 'dray/testing'
import { connect, explain, send } from './shop.js'

await using sandbox = await startSandbox({ seed: 7, http: true })
const calls = sandbox.as('shipper')
await sandbox.fault({ operation: 'create_shipment', after_commit: true, times: 1 })
const sent = await send(calls, 'order-1001')
const { data } = await calls.listShipments()

await sandbox.fault({ operation: 'list_shipments', status: 503, times: 1 })
const failed = await calls.listShipments().catch((error: unknown) => error)
const ride = { ride_id: 'rid_00000000000000000000000000' }
const refusals = [
  await sandbox.as('member').refused('get_ride', ride),
  await connect(sandbox.url, await sandbox.token('member')).refused('get_ride', ride),
]
const code: 'ride_not_found' extends (typeof refusals)[number]['code'] ? true : false = true
const wrong = await calls.listShipments({ limit: 0 }).catch((error: unknown) => error)
console.log(
  JSON.stringify({
    sent: data.map(({ tracking_number }) => tracking_number === sent.tracking_number),
    isOneClass: client.DrayError === DrayError && code,
    failed: explain(failed),
    wrong: explain(wrong),
    refusals: refusals.map(explain),
    isInstance: refusals.map((error) => error instanceof client.DrayError && error instanceof DrayError),
    others: [explain(new Error('another')), explain(null), explain({ code: 'ride_not_found' })],
  }),
)
`

test('a shop catches and retries the errors of its sandbox as those of the service', async () => {
  await builtProgram()
  const folder = await makeTempFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(ROOT, join(folder, 'node_modules/dray'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const { compilerOptions } = JSON.parse(SETTINGS) as { compilerOptions: object }
  const options = { ...compilerOptions, types: [], outDir: 'out', rootDir: '.' }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  writeFileSync(join(folder, 'shop.ts'), SHOP)
  writeFileSync(join(folder, 'shop-test.ts'), TEST)

  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [tsc, '-p', folder]).catch((error: unknown) => error)
  expect(compiled).toMatchObject({ stdout: '', stderr: '' })
  const { stdout } = await run(process.execPath, [join(folder, 'out/shop-test.js')])

  const unknown = 'DrayError, ride_not_found, 404, false'
  expect(JSON.parse(stdout)).toEqual({
    sent: [true],
    isOneClass: true,
    failed: 'DrayError, service_unavailable, 503, true',
    wrong: expect.stringMatching(/^DrayError, invalid_request, 400, false, : /) as string,
    refusals: [unknown, unknown],
    isInstance: [true, true],
    others: ['not of dray', 'not of dray', 'not of dray'],
  })
})

test('an error of another copy of the program counts as one of its own', () => {
  const copy = Object.defineProperty(new Error('gone'), Symbol.for('dray.DrayError'), { value: true })
  expect(copy).toBeInstanceOf(AppError)
  class Stopped extends AppError {}
  expect(copy).not.toBeInstanceOf(Stopped)
  expect(new AppError('usage', 'wrong')).not.toBeInstanceOf(Stopped)
  expect(new Stopped('usage', 'wrong')).toBeInstanceOf(AppError)
  expect(String(new Stopped('usage', 'wrong'))).toBe('DrayError: wrong')
})
