import type { Party } from '../../../core/address.ts'
import type { Tx } from '../../../core/db.ts'
import type { RateCard } from '../rules/rates.ts'

/** What an agreement was signed for: its prices, and the address its parcels come from unless they say otherwise. */
export type Terms = { card: RateCard; sender: Party }

/** The terms of an agreement; undefined when there is no such carrier agreement. */
export async function findTerms(tx: Tx, agreementId: string): Promise<Terms | undefined> {
  const row = await tx.get(
    `select a.doc as agreement, c.doc as card from carrier_agreements a
     join rate_cards c on c.rate_card_id = a.rate_card_id where a.agreement_id = $1`,
    agreementId,
  )
  if (row === undefined) return undefined
  const { sender } = JSON.parse(String(row['agreement'])) as { sender: Party }
  return { card: JSON.parse(String(row['card'])) as RateCard, sender }
}

export async function insertRateCard(tx: Tx, card: RateCard): Promise<void> {
  await tx.run(
    'insert into rate_cards (rate_card_id, version, doc) values ($1, $2, $3)',
    card.rate_card_id,
    card.version,
    JSON.stringify(card),
  )
}

/** Signs an agreement: its card, its sender, and the depots it may use. */
export async function insertAgreement(
  tx: Tx,
  agreementId: string,
  { rateCardId, sender, hubIds }: { rateCardId: string; sender: Party; hubIds: readonly string[] },
): Promise<void> {
  await tx.run(
    'insert into carrier_agreements (agreement_id, rate_card_id, doc) values ($1, $2, $3)',
    agreementId,
    rateCardId,
    JSON.stringify({ sender }),
  )
  await tx.insertMany(
    'agreement_hubs',
    ['agreement_id', 'hub_id'],
    hubIds.map((hubId) => [agreementId, hubId]),
  )
}
