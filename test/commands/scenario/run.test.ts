import { describe, expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { stepsToJunit } from '../../../src/commands/scenario/junit.ts'
import { runScenario, type StepResult } from '../../../src/commands/scenario/run.ts'
import { describeStep, summary } from '../../../src/commands/scenario/text.ts'
import { AppError } from '../../../src/core/errors.ts'
import { openEmbedded } from '../../../src/host/embedded.ts'
import { scenarioOf } from '../../support/scenarios.ts'

async function openFresh(): Promise<Client> {
  let drawn = 0
  return openEmbedded(
    { kind: 'embedded', store: ':memory:', account: 'everything' },
    {
      now: () => 0,
      random: (count) => new Uint8Array(count).fill(++drawn),
      weakRandomBytes: (count) => new Uint8Array(count).fill(++drawn),
      env: { DRAY_NOW: '2026-11-20T09:00:00Z' },
      firstRun() {},
      debug() {},
    },
  )
}

const run = async (
  text: string,
  { failFast = false, client }: { failFast?: boolean; client?: Client } = {},
) => {
  const scenario = scenarioOf(text, 'a.yaml')
  const service = client ?? (await openFresh())
  try {
    const ran = await runScenario(service, scenario, {
      variables: scenario.variables,
      keyOf: (step) => `step-${step}`,
      failFast,
      elapsed: () => 0,
    })
    return ran.results
  } finally {
    await service.close()
  }
}

const outcomes = (results: readonly StepResult[]): string[] => results.map(({ result }) => result)

const PARCEL = `
  - id: parcel
    call: create_shipment
    as: shipper
    idempotency_key: one
    input: &parcel
      reference: A-1
      service_level: next_day
      recipient:
        contact: { name: Grace Okoro, phone: '+441184960123' }
        address: { line1: 12 Friar Street, city: Reading, postal_code: RG1 1DB, country_code: GB }
      parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 }`

describe('a scenario', () => {
  test('goes from answer to answer, by its accounts, keys and the clock', async () => {
    const results = await run(`variables: { limit: 2 }
steps:${PARCEL}
    expect: { status: 201, replayed: false, events: [shipment.created] }
  - call: create_shipment
    as: shipper
    idempotency_key: one
    input: *parcel
    expect: { replayed: true, fields: { tracking_number: '\${parcel.tracking_number}' }, events: [] }
  - call: get_shipment
    as: member
    input: { tracking_number: '\${parcel.tracking_number}' }
    expect: { status: 403, code: insufficient_scope }
  - control: step_resource
    input: { resource_id: '\${parcel.tracking_number}' }
    expect: { fields: { event: collected }, events: [{ type: shipment.collected, resource: '\${parcel.tracking_number}' }] }
  - { id: later, advance_to: '\${now+3d}' }
  - call: list_shipments
    as: shipper
    input: { limit: '\${var.limit}' }
    expect: { fields: { 'data[0].status': delivered } }
`)
    expect(results.flatMap(({ failures }) => failures)).toEqual([])
    expect(outcomes(results)).toEqual(Array(6).fill('passed'))
  })

  test('orders faults, and a change is made once if its response is lost', async () => {
    const results = await run(`steps:${PARCEL}
    fault: after_commit
    expect: { code: network_error, events: [shipment.created] }
  - call: create_shipment
    as: shipper
    idempotency_key: one
    input: *parcel
    expect: { replayed: true, events: [] }
  - { control: add_fault, input: { operation: list_shipments, status: 503, times: 1 } }
  - { call: list_shipments, as: shipper, expect: { code: service_unavailable } }
  - { call: list_shipments, as: shipper, expect: { fields: { 'length(data)': 1 } } }
`)
    expect(results.flatMap(({ failures }) => failures)).toEqual([])
  })

  test('says what was expected and what came, and leaves out what cannot be any more', async () => {
    const text = `steps:
  - { id: none, call: get_shipment, input: { tracking_number: ZZ123456785GB } }
  - { call: get_shipment, name: It follows, input: { tracking_number: '\${none.tracking_number}' } }
  - id: hubs
    call: list_hubs
    expect: { status: 201, code: rate_limited, fields: { 'length(data)': 3, 'data[0].nothing': { above: 4 } }, events: [shipment.created] }
  - call: list_hubs
    expect: { fields: { 'length(data)': '\${hubs.data[99].hub_id}' } }`
    const results = await run(text)
    expect(outcomes(results)).toEqual(['failed', 'skipped', 'failed', 'skipped'])
    expect(results[0]?.failures[0]).toMatchObject({
      where: 'step',
      expected: 'success',
      actual: expect.stringContaining('404 shipment_not_found'),
    })
    expect(results[2]?.failures.map(({ where }) => where)).toEqual([
      'status',
      'code',
      'length(data)',
      'data[0].nothing',
      'events',
    ])
    const said = results.map(describeStep).join('')
    expect(said).toContain('  FAIL  1 none (get_shipment) at a.yaml:2\n')
    expect(said).toContain('  skip  2 It follows (get_shipment) at a.yaml:3\n          the step none did not')
    expect(said).toContain('          length(data)\n            expected 3\n            got      5\n')
    expect(summary(results, false)).toBe('0 steps passed, 2 failed, 2 skipped.\n')
    expect(outcomes(await run(text, { failFast: true }))).toEqual(['failed', 'skipped', 'skipped', 'skipped'])
  })

  test('what follows from a skipped step is skipped too', async () => {
    const results = await run(`steps:
  - { id: none, call: get_shipment, input: { tracking_number: ZZ123456785GB } }
  - { id: next, call: get_shipment, input: { tracking_number: '\${none.tracking_number}' } }
  - { call: get_shipment, input: { tracking_number: '\${next.tracking_number}' } }`)
    expect(outcomes(results)).toEqual(['failed', 'skipped', 'skipped'])
  })

  test('a reference that leads nowhere fails its step, with what there is', async () => {
    const [, result] = await run(
      "steps:\n  - { id: hubs, call: list_hubs }\n  - { call: get_shipment, input: { tracking_number: '${hubs.dat}' } }",
    )
    expect(result).toMatchObject({ result: 'failed', line: 3 })
    expect(result?.failures[0]?.actual).toContain('among data, has_more, next_cursor')
  })

  test('a service that cannot be reached is no failure of the scenario', async () => {
    const client = await openFresh()
    const cut: Client = {
      ...client,
      call: () => Promise.reject(new AppError('network_error', 'Nobody there.')),
    }
    const results = await run('steps:\n  - call: list_hubs\n  - advance: 1s', { client: cut })
    expect(outcomes(results)).toEqual(['broken', 'skipped'])
    expect(results[0]?.failures).toEqual([{ where: 'call', expected: 'an answer', actual: 'Nobody there.' }])
  })
})

describe('JUnit', () => {
  const result: StepResult = {
    file: 'a.yaml',
    scenario: 'A & "B"',
    step: 1,
    id: null,
    name: '<one>',
    what: 'list_hubs',
    line: 3,
    included_at: null,
    result: 'passed',
    failures: [],
    duration_ms: 1500,
  }

  test('has a suite for each file and a case for each step, everything escaped', () => {
    const failure = { where: 'x', expected: ']]>\u0000\u001b[31m', actual: "'\ud800'\n" }
    const xml = stepsToJunit([
      result,
      { ...result, step: 2, result: 'failed', failures: [failure] },
      { ...result, file: 'b.yaml', result: 'skipped', failures: [{ ...failure, actual: 'not now' }] },
    ])
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="dray" tests="3" failures="1" errors="0" skipped="1" time="4.500">
  <testsuite name="A &amp; &quot;B&quot;" file="a.yaml" tests="2" failures="1" errors="0" skipped="0" time="3.000">
    <testcase classname="a.yaml" name="1 &lt;one&gt;" file="a.yaml" line="3" time="1.500"/>
    <testcase classname="a.yaml" name="2 &lt;one&gt;" file="a.yaml" line="3" time="1.500"><failure message="x: expected ]]&gt;\ufffd\ufffd[31m, got &apos;\ufffd&apos;&#10;" type="list_hubs">a.yaml:3&#10;x: expected ]]&gt;\ufffd\ufffd[31m, got &apos;\ufffd&apos;&#10;</failure></testcase>
  </testsuite>
  <testsuite name="A &amp; &quot;B&quot;" file="b.yaml" tests="1" failures="0" errors="0" skipped="1" time="1.500">
    <testcase classname="b.yaml" name="1 &lt;one&gt;" file="b.yaml" line="3" time="1.500"><skipped message="not now"/></testcase>
  </testsuite>
</testsuites>
`)
  })
})
