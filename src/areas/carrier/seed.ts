/** The carrier's hubs, its rate card, and the terms of each agreement. */
import type { Account } from '../../core/account.ts'
import type { ShipmentParty } from '../../core/address.ts'
import type { Tx } from '../../core/db.ts'
import { knownAddress } from '../../core/places/known-addresses.ts'
import type { WorldSettings } from '../../core/world.ts'
import { newIds } from '../../db/counters.ts'
import { type Hub, insertHubs, listAllHubs } from './queries/hubs.ts'
import { insertAgreement, insertRateCard } from './queries/rate-cards.ts'
import { REFERENCE_CARD, SERVICE_LEVEL_CODES } from './rules/rates.ts'

const WEEK = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
const WITHOUT_SAME_DAY = SERVICE_LEVEL_CODES.filter((code) => code !== 'same_day')

const HUBS: readonly Omit<Hub, 'hub_id'>[] = [
  hub('LON1', 'London Park Royal', 'Unit 4, Premier Park Road', {
    collection: { days: [...WEEK, 'sat'], from: '08:00', cutoff: '17:00' },
    capacity_per_day: 12_000,
  }),
  hub('LON2', 'London Bermondsey', '18 Mandela Way'),
  hub('LON3', 'London Bow', 'Unit 9, Marshgate Lane'),
  hub('LON4', 'Croydon', 'Unit 2, Beddington Farm Road', {
    service_levels: WITHOUT_SAME_DAY,
  }),
  hub('LON5', 'Enfield', '31 Mollison Avenue', {
    collection: { days: [...WEEK], from: '09:00', cutoff: '16:00' },
    service_levels: WITHOUT_SAME_DAY,
    capacity_per_day: 4000,
  }),
  // Closed for rebuilding: no collections, and listed only on request.
  hub('LON6', 'Feltham', 'Unit 7, Faggs Road', { active: false }),
]

const SENDERS: Readonly<Record<string, { party: ShipmentParty; hubs?: readonly string[] }>> = {
  everything: {
    party: sender('Alex Morgan', 'Morgan Trading', '40 Lime Street'),
  },
  shipper: {
    party: sender('Dispatch', 'Thames Books', '112 Bermondsey Street'),
  },
  shipper2: {
    party: sender('Warehouse', 'Harbour Supplies', '5 Scrubs Lane'),
    hubs: ['LON1', 'LON4'],
  },
}

/** Writes the rate card, the hubs and the agreements of the accounts that have one. */
export async function seedCarrier(
  tx: Tx,
  world: WorldSettings,
  now: number,
  accounts: readonly Account[],
): Promise<void> {
  await insertRateCard(tx, REFERENCE_CARD)
  const ids = await newIds({ tx, world, at: now }, 'hub', HUBS.length)
  await insertHubs(
    tx,
    HUBS.map((each, index) => ({ ...each, hub_id: ids[index] ?? '' })),
  )
  for (const account of accounts) await signCarrierAgreement(tx, account)
}

/** Writes the terms of an account's carrier agreement: its own from the fixture, else those of a new customer. */
export async function signCarrierAgreement(
  tx: Tx,
  { handle, name, carrierAgreement }: Account,
): Promise<void> {
  if (carrierAgreement === undefined) return
  const known = SENDERS[handle]
  const party = known?.party ?? sender('Dispatch', name, '1 Aldgate High Street')
  const hubs = (await listAllHubs(tx)).filter(({ code }) => known?.hubs?.includes(code) ?? true)
  await insertAgreement(tx, carrierAgreement.agreement_id, {
    rateCardId: REFERENCE_CARD.rate_card_id,
    sender: party,
    hubIds: hubs.map(({ hub_id }) => hub_id),
  })
}

function hub(code: string, name: string, line1: string, differences: Partial<Hub> = {}): Omit<Hub, 'hub_id'> {
  const address = knownAddress(line1)
  return {
    code,
    name,
    address,
    location: address.location,
    timezone: 'Europe/London',
    collection: { days: [...WEEK], from: '09:00', cutoff: '17:00' },
    service_levels: [...SERVICE_LEVEL_CODES],
    capacity_per_day: null,
    active: true,
    ...differences,
  }
}

function sender(name: string, company: string, line1: string): ShipmentParty {
  return { contact: { name, phone: '+442079460123' }, company, address: knownAddress(line1) }
}
