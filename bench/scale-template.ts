/** Makes a few parcels, orders and rides of every age through the service, for `scale-world.ts` to copy. */
import { batchBody } from './manifests.ts'
import { dray, runChild, startService } from './program.ts'
import { openFiller, SEQ } from './scale-world.ts'

type Answer = {
  tracking_number: string
  quote_id: string
  data: { item_id: string; merchant_id: string }[]
}

const PAYMENT = { method: 'card', payment_token: 'tok_ok' }
const ORDERS = 5

/** Finished things come first, then those under way. */
export async function makeTemplates(home: string, flags: readonly string[], store: string): Promise<void> {
  await runChild(dray(home, 'sandbox', 'supply', 'unlimited', '--json', ...flags))
  for (const [age, stay] of [
    ['old', '20d'],
    ['young', '6h'],
    ['new', undefined],
  ] as const) {
    await makeSome(home, flags, age)
    if (stay !== undefined)
      await runChild(dray(home, 'sandbox', 'clock', 'advance', stay, '--json', ...flags))
  }
  await shorten(store)
}

/** Millions of proofs and used quotes would fill the disk, and no list reads them. */
async function shorten(store: string): Promise<void> {
  const { all, close } = await openFiller(store)
  await all(`update world set seq = ${2 * SEQ}`)
  await all(`update quotes set doc = '{}' where used_by is not null`)
  for (const { tracking_number, doc } of await all('select tracking_number, doc from shipments')) {
    const short = JSON.stringify({ ...(JSON.parse(String(doc)) as object), proof_of_delivery: null })
    await all(
      `update shipments set doc = '${short.replaceAll("'", "''")}' where tracking_number = '${String(tracking_number)}'`,
    )
  }
  await close()
}

async function makeSome(home: string, flags: readonly string[], age: string): Promise<void> {
  const { stdout } = await runChild(
    dray(home, 'sandbox', 'account', 'token', 'everything', '--json', ...flags),
  )
  const { token } = JSON.parse(stdout) as { token: string }
  const service = await startService(dray(home, 'serve', '--port', '0', '--json', '--quiet', ...flags))
  let keys = 0
  const send = async (path: string, body?: string): Promise<Answer> => {
    const answer = await fetch(`${service.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': `${age}-${(keys += 1)}`,
      },
      ...(body !== undefined && { body }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const post = (path: string, body: object): Promise<Answer> => send(path, JSON.stringify(body))
  try {
    await send('/v1/shipments/batch', batchBody(100, age))
    const [one = {}] = (JSON.parse(batchBody(1, `${age}-x`)) as { shipments: object[] }).shipments
    const { tracking_number } = await post('/v1/shipments', one)
    if (age !== 'new') await post(`/v1/shipments/${tracking_number}/cancel`, {})
    const [bread] = (await send('/v1/business/catalog/items?q=Focaccia')).data
    for (let each = 0; each < ORDERS; each++) {
      const { quote_id } = await post('/v1/food/orders/quote', {
        merchant_id: bread?.merchant_id,
        fulfillment_type: 'pickup',
        items: [{ item_id: bread?.item_id, quantity: 1 + each }],
      })
      await post('/v1/food/orders', { quote_id, payment: PAYMENT })
    }
    const { quote_id } = await post('/v1/rides/quote', {
      pickup: { location: { latitude: 51.5129, longitude: -0.0823 }, name: 'Lime Street' },
      dropoff: { location: { latitude: 51.5308, longitude: -0.1238 }, name: "King's Cross" },
    })
    if (age !== 'new') await post('/v1/rides', { quote_id, tier: 'economy', payment: PAYMENT })
  } finally {
    await service.stop()
  }
}
