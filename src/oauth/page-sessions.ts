/**
 * Browsers that are signed in to a page, or to their list: each opened a link that works once, or was approved by its code.
 */
import { findTokenWithAccount, loadAccount } from '../areas/account/queries/accounts.ts'
import { type Account, liveScopes, type Scope } from '../core/account.ts'
import { serviceNow } from '../core/clock.ts'
import type { Db, Tx } from '../core/db.ts'
import { AppError } from '../core/errors.ts'
import { sha256Hex } from '../core/hash.ts'
import { isPageName, type PageName, rightsOn } from '../core/pages.ts'
import { loadWorld, lockWorld } from '../db/world.ts'
import {
  boundPageSecrets,
  deletePageSecret,
  findPageSecret,
  deleteExpiredPageSecrets,
  insertPageSecret,
  listLiveSessions,
  type PageRights,
  type PageSecret,
  prolongSession,
} from './queries/page-sessions.ts'
import { newSecret } from './secrets.ts'

/** A link is opened at once, or typed into another device. Its time is by the machine's clock, as a person waits. */
export const PAGE_LINK_LIFE_S = 600
/** A screen on a wall stays signed in while it is looked at once a week. */
export const SESSION_LIFE_S = 7 * 86_400
const DAY_MS = 86_400_000
/** The most sessions and unopened links of one account; those that expire first make room. */
const MAX_PAGE_SECRETS = 100

type Moment = { machineNow: number; random: (count: number) => Uint8Array }

/** A browser that is signed in. */
export type PageSession = {
  /** The SHA-256 of its secret. */
  id: string
  account: Account
  /** The scopes of the account, or of the login that made its link, which its page uses. */
  scopes: readonly Scope[]
  /** True if it may use the sandbox's own switches. */
  control: boolean
  /** True if the holder of the control token made its link, which then names the account. */
  byControl: boolean
}

/** The secrets that a browser has, by their pages; that of the list under undefined. */
export type PageSecrets = ReadonlyMap<PageName | undefined, string>

/** Makes the ticket of a link that signs one browser in. Only its SHA-256 is stored. */
async function createPageTicket(tx: Tx, rights: PageRights, moment: Moment): Promise<string> {
  const { machineNow, random } = moment
  // A reset that runs in the meantime would not see it.
  await lockWorld(tx)
  await deleteExpiredPageSecrets(tx, machineNow)
  const ticket = newSecret('page', random)
  await savePageSecret(tx, {
    ...rights,
    secret_hash: sha256Hex(ticket),
    kind: 'link',
    expires_at: machineNow + PAGE_LINK_LIFE_S * 1000,
  })
  return ticket
}

/** Makes a ticket for the holder of the control token: it acts for an account with those of its scopes that the page uses. */
export async function createControlTicket(
  tx: Tx,
  { account, page }: { account: string; page: PageName | undefined },
  moment: Moment,
): Promise<string> {
  const { account_id } = await loadAccount(tx, account)
  return createPageTicket(
    tx,
    { page: page ?? null, account_id, scopes: null, control: true, grant_id: null, token_hash: null },
    moment,
  )
}

/** Makes a ticket for the holder of an access token, with its scopes. It ends with the token, or with its login. */
export async function createOwnTicket(
  db: Db,
  { token, page }: { token: string; page: PageName | undefined },
  moment: Moment,
): Promise<string> {
  return db.write(async (tx) => {
    const now = serviceNow((await lockWorld(tx)).clock, moment.machineNow)
    const token_hash = sha256Hex(token)
    const found = await findTokenWithAccount(tx, token_hash)
    if (found === undefined || found.token.expires_at <= now)
      throw new AppError('invalid_token', 'The token is not known, or it expired.')
    const { account_id, scopes, grant_id } = found.token
    const ends = grant_id === undefined ? { grant_id: null, token_hash } : { grant_id, token_hash: null }
    return createPageTicket(tx, { page: page ?? null, account_id, scopes, control: false, ...ends }, moment)
  })
}

/**
 * Uses a link's ticket. Returns the secret of a browser that is signed in from now on, and its page; undefined for a
 * ticket that is used, expired or unknown. `before` are the browser's earlier secrets: see `createPageSession`.
 */
export async function openPageLink(
  db: Db,
  { ticket, before }: { ticket: string; before: PageSecrets },
  { machineNow, random }: Moment,
): Promise<{ secret: string; page: PageName | undefined } | undefined> {
  const hash = sha256Hex(ticket)
  const find = async (tx: Tx): Promise<PageSecret | undefined> =>
    findPageSecret(tx, { hash, kind: 'link' }, await momentOf(tx, machineNow))
  // An invalid ticket writes nothing, because any program may send any number of them.
  if ((await db.read(find)) === undefined) return undefined
  return db.write(async (tx) => {
    await lockWorld(tx)
    const link = await find(tx)
    if (link === undefined || !(await deletePageSecret(tx, hash))) return undefined
    const secret = await createPageSession(tx, link, { before, machineNow, random })
    return { secret, page: pageOf(link) }
  })
}

/**
 * Signs a browser in, and returns its secret. Of its earlier secrets that of the same page ends; with a session for the
 * list, which opens the pages, all of them end.
 */
export async function createPageSession(
  tx: Tx,
  { page, account_id, scopes, control, grant_id, token_hash }: PageRights,
  { before, machineNow, random }: Moment & { before: PageSecrets },
): Promise<string> {
  for (const [of, earlier] of before)
    if (page === null || page === of) await deletePageSecret(tx, sha256Hex(earlier))
  const secret = newSecret('session', random)
  const expires_at = machineNow + SESSION_LIFE_S * 1000
  const rights = { page, account_id, scopes, control, grant_id, token_hash }
  await savePageSecret(tx, { ...rights, secret_hash: sha256Hex(secret), kind: 'session', expires_at })
  return secret
}

async function savePageSecret(tx: Tx, secret: PageSecret): Promise<void> {
  await boundPageSecrets(tx, secret, MAX_PAGE_SECRETS - 1)
  await insertPageSecret(tx, secret)
}

/**
 * Returns the session of a browser's secret with its rights on a page, or without any on their list; undefined when it is
 * over, or for another page. A session for the list opens the pages, but never controls the sandbox.
 */
export async function findPageSession(
  tx: Tx,
  { secret, page }: { secret: string; page: PageName | undefined },
  machineNow: number,
): Promise<(PageSession & { expiresAt: number }) | undefined> {
  const id = sha256Hex(secret)
  const found = await findPageSecret(tx, { hash: id, kind: 'session' }, await momentOf(tx, machineNow))
  if (found === undefined || (found.page !== null && found.page !== page)) return undefined
  const { control: byControl, expires_at: expiresAt } = found
  const account = await loadAccount(tx, found.account_id)
  const scopes = found.scopes === null ? account.scopes : liveScopes(found.scopes, account)
  const rights = rightsOn(page, { scopes, control: byControl && found.page === page })
  return { id, account, ...rights, byControl, expiresAt }
}

function pageOf({ page }: PageRights): PageName | undefined {
  return page !== null && isPageName(page) ? page : undefined
}

/** Prolongs a session that is in use, at most once a day. */
export async function prolongPageSession(
  db: Db,
  { id, expiresAt }: { id: string; expiresAt: number },
  machineNow: number,
): Promise<void> {
  const until = machineNow + SESSION_LIFE_S * 1000
  if (until - expiresAt >= DAY_MS) await db.write((tx) => prolongSession(tx, id, until))
}

/** Ends a session. */
export async function endPageSession(db: Db, secret: string): Promise<void> {
  await db.write((tx) => deletePageSecret(tx, sha256Hex(secret)))
}

/** Returns those of the ids with a session that has not ended. */
export async function livePageSessions(
  tx: Tx,
  ids: readonly string[],
  machineNow: number,
): Promise<string[]> {
  return listLiveSessions(tx, ids, await momentOf(tx, machineNow))
}

async function momentOf(tx: Tx, machineNow: number): Promise<{ now: number; machineNow: number }> {
  return { now: serviceNow((await loadWorld(tx)).clock, machineNow), machineNow }
}
