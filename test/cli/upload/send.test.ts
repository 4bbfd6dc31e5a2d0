/** An upload that stopped goes on under its keys: a parcel that may have been created must not be created again. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { carrierUpload } from '../../../src/commands/carrier/upload.command.ts'
import { AppError, type ErrorCode, ERRORS } from '../../../src/core/errors.ts'
import { makeManifestCsv } from '../../support/clerk.ts'
import { embeddedThrough } from '../../support/embedded-client.ts'
import { type Home, makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'

const CODES = Object.keys(ERRORS) as ErrorCode[]
/** Errors that may pass, for which the same command is to be repeated. */
const PASSING = CODES.filter((code) => new AppError(code, 'Said.').entry.retryable === true)

/** Uploads; the first batch meets an error, before or after it is carried out. Returns the keys, and what is remembered. */
async function upload(home: Home, fault?: { code: ErrorCode; carriedOut?: boolean }) {
  const path = join(home.cwd, 'm.csv')
  writeFileSync(path, makeManifestCsv(2))
  const keys: (string | undefined)[] = []
  const openClient = embeddedThrough(home, (call) => async (operation, input, options) => {
    const isBatch = operation === 'create_shipments_batch' && input['price_only'] !== true
    if (isBatch) keys.push(options?.idempotencyKey)
    if (!isBatch || fault === undefined) return call(operation, input, options)
    if (fault.carriedOut === true) await call(operation, input, options)
    throw new AppError(fault.code, 'Said.')
  })
  const ran = await runCommand(home, carrierUpload, [path, '--yes', '--json', '--results', 'none'], {
    openClient,
  })
  const folder = join(home.paths.state, 'uploads')
  return { ran, keys, remembered: readdirSync(folder).length }
}

test('one whose first batch met an error that passes goes on under the same key, and creates each parcel once', async () => {
  expect(PASSING).toEqual(expect.arrayContaining(['rate_limited', 'service_unavailable', 'network_error']))
  for (const code of PASSING) {
    using home = makeHome()
    const first = await upload(home, { code, carriedOut: true })
    expect([code, first.keys.length, first.remembered]).toEqual([code, 1, 1])
    const again = await upload(home)
    expect([code, again.keys, again.remembered]).toEqual([code, first.keys, 0])
    expect(again.ran.json()).toMatchObject({ counts: { created: 2, rejected: 0 } })
  }
})

test('one that was refused for good is forgotten, unless it goes on after a loss', async () => {
  using home = makeHome()
  expect((await upload(home, { code: 'agreement_required' })).remembered).toBe(1)
  const lost = await upload(home, { code: 'network_error', carriedOut: true })
  expect((await upload(home, { code: 'invalid_token' })).remembered).toBe(1)
  expect((await upload(home)).keys).toEqual(lost.keys)
  using other = makeHome()
  expect((await upload(other, { code: 'invalid_request' })).remembered).toBe(0)
})
