import { describe, expect } from 'vitest'
import { acceptanceTest } from '../support/story.ts'

const PARCEL =
  "--as shipper api create_shipment --input parcel.json --yes --max-total 100 --idempotency-key one --query '{number: tracking_number, status: status}' --json"

const INPUT = {
  reference: 'A-1',
  service_level: 'next_day',
  recipient: {
    contact: { name: 'Grace Okoro', phone: '+441184960123' },
    address: { line1: '12 Friar Street', city: 'Reading', postal_code: 'RG1 1DB', country_code: 'GB' },
  },
  parcel: { weight_grams: 1400, length_mm: 300, width_mm: 200, height_mm: 100 },
}

describe('the laboratory', () => {
  acceptanceTest('keeps a sandbox, lets it go on, and brings it back', async ({ dray, write, exists }) => {
    write('parcel.json', JSON.stringify(INPUT))
    const { number } = (await dray(PARCEL)).json() as { number: string }
    const status = async (): Promise<unknown> =>
      ((await dray(`carrier show ${number} --as shipper --json`)).json() as { status: string }).status
    await dray('sandbox snapshot save before --json --query name')
    await dray('sandbox snapshot save ./before.snapshot --json --query name')
    expect(exists('before.snapshot')).toBe(true)
    await dray('sandbox clock advance 5d --json')
    expect(await status()).toBe('delivered')

    const delivered =
      "data[?resource=='parcel A-1 of carrier agreement Thames Books' && field=='status'].[old, new]"
    const differs = await dray(`sandbox diff before --exit-code --json --query "${delivered}"`, { exit: 6 })
    expect(differs.json()).toEqual([['pre_transit', 'delivered']])
    await dray('sandbox diff before ./before.snapshot --exit-code --json')

    const refused = await dray('sandbox snapshot load before --no-input', { exit: 3 })
    expect(refused.stderr).toContain('--confirm sandbox')
    expect(await status()).toBe('delivered')
    const loaded = await dray('sandbox snapshot load before --confirm sandbox --json --query service_time')
    expect(loaded.json()).toBe('2026-11-20T09:00:00.000Z')
    expect(await status()).toBe('pre_transit')
    expect((await dray('sandbox snapshot list --json --query data[].name')).json()).toEqual(['before'])

    write('broken.snapshot', '{"dray_snapshot":1}\n')
    const broken = await dray('sandbox snapshot load ./broken.snapshot --confirm sandbox', { exit: 6 })
    expect(broken.stderr).toContain('Nothing was changed')
    await dray('sandbox snapshot load nowhere --confirm sandbox', { exit: 5 })
    await dray('sandbox backup ./world.backup --json --query path')
    const restored = await dray('sandbox restore ./world.backup --confirm sandbox --quiet --fields path')
    expect(restored.stdout).toContain('world.backup')
    expect(await status()).toBe('pre_transit')
  })

  acceptanceTest('tells what its service was asked', async ({ dray, write }) => {
    write('parcel.json', JSON.stringify(INPUT))
    await dray(PARCEL)
    await dray(PARCEL)
    await dray('carrier show ZZ123456785GB --as shipper', { exit: 5 })
    const query = "--json --query 'data[].[method, operation, status, code, replayed]'"
    const log = await dray(`sandbox log --operation create_shipment ${query}`)
    expect(log.json()).toEqual([
      ['POST', 'create_shipment', 201, null, false],
      ['POST', 'create_shipment', 201, null, true],
    ])
    const missing = await dray(`sandbox log --status 404 ${query}`)
    expect(missing.json()).toEqual([['GET', 'get_shipment', 404, 'shipment_not_found', false]])
    expect((await dray(`sandbox log --status 4xx --slower 0 ${query}`)).json()).toEqual(missing.json())
    expect((await dray(`sandbox log --slower 999999999 ${query}`)).json()).toEqual([])
    const failed = await dray('sandbox log --failed --account shipper --json --query data[].operation')
    expect(failed.json()).toEqual(['get_shipment'])
    const shown = await dray('sandbox log --operation create_shipment --limit 1 --json --query length(data)')
    expect(shown.json()).toBe(1)

    const rows = `data[?calls > \`0\`].[subject, calls, seen]`
    const covered = await dray(`sandbox coverage --account shipper --json --query '${rows}'`)
    expect(covered.json()).toEqual(
      expect.arrayContaining([
        ['create_shipment', 2, ['201']],
        ['get_shipment', 1, ['404 shipment_not_found']],
        ['shipment', 2, ['pre_transit']],
      ]),
    )
    const table = await dray('sandbox coverage --account shipper')
    expect(table.stderr).toContain('statuses and refusals')
    expect(table.stderr).toContain('No call broke the API document.')
  })

  acceptanceTest('follows what its service is asked until somebody ends it', async ({ dray, start }) => {
    await dray('carrier hubs --as shipper --json --query length(data)')
    const following = start('sandbox log --follow --operation list_hubs --output ndjson')
    let text = ''
    const seen = new Promise<void>((resolve) => {
      following.onOutput((more) => {
        text += more
        if (text.split('\n').length > 2) resolve()
      })
    })
    await dray('carrier hubs --as shipper --json --query length(data)')
    await seen
    following.kill('SIGTERM')
    expect((await following.ended).exitCode).toBe(143)
    const lines = text.trimEnd().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { operation: string }).operation)).toEqual([
      'list_hubs',
      'list_hubs',
    ])
  })

  acceptanceTest('runs scenarios and says what is otherwise', async ({ dray, write, read }) => {
    write(
      'good.yaml',
      'variables: { level: next_day }\nsteps:\n  - id: parcel\n    as: shipper\n    call: create_shipment\n' +
        `    input: ${JSON.stringify({ ...INPUT, service_level: '${var.level}' })}\n    expect: { status: 201 }\n` +
        '  - advance: 5d\n    expect: { events: [shipment.delivered] }\n',
    )
    write(
      'bad.yaml',
      'name: <Bad>\nsteps:\n  - call: list_hubs\n    as: shipper\n    expect: { fields: { "length(data)": 99 } }\n',
    )
    write('broken.yaml', 'steps:\n  - call: list_hubs\n    colour: red\n')
    expect((await dray('scenario run good.yaml --ephemeral')).stdout).toContain('2 steps passed.\n')
    const rows = await dray(
      'scenario run good.yaml --ephemeral --seed 7 --set level=never --output ndjson --query data[].[step,what,result]',
      { exit: 6 },
    )
    expect(rows.stdout).toContain('"failed"')
    const bad = await dray('scenario run good.yaml bad.yaml --ephemeral --junit out.xml', { exit: 6 })
    expect(bad.stdout).toContain('expected 99')
    expect(read('out.xml')).toContain('<testsuite name="&lt;Bad&gt;"')
    // A broken file fails alone; the others run, and the results contain all of it.
    const broken = await dray('scenario run broken.yaml good.yaml none.yaml --ephemeral --junit out.xml', {
      exit: 2,
    })
    expect(broken.stdout).toContain('broken.yaml:3:13: colour is unknown\n')
    expect(broken.stdout).toContain('2 steps passed; 2 files could not be run.\n')
    expect(read('out.xml')).toContain('tests="4" failures="0" errors="2"')
    await dray('scenario run good.yaml --seed 7', { exit: 2 })
    await dray('scenario run good.yaml --ephemeral --set none=1', { exit: 2 })
    // The same file against a running service.
    expect((await dray('scenario run good.yaml --quiet')).stdout).toBe('2 steps passed.\n')
    expect((await dray('carrier list --as shipper --json --query data[].status')).json()).toEqual([
      'delivered',
    ])
  })

  acceptanceTest(
    'writes the results also when the service does not answer',
    async ({ dray, write, read }) => {
      write('one.yaml', 'steps:\n  - call: list_hubs\n  - advance: 1s\n')
      const words =
        'scenario run one.yaml one.yaml --junit out.xml --base-url http://127.0.0.1:9 --timeout 1s'
      const { stdout } = await dray(words, { exit: 11, env: { DRAY_TOKEN: 'dray_sbx_x' } })
      expect(stdout).toContain('0 steps passed, 2 failed, 2 skipped.\n')
      expect(read('out.xml')).toContain('tests="4" failures="0" errors="2" skipped="2"')
    },
  )

  acceptanceTest('records what commands did, and plays it back', async ({ dray, write, read }) => {
    write('parcel.json', JSON.stringify(INPUT))
    const { number } = (await dray(`${PARCEL} --record day.yaml`)).json() as { number: string }
    await dray('sandbox clock advance 5d --json --record day.yaml')
    await dray(`carrier show ${number} --as shipper --json --query status --record day.yaml`)
    expect(read('day.yaml')).toContain('tracking_number: ${create_shipment.tracking_number}')
    expect((await dray('scenario run day.yaml --ephemeral')).stdout).toContain('3 steps passed.\n')
    write('other.yaml', 'steps: []\n')
    await dray('carrier hubs --as shipper --record other.yaml', { exit: 2 })
  })
})
