import type { ShipmentParty } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import { cached } from '../../../db/read-cache.ts'
import { defineRow, defineTable } from '../../../db/table.ts'
import type { RateCard } from '../rules/rates.ts'

/** The terms of an agreement: its prices, and the default sender address of its parcels. */
export type Terms = { card: RateCard; sender: ShipmentParty }

const RATE_CARDS = defineTable<{ rate_card_id: string; version: number; doc: RateCard }>({
  name: 'rate_cards',
  key: 'rate_card_id',
  columns: { rate_card_id: 'text', version: 'integer', doc: 'json' },
})

type Agreement = { agreement_id: string; rate_card_id: string; doc: Pick<Terms, 'sender'> }

const AGREEMENTS = defineTable<Agreement>({
  name: 'carrier_agreements',
  key: 'agreement_id',
  columns: { agreement_id: 'text', rate_card_id: 'text', doc: 'json' },
})

const toTerms = defineRow<{ agreement: Agreement['doc']; card: RateCard }>({
  agreement: 'json',
  card: 'json',
})

/** Returns the terms of an agreement; undefined when there is no such carrier agreement. */
export async function findCarrierTerms(tx: Tx, agreementId: string): Promise<Terms | undefined> {
  const tables = ['carrier_agreements', 'rate_cards']
  return cached(tx, { key: `terms ${agreementId}`, tables, holds: () => true }, () =>
    readTerms(tx, agreementId),
  )
}

async function readTerms(tx: Tx, agreementId: string): Promise<Terms | undefined> {
  const row = await tx.get(
    `select a.doc as agreement, c.doc as card from carrier_agreements a
     join rate_cards c on c.rate_card_id = a.rate_card_id where a.agreement_id = $1`,
    agreementId,
  )
  if (row === undefined) return undefined
  const { card, agreement } = toTerms(row)
  return { card, sender: agreement.sender }
}

export async function insertRateCard(tx: Tx, card: RateCard): Promise<void> {
  await RATE_CARDS.insert(tx, [{ rate_card_id: card.rate_card_id, version: card.version, doc: card }])
}

/** Writes an agreement: its rate card, its sender, and the hubs it may use. */
export async function insertAgreement(
  tx: Tx,
  agreementId: string,
  { rateCardId, sender, hubIds }: { rateCardId: string; sender: ShipmentParty; hubIds: readonly string[] },
): Promise<void> {
  await AGREEMENTS.insert(tx, [{ agreement_id: agreementId, rate_card_id: rateCardId, doc: { sender } }])
  await tx.insertMany(
    'agreement_hubs',
    ['agreement_id', 'hub_id'],
    hubIds.map((hubId) => [agreementId, hubId]),
  )
}
