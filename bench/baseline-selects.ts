/** The one statement that reads the rows of an answer: the baseline of a call over PostgreSQL. */
import { createHash } from 'node:crypto'
import type { BenchCall } from './calls.ts'

/** A read before which nothing else is asked; undefined for a call that writes. */
export function selectOf(
  { name, path }: BenchCall,
  token: string,
): { text: string; values: string[] } | undefined {
  const hash = createHash('sha256').update(token).digest('hex')
  const agreement = `(select a.carrier_agreement_id from tokens t join accounts a on a.account_id = t.account_id
    where t.token_hash = $1)`
  switch (name) {
    case 'get_membership_status':
      return {
        text: `select * from world w join tokens t on t.token_hash = $1
          join accounts a on a.account_id = t.account_id where w.one = 1`,
        values: [hash],
      }
    case 'search_restaurants':
      return { text: 'select * from merchants where paused_until is null order by seq limit 26', values: [] }
    case 'get_restaurant_menu':
      return {
        text: 'select * from catalog_items where merchant_id = $1 and deleted_at is null order by sort_order',
        values: [path.split('/')[4] ?? ''],
      }
    case 'list_shipments':
      return {
        text: `select * from shipments where agreement_id = ${agreement} order by created_at desc, seq desc limit 26`,
        values: [hash],
      }
    default:
      return undefined
  }
}
