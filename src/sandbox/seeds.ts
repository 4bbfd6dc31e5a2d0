import { listAllAccounts } from '../areas/account/queries/accounts.ts'
/** The sandbox's one market. Each area adds its file here, in the order in which they build on each other. */
import { ACCOUNTS, openAccount } from '../areas/account/seed.ts'
import { fillInvoiceLines } from '../areas/carrier/queries/invoice-lines.ts'
import { fillShipmentWords } from '../areas/carrier/queries/shipment-words.ts'
import { seedCarrier } from '../areas/carrier/seed.ts'
import { moveStock } from '../areas/catalog/queries/stock.ts'
import { computeStockDay } from '../areas/catalog/rules/stock.ts'
import { openMerchant, seedMerchants } from '../areas/catalog/seed/merchants.ts'
import { SEED_STORES } from '../areas/catalog/seed/store.ts'
import { addCouriers, seedCouriers } from '../areas/couriers/seed.ts'
import { addLineRates } from '../areas/orders/queries/line-rates.ts'
import { ensureWallet } from '../areas/payments/lifecycle/payment.ts'
import { addDrivers, seedDrivers } from '../areas/rides/seed/drivers.ts'
import { seedTiers } from '../areas/rides/seed/tiers.ts'
import { seedProviders } from '../areas/services/seed/providers.ts'
import { addTaskers, seedTasks } from '../areas/tasks/seed/taskers.ts'
import type { Account } from '../core/account.ts'
import type { Tx } from '../core/db.ts'
import { MARKET_TIMEZONE } from '../core/market.ts'
import type { WorldSettings } from '../core/world.ts'
import { cleanOldCodes } from '../db/old-codes.ts'
import { refoldNames } from '../db/old-names.ts'
import { reserveOrderCouriers, reserveVisitTravel, reserveUnderWay } from './backfill-assignments.ts'
import { fillStoreEntries } from './backfill-books.ts'

export const DEFAULT_MARKET: Omit<WorldSettings, 'seed'> = {
  environment: 'sandbox',
  currency: 'GBP',
  timezone: MARKET_TIMEZONE,
  countryCode: 'GB',
  supply: 'normal',
}

export async function seedMarket(tx: Tx, world: WorldSettings, now: number): Promise<void> {
  const accounts: Account[] = []
  for (const terms of ACCOUNTS) {
    const account = await openAccount(tx, world, now, terms)
    if (account !== undefined) accounts.push(account)
  }
  await seedCarrier(tx, world, now, accounts)
  await seedMerchants(tx, world, now, accounts)
  await seedCouriers(tx, world, now)
  await seedMovingWorld(tx, world, now)
}

/** The people who drive, visit and are sent. */
async function seedMovingWorld(tx: Tx, world: WorldSettings, now: number): Promise<void> {
  await seedTiers(tx)
  await seedDrivers(tx, world, now)
  await seedProviders(tx, world, now)
  await seedTasks(tx, world, now)
}

/** The schemas that brought stores, wallets and couriers, who else moves, and enough people for a busy day. */
const FOOD = 3
const MOVING_WORLD = 4
/** The position in the list of migrations of the one that brought assignments. */
const CROWD = 7
/** The one that brought the ways between visits. */
const WAYS = 9
/** The one that listed the codes to be cleaned. */
const CODES = 14
/** The first schema that compares names without invisible characters. */
const NAMES = 17
/** Since this schema a line of an order has the rate of its tax. */
const SHARES = 19
/** Since this schema parcels are found by an index of their words. */
const WORDS = 30
/** Since this schema an item's stock stands beside its document. */
const STOCK = 20
/** Since this schema the lines of invoices are written when they are due. */
const INVOICES = 29
/** Since this schema the entries of stores' books are written when they happen. */
const STORE_ENTRIES = 31

/** Adds to an older store what came with the schemas after `from`; who is there keeps everything. */
export async function backfillMarket(tx: Tx, world: WorldSettings, now: number, from: number): Promise<void> {
  if (from < FOOD) await addFood(tx, world, now)
  if (from >= FOOD && from < CROWD) await addCouriers(tx, world, now)
  if (from < MOVING_WORLD) await seedMovingWorld(tx, world, now)
  else if (from < CROWD) {
    await addDrivers(tx, world, now)
    await addTaskers(tx, world, now)
  }
  if (from >= FOOD && from < WAYS) {
    await reserveUnderWay(tx, world, now)
    await reserveOrderCouriers(tx, world)
    await reserveVisitTravel(tx, now)
  }
  await growRows(tx, now, from)
}

/** Completes the rows that an older store has. */
async function growRows(tx: Tx, now: number, from: number): Promise<void> {
  const hasFood = from >= FOOD
  if (from < CODES) await cleanOldCodes(tx)
  if (hasFood && from < NAMES) await refoldNames(tx)
  if (hasFood && from < STOCK) await moveStock(tx, computeStockDay(now))
  if (hasFood && from < SHARES) await addLineRates(tx)
  if (from < WORDS) await fillShipmentWords(tx)
  if (from < INVOICES) await fillInvoiceLines(tx, now)
  if (hasFood && from < STORE_ENTRIES) await fillStoreEntries(tx, now)
}

async function addFood(tx: Tx, world: WorldSettings, now: number): Promise<void> {
  const accounts = await listAllAccounts(tx)
  for (const { account_id } of accounts) await ensureWallet(tx, world, now, account_id)
  for (const terms of ACCOUNTS) {
    if (accounts.some(({ handle }) => handle === terms.handle)) continue
    const account = await openAccount(tx, world, now, terms)
    if (account !== undefined) accounts.push(account)
  }
  await seedMerchants(tx, world, now, accounts)
  for (const account of accounts) {
    if (!SEED_STORES.some(({ owner }) => owner === account.handle))
      await openMerchant(tx, world, now, account)
  }
  await seedCouriers(tx, world, now)
}
