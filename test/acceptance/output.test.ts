import { expect } from 'vitest'
import type { PrintedFailure, Shipments, CarrierUploadReport } from '../support/answers.ts'
import { createCommand, makeManifestCsv } from '../support/clerk.ts'
import { acceptanceTest } from '../support/story.ts'

// oxlint-disable-next-line no-control-regex -- they are what must not be there
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

acceptanceTest(
  'a list comes as JSON, as lines, as CSV, as YAML and as a table, with the same rows',
  async (told) => {
    told.write('m.csv', makeManifestCsv(3))
    await told.dray('carrier upload m.csv --yes --json')
    const { data } = (await told.dray('carrier list --json')).json<Shipments>()
    expect((await told.dray('carrier list --output json')).json<Shipments>().data).toEqual(data)
    expect((await told.dray('carrier list --output ndjson')).lines<unknown>()).toEqual(data)

    const csv = (await told.dray('carrier list --output csv --fields reference,status,price.total')).stdout
    expect(csv.split('\n')).toEqual([
      'reference,status,price.total.amount,price.total.currency',
      ...data.map(
        ({ reference, status, price }) =>
          `${reference},${status},${(price.total.amount / 100).toFixed(2)},GBP`,
      ),
      '',
    ])
    const yaml = (await told.dray('carrier list --output yaml --fields reference,status')).stdout
    expect(yaml).toContain('data:\n  - reference: R-0003\n    status: pre_transit\n')

    const table = (await told.dray('carrier list')).stdout.trimEnd().split('\n')
    expect(table).toHaveLength(4)
    expect(table[1]?.split('\t').slice(0, 4)).toEqual([data[0]?.tracking_number, 'R-0003', '', 'pre_transit'])
    expect((await told.dray('carrier list --fields reference')).stdout).toBe(
      'reference\nR-0003\nR-0002\nR-0001\n',
    )
    expect((await told.dray('carrier list --json --fields reference')).json<Shipments>().data).toEqual(
      data.map(({ reference }) => ({ reference })),
    )
    expect((await told.dray('carrier list --fields help')).stdout).toContain('price.total.amount\n')
    await told.dray('carrier list --fields nonsense', { exit: 2 })
  },
)

acceptanceTest('a query reshapes the answer', async (told) => {
  told.write('m.csv', makeManifestCsv(3))
  await told.dray('carrier upload m.csv --yes --json')
  const queried = await told.dray(
    'carrier list --json --query "data[?reference==\'R-0002\'].recipient.contact.name"',
  )
  expect(queried.json<string[]>()).toEqual(['Recipient 1'])
  expect((await told.dray('carrier list --query "length(data)"')).stdout).toBe('3\n')
  expect((await told.dray('carrier upload m.csv --yes --json --query counts.duplicate')).json<number>()).toBe(
    3,
  )
  await told.dray('carrier list --query "data["', { exit: 2 })
})

acceptanceTest('stdout holds the result and nothing else; what is said goes to stderr', async (told) => {
  told.write('m.csv', makeManifestCsv(2))
  const upload = await told.dray('carrier upload m.csv --yes --json --verbose --debug')
  expect(upload.json<CarrierUploadReport>().counts.created).toBe(2)
  expect(upload.stderr).toContain('2 rows')
  const quiet = await told.dray('carrier upload m.csv --yes --json --quiet')
  expect(quiet.stderr).toBe('')
  const failed = await told.dray('carrier show ZC473124829GB --json', { exit: 5 })
  expect(failed.json<PrintedFailure>()).toMatchObject({
    code: 'shipment_not_found',
    exit_code: 5,
    status: 404,
  })
  const people = await told.dray('carrier show ZC473124829GB', { exit: 5 })
  expect(people.stdout).toBe('')
  expect(people.stderr).toMatch(/^error: .*\nhint: /)
})

acceptanceTest('text of others never moves the cursor, and JSON keeps it whole', async (told) => {
  const evil = 'Bob\rEve\r\nTotal: \u2028£0.00'
  const inputOf = (name: string) => ({
    recipient: {
      contact: { name },
      address: {
        line1: '14 Lamb Street',
        city: 'London',
        postal_code: 'E1 6EA',
        country_code: 'GB',
        access_notes: evil,
      },
    },
    parcel: { weight_grams: 500, length_mm: 300, width_mm: 200, height_mm: 100 },
    service_level: 'next_day',
    reference: 'EVIL',
  })
  const create = 'api create_shipment --input - --yes --max-total 100 --json'
  await told.dray(create, { input: JSON.stringify(inputOf(evil)) })
  const unseen = JSON.stringify(inputOf('Eve\u001b[2J\u202e'))
  const refused = await told.dray(create, { input: unseen, exit: 6 })
  expect(refused.json<PrintedFailure>()).toMatchObject({
    code: 'hidden_characters',
    status: 422,
    errors: [{ pointer: '/recipient/contact/name', code: 'hidden_characters' }],
  })
  for (const form of ['', '--output csv', '--output yaml']) {
    const { stdout, stderr } = await told.dray(`carrier list ${form}`)
    expect(stdout + stderr, form).not.toMatch(CONTROLS)
  }
  const json = await told.dray('carrier list --json')
  expect(json.stdout).not.toMatch(CONTROLS)
  expect(json.json<Shipments>().data[0]?.recipient.contact.name).toBe(evil)
})

acceptanceTest('a reader that leaves early is no failure', async (told) => {
  told.write('m.csv', makeManifestCsv(300))
  await told.dray('carrier upload m.csv --yes --json')
  const ran = await told.shell(
    'dray carrier list --all --output ndjson | head -n 1; echo "${PIPESTATUS:-}" >/dev/null',
  )
  expect(ran.lines<unknown>()).toHaveLength(1)
  expect(ran.stderr).toBe('')
  const status = await told.shell(
    '{ dray carrier list --all --output ndjson; echo $? >&2; } | head -n 1 >/dev/null',
  )
  expect(status.stderr).toBe('0\n')
})

acceptanceTest(
  'an output that cannot be written is a failure, and what was done stays done',
  async (told) => {
    const full = await told.shell(`dray ${createCommand('A-1', '--json')} >/dev/full`, { exit: 1 })
    expect(full.stderr).toMatch(/could not be written/)
    expect((await told.dray('carrier list --json')).json<Shipments>().data).toHaveLength(1)
    // Notices for people are not results: a closed stderr stops nothing.
    await told.shell(`dray ${createCommand('A-2', '--json')} 2>&- >/dev/null`)
    expect((await told.dray('carrier list --json')).json<Shipments>().data).toHaveLength(2)
  },
)

acceptanceTest('without standard input nothing hangs: what is missing is listed at once', async (told) => {
  const missing = await told.shell('dray carrier create --to-name Ann --json <&-', { exit: 2 })
  const { errors, hint } = missing.json<PrintedFailure>()
  expect(errors.map(({ parameter }) => parameter)).toEqual(
    expect.arrayContaining([
      '--to-line1',
      '--to-city',
      '--to-postal-code',
      '--to-country',
      '--weight',
      '--service',
    ]),
  )
  expect(hint).toContain('--to-name Ann')
  const empty = await told.shell('dray carrier upload - --yes --json <&-', { exit: 2 })
  expect(empty.json<PrintedFailure>().exit_code).toBe(2)
})
