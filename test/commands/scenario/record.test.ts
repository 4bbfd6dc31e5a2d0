import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createShipment } from '../../../src/areas/carrier/create_shipment.ts'
import { searchRestaurants } from '../../../src/areas/food/search_restaurants.ts'
import { quoteRide } from '../../../src/areas/rides/quote_ride.ts'
import { quoteTask } from '../../../src/areas/tasks/quote_task.ts'
import type { CommandContext } from '../../../src/cli/cli.ts'
import type { Client } from '../../../src/client/client.ts'
import type { AnyCall } from '../../../src/client/client.ts'
import type { Scenario } from '../../../src/commands/scenario/file.ts'
import { startRecording } from '../../../src/commands/scenario/record.ts'
import { runScenario } from '../../../src/commands/scenario/run.ts'
import { openEmbedded } from '../../../src/host/embedded.ts'
import { NO_FLAGS } from '../../support/cli-globals.ts'
import { exampleInput } from '../../support/example-input.ts'
import { scenarioOf } from '../../support/scenarios.ts'
import { makeTempFolder } from '../../support/stores.ts'

let drawn = 0

async function open(store: string, at = '2026-11-20T09:00:00Z', account = 'everything'): Promise<Client> {
  return openEmbedded(
    { kind: 'embedded', store, account },
    {
      now: () => 0,
      random: (count) => new Uint8Array(count).fill(++drawn),
      weakRandomBytes: (count) => new Uint8Array(count).fill(++drawn),
      env: { DRAY_NOW: at },
      firstRun() {},
      debug() {},
    },
  )
}

/** Records as a command does: starts, calls, adds to the file. */
async function command(
  folder: string,
  file: string,
  work: (client: Omit<Client, 'call'> & { call: AnyCall }) => Promise<unknown>,
  flags: Partial<CommandContext['globals']> = {},
): Promise<string[]> {
  const said: string[] = []
  const cli = {
    say: async (text: string) => void said.push(text),
    runtime: { cwd: folder, paths: { state: join(folder, 'state') } },
    globals: { ...NO_FLAGS, ...flags },
    settings: {
      target: { kind: 'embedded', store: join(folder, 'dray.db'), account: flags.as ?? 'everything' },
    },
  } as unknown as CommandContext
  const recorder = await startRecording(file, cli)
  const client = await open(join(folder, 'dray.db'), undefined, flags.as)
  try {
    await work(await recorder.listenTo(client)).catch(() => {})
  } finally {
    await recorder.write()
    await client.close()
  }
  return said
}

/** Runs a scenario in a new store; returns what failed. */
async function failuresOf(scenario: Scenario): Promise<unknown[]> {
  const fresh = await open(':memory:', scenario.at)
  const { results } = await runScenario(fresh, scenario, {
    variables: {},
    keyOf: (step) => `step-${step}`,
    failFast: false,
    elapsed: () => 0,
  })
  await fresh.close()
  return results.flatMap(({ failures }) => failures)
}

describe('a recording', () => {
  test('grows over several commands, refers to what earlier answers gave, and plays back', async () => {
    const folder = await makeTempFolder()
    const file = join(folder, 'a.yaml')
    let number = ''
    await command(folder, 'a.yaml', async (client) => {
      const { value } = await client.call('create_shipment', exampleInput(createShipment), {
        scenario: 'delayed',
      })
      number = (value as { tracking_number: string }).tracking_number
    })
    await command(folder, 'a.yaml', (client) => client.control('advance_clock', { by: '5d' }))
    await command(folder, 'a.yaml', async (client) => {
      for (let time = 0; time < 3; time++) await client.call('get_shipment', { tracking_number: number })
      await client.control('get_clock', {})
      await client.control('mint_token', { account: 'shipper' })
    })
    await command(folder, 'a.yaml', (client) => client.call('cancel_shipment', { tracking_number: number }), {
      as: 'shipper',
    })

    expect(statSync(file).mode & 0o777).toBe(0o600)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('dray_sbx_')
    const scenario = scenarioOf(text, file)
    expect(scenario).toMatchObject({ seed: '20261120', at: '2026-11-20T09:00:00.000Z', as: 'everything' })
    expect(scenario.steps.map(({ call, advance }) => call ?? advance)).toEqual([
      'create_shipment',
      '5d',
      'get_shipment',
      'cancel_shipment',
    ])
    expect(scenario.steps[0]).toMatchObject({
      scenario: 'delayed',
      expect: { fields: { status: 'pre_transit' } },
    })
    // The file contains only steps: the recorder's memory is stored elsewhere.
    expect(text.split('\n').filter((line) => line.includes('#'))).toHaveLength(1)
    expect(scenario.steps[2]).toMatchObject({
      input: { tracking_number: '${create_shipment.tracking_number}' },
    })
    expect(scenario.steps[3]).toMatchObject({ as: 'shipper', expect: { status: expect.any(Number) } })

    expect(await failuresOf(scenario)).toEqual([])
  })

  test('has the time that passed in between, and no payment token but the tests’', async () => {
    const folder = await makeTempFolder()
    await command(folder, 'a.yaml', (client) => client.call('quote_task', exampleInput(quoteTask)))
    const client = await open(join(folder, 'dray.db'))
    await client.control('advance_clock', { by: '90m' })
    await client.close()
    await command(folder, 'a.yaml', (opened) => opened.call('quote_ride', exampleInput(quoteRide)))
    await command(folder, 'a.yaml', (opened) =>
      opened.call('place_food_order', {
        quote_id: 'quo_${x}',
        payment: { method: 'card', payment_token: 'pm_live_secret' },
      }),
    )
    const text = readFileSync(join(folder, 'a.yaml'), 'utf8')
    expect(text).not.toContain('pm_live_secret')
    expect(scenarioOf(text, 'a.yaml').steps).toMatchObject([
      { call: 'quote_task' },
      { advance_to: '2026-11-20T10:30:00.000Z' },
      { call: 'quote_ride' },
      { call: 'place_food_order', input: { quote_id: 'quo_$${x}', payment: { payment_token: 'tok_ok' } } },
    ])
  })

  test('leaves out what was only looked at, and keeps in its place what a later command refers to', async () => {
    const folder = await makeTempFolder()
    let order: Record<string, unknown> = {}
    expect(await command(folder, 'a.yaml', (client) => client.call('list_task_types', {}))).toEqual([
      'Nothing was recorded in a.yaml: this command only read data. A read is recorded when a later step refers to it.',
    ])
    expect(await command(folder, 'a.yaml', (client) => client.control('get_clock', {}))).toEqual([
      'Nothing was recorded in a.yaml: this command did nothing that a scenario can repeat.',
    ])
    expect(existsSync(join(folder, 'a.yaml'))).toBe(false)
    await command(folder, 'a.yaml', async (client) => {
      const { value: found } = await client.call('search_restaurants', exampleInput(searchRestaurants))
      const { merchant_id } = (found as { data: { merchant_id: string }[] }).data[0] ?? {}
      const { value: menu } = await client.call('get_restaurant_menu', { merchant_id, available_only: true })
      const { categories } = menu as { categories: { items: { item_id: string }[] }[] }
      order = {
        merchant_id,
        fulfillment_type: 'pickup',
        items: [{ item_id: categories[0]?.items[0]?.item_id, quantity: 1 }],
      }
    })
    await command(folder, 'a.yaml', (client) => client.call('list_business_orders', {}))
    await command(folder, 'a.yaml', (client) => client.call('quote_ride', exampleInput(quoteRide)))
    await command(folder, 'a.yaml', (client) => client.call('list_hubs', {}))
    await command(folder, 'a.yaml', (client) => client.control('advance_clock', { by: '1h' }))
    expect(await command(folder, 'a.yaml', (client) => client.call('quote_food_order', order))).toEqual([])
    const text = readFileSync(join(folder, 'a.yaml'), 'utf8')
    const scenario = scenarioOf(text, 'a.yaml')
    expect(scenario.steps).toMatchObject([
      { call: 'search_restaurants' },
      { call: 'get_restaurant_menu', input: { merchant_id: '${search_restaurants.data[0].merchant_id}' } },
      { call: 'quote_ride' },
      { advance: '1h' },
      {
        call: 'quote_food_order',
        input: {
          merchant_id: '${search_restaurants.data[0].merchant_id}',
          items: [{ item_id: '${get_restaurant_menu.categories[0].items[0].item_id}' }],
        },
      },
    ])
    expect(await failuresOf(scenario)).toEqual([])
  })

  test('refers to the price of the tier that was taken, and to no time or amount that is equal by chance', async () => {
    const folder = await makeTempFolder()
    let index = 0
    await command(folder, 'a.yaml', async (client) => {
      const window = { starts_at: '2026-11-21T09:00:00.000Z', ends_at: '2026-11-21T13:00:00.000Z' }
      await client.call('quote_task', { ...exampleInput(quoteTask), window })
      await client.call('quote_task', { ...exampleInput(quoteTask), window, estimated_minutes: 40 })
      const { value } = await client.call('quote_ride', exampleInput(quoteRide))
      const { quote_id, fares } = value as { quote_id: string; fares: { tier: string; fare: object }[] }
      index = fares.findIndex(({ tier }) => tier === 'economy')
      const expected_total = fares[index]?.fare
      // The accessible car costs the same.
      expect(fares.filter(({ fare }) => isDeepStrictEqual(fare, expected_total))).toHaveLength(2)
      const payment = { method: 'card', payment_token: 'tok_ok' }
      await client.call('request_ride', { quote_id, tier: 'economy', expected_total, payment })
    })
    const { steps } = scenarioOf(readFileSync(join(folder, 'a.yaml'), 'utf8'), 'a.yaml')
    expect(steps[3]?.input).toMatchObject({ expected_total: `\${quote_ride.fares[${index}].fare}` })
    expect(JSON.stringify(steps[1]?.input)).not.toContain('${')
  })

  test('names what a quote said instead of repeating it', async () => {
    const folder = await makeTempFolder()
    await command(folder, 'a.yaml', async (client) => {
      const quoted = await client.call('quote_task', exampleInput(quoteTask))
      const { quote_id, total } = quoted.value as { quote_id: string; total: object }
      await client.call('create_task', {
        quote_id,
        expected_total: total,
        payment: { method: 'card', payment_token: 'tok_ok' },
      })
    })
    const { steps } = scenarioOf(readFileSync(join(folder, 'a.yaml'), 'utf8'), 'a.yaml')
    expect(steps[1]).toMatchObject({
      input: { quote_id: '${quote_task.quote_id}', expected_total: '${quote_task.total}' },
    })
  })

  test('never writes over a file that is something else', async () => {
    const folder = await makeTempFolder()
    const mine = 'steps:\n  - advance: 1s\n'
    writeFileSync(join(folder, 'mine.yaml'), mine)
    await expect(command(folder, 'mine.yaml', async () => {})).rejects.toMatchObject({
      code: 'file_error',
      exitCode: 2,
    })
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toBe(mine)
  })
})
