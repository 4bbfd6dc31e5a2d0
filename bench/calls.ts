/** The calls of the measurements, and their bytes. */
import { batchBody } from './manifests.ts'

const MARK = 'bench00000000'

export type BenchCall = { name: string; method: 'GET' | 'POST'; path: string; body?: string }

/** The address of the service, and the caller's token. */
export type ServiceAddress = { url: string; token: string }

/** Returns the calls, with ids from the fixture. */
export async function listCalls({ url, token }: ServiceAddress): Promise<BenchCall[]> {
  const near = '/v1/food/merchants?latitude=51.5129&longitude=-0.0823'
  const found = await fetch(`${url}${near}`, { headers: { authorization: `Bearer ${token}` } })
  const { data } = (await found.json()) as { data: { merchant_id: string }[] }
  const [parcel] = (JSON.parse(batchBody(1, MARK)) as { shipments: object[] }).shipments
  return [
    { name: 'get_membership_status', method: 'GET', path: '/v1/me/membership' },
    { name: 'search_restaurants', method: 'GET', path: near },
    {
      name: 'get_restaurant_menu',
      method: 'GET',
      path: `/v1/food/merchants/${data[0]?.merchant_id}/menu`,
    },
    { name: 'list_shipments', method: 'GET', path: '/v1/shipments?limit=25' },
    { name: 'create_shipment', method: 'POST', path: '/v1/shipments', body: JSON.stringify(parcel) },
  ]
}

let made = 0

/** Returns a function that makes the bytes of a call. Each parcel has its own reference and key. */
export function requests({ url, token }: ServiceAddress, { method, path, body }: BenchCall): () => Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${token}\r\n`
  if (body === undefined) {
    const bytes = Buffer.from(`${head}\r\n`)
    return () => bytes
  }
  const start = `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return () => {
    const mark = `bench${String((made += 1)).padStart(8, '0')}`
    return Buffer.from(`${start}Idempotency-Key: ${mark}\r\n\r\n${body.replace(MARK, mark)}`)
  }
}
