/** Links that show one resource: who makes and withdraws them, and that nobody learns more by one. */
import { get } from 'node:http'
import { describe, expect, test } from 'vitest'
import { RESOURCES } from '../../../src/areas/resources.ts'
import type { SharedView } from '../../../src/core/shared-view.ts'
import * as registry from '../../../src/generated/registry.ts'
import { newKey } from '../../support/food.ts'
import { makeParcel } from '../../support/parcel.ts'
import { serveStore } from '../../support/served.ts'
import { bookJob, timestampAt } from '../../support/services.ts'
import { makeOneOfEach, SHARED, SHARED_KINDS } from '../../support/shared.ts'
import { MAIN_ENGINES } from '../../support/stores.ts'
import { sandboxOverStore } from '../../support/world.ts'

describe.each(MAIN_ENGINES)('on $name', (engine) => {
  test('their owner alone shares and withdraws each kind, and a link shows its own alone', async () => {
    const served = await serveStore({ registry, engine, limits: { rate: { requests: 100, seconds: 60 } } })
    const world = sandboxOverStore(served.db)
    const ids = await makeOneOfEach(world)
    const tokens = Object.fromEntries(
      await Promise.all(
        ['member', 'everything', 'shipper', 'owner', 'guest'].map(async (name) => [
          name,
          await served.token(name),
        ]),
      ),
    ) as Record<string, string>
    const ask = (method: string, path: string, as?: string, body?: object): Promise<Response> =>
      fetch(served.url + path, {
        method,
        headers: as === undefined ? {} : { authorization: `Bearer ${tokens[as]}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    const share = (id: string, as?: string) => ask('POST', '/v1/shared-links', as, { resource_id: id })
    const withdraw = (id: string, as?: string) => ask('DELETE', `/v1/shared-links/${id}`, as)

    const links: string[] = []
    for (const kind of SHARED_KINDS) {
      const [id, owner] = [ids[kind], SHARED[kind].as]
      for (const stranger of Object.keys(tokens).filter((name) => name !== owner)) {
        const refused = [(await share(id, stranger)).status, (await withdraw(id, stranger)).status]
        expect({ kind, stranger, refused }).toEqual({
          kind,
          stranger,
          refused: [expect.toSatisfy((code) => code === 403 || code === 404), refused[0]],
        })
      }
      expect([(await share(id)).status, (await withdraw(id)).status]).toEqual([401, 401])
      const made = await share(id, owner)
      expect([kind, made.status]).toEqual([kind, 201])
      const { path, resource_id } = (await made.json()) as { path: string; resource_id: string }
      expect(resource_id).toBe(id)
      expect(path).toMatch(/^\/track\/dray_shr_[\w-]{43}$/)
      links.push(path)
    }

    for (const [at, kind] of SHARED_KINDS.entries()) {
      const link = links[at] ?? ''
      const page = await ask('GET', link)
      expect([page.status, page.headers.get('referrer-policy'), page.headers.get('cache-control')]).toEqual([
        200,
        'no-referrer',
        'no-store',
      ])
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(await page.text()).toContain('<meta name="robots" content="noindex" />')
      const state = (await (await ask('GET', `${link}/state`)).json()) as SharedView
      expect(state.kind).toBe(RESOURCES[kind].shared)
      // A link is no credential: neither for its own resource nor for another one.
      const secret = link.slice('/track/'.length)
      const call = await fetch(`${served.url}/v1/me/membership`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      expect(call.status).toBe(401)
    }

    // Withdrawing ends every link of the resource, and no other one.
    const [first = ''] = links
    await share(ids.food_order, 'member')
    expect(await (await withdraw(ids.food_order, 'member')).json()).toEqual({
      resource_id: ids.food_order,
      withdrawn: 2,
    })
    const never = `/track/dray_shr_${'x'.repeat(43)}`
    const [gone, unknown] = await Promise.all([ask('GET', first), ask('GET', never)])
    expect([gone.status, unknown.status]).toEqual([404, 404])
    expect(await gone.text()).toBe(await unknown.text())
    for (const rest of ['/state', '/events', '/pictures/0'])
      expect((await ask('GET', first + rest)).status).toBe(404)
    expect((await ask('GET', links[1] ?? '')).status).toBe(200)

    // A visitor who asks without end shuts out neither the others nor the owner.
    let answered = 200
    for (let visit = 0; visit < 300 && answered === 200; visit++)
      answered = (await ask('GET', `${links[2]}/state`)).status
    expect([answered, (await ask('GET', '/v1/me/membership', 'member')).status]).toEqual([429, 200])

    const elsewhere = await new Promise<number | undefined>((resolve) => {
      const url = `${served.url}${links[2]}/state`
      get(url, { localAddress: '127.0.0.2' }, (response) => resolve(response.resume().statusCode))
    })
    expect([elsewhere, (await ask('GET', `${links[1]}/state`)).status]).toEqual([200, 200])

    // An address that guesses is soon told to wait, and right links are shown there all the same.
    let status = 404
    for (let guess = 0; guess < 40 && status === 404; guess++)
      status = (await ask('GET', `${never}/state`)).status
    const [wrong, right] = [await ask('GET', never), await ask('GET', links[1] ?? '')]
    expect([status, wrong.status, right.status]).toEqual([429, 429, 200])

    // A week after its end nobody sees it any more, nor anything else after 90 days.
    await world.advance(12 * 86_400_000)
    expect((await ask('GET', links[1] ?? '')).status).toBe(404)

    // No secret is in the log or in the store.
    const rows = await served.db.read((tx) => tx.all('select * from shared_links'))
    expect(JSON.stringify([served.log, rows])).not.toContain('dray_shr_')
    expect(served.log.some(({ path }) => path === '/track/{link}')).toBe(true)

    expect(served.bugs).toEqual([])
  })
})

test('a link shows the label of a return until it is sent, and that of no other parcel', async () => {
  const served = await serveStore({ registry })
  const world = sandboxOverStore(served.db)
  const token = await served.token('shipper', { expiresAt: Date.UTC(2030, 0) })
  const share = async (resource_id: string) => {
    const made = await fetch(`${served.url}/v1/shared-links`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ resource_id }),
    })
    const { path } = (await made.json()) as { path: string }
    return {
      state: () => fetch(`${served.url}${path}/state`),
      label: () => fetch(`${served.url}${path}/label`),
    }
  }
  const as = 'shipper'
  const parcel = (await world.ok('create_shipment', makeParcel(), { as })).tracking_number
  const box = (await world.ok('create_return', { tracking_number: parcel }, { as })).tracking_number ?? ''
  await world.advance(4 * 86_400_000)
  await world.ok('cancel_shipment', { tracking_number: box }, { as })
  const sent = { as, scenario: 'return_sent;after=1d' }
  const made = await world.ok('create_return', { tracking_number: parcel, label: 'link' }, sent)
  const back = await share(made.tracking_number ?? '')
  for (const other of [await share(parcel), await share(box)]) {
    expect((await other.label()).status).toBe(404)
    expect(await (await other.state()).json()).not.toHaveProperty('label')
  }
  expect(await (await back.state()).json()).toMatchObject({ label: true, eta: null })
  const label = await back.label()
  expect([label.status, label.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect((await label.text()).slice(0, 5)).toBe('%PDF-')
  await world.advance(2 * 86_400_000)
  expect((await back.label()).status).toBe(404)
})

test('a link gives a visit to calendars, which see that it was moved and called off, and nothing of its place', async () => {
  const served = await serveStore({ registry })
  const world = sandboxOverStore(served.db)
  const starts_at = timestampAt('10:00', '2026-11-24')
  const { booking_id } = await bookJob(world, { starts_at }, { as: 'member' })
  const made = await fetch(`${served.url}/v1/shared-links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await served.token('member')}` },
    body: JSON.stringify({ resource_id: booking_id }),
  })
  const { path } = (await made.json()) as { path: string }
  const read = async () => {
    const answer = await fetch(`${served.url}${path}/calendar`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    return answer.text()
  }
  const state = async () => (await fetch(`${served.url}${path}/state`)).json()
  expect(await state()).toMatchObject({ calendar: true })
  const file = await read()
  expect(file).toContain(
    '\r\nSEQUENCE:0\r\nDTSTART:20261124T100000Z\r\nDTEND:20261124T120000Z\r\nSTATUS:CONFIRMED\r\n',
  )
  for (const secret of [booking_id, 'LOCATION', 'DESCRIPTION', 'Ana', '36.00'])
    expect(file).not.toContain(secret)
  const input = { booking_id, starts_at: timestampAt('14:00', '2026-11-24') }
  await world.ok('move_booking', input, { as: 'member', key: newKey() })
  expect(await read()).toContain('\r\nSEQUENCE:1\r\nDTSTART:20261124T140000Z\r\n')
  await world.ok('cancel_booking', { booking_id }, { as: 'member', key: newKey() })
  const last = await read()
  expect(last).toContain('\r\nSEQUENCE:2\r\n')
  expect(last).toContain('\r\nSTATUS:CANCELLED\r\n')
  expect(new Set([file, last].map((each) => /UID:.*/.exec(each)?.[0])).size).toBe(1)
  expect(await state()).not.toHaveProperty('calendar')
})
