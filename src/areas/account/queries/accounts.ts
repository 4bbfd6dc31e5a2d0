import {
  type Account,
  type Agreement,
  liveScopes,
  type Membership,
  type Scope,
} from '../../../core/account.ts'
import type { SqlRow, Tx } from '../../../core/db.ts'
import { AppError } from '../../../core/errors.ts'
import { findClosestWord } from '../../../core/nearest.ts'
import { cached } from '../../../db/read-cache.ts'
import { defineRow, defineTable } from '../../../db/table.ts'
import { heldWorld, requireSeededWorld, type StoredWorld, toWorld, worldColumns } from '../../../db/world.ts'

const COLUMNS = `a.account_id, a.handle, a.name, a.scopes, a.membership_status, a.membership_plan, a.membership_start,
  a.membership_end, a.membership_anchor, a.membership_cancels, a.carrier_agreement_id, a.carrier_agreement_status,
  a.business_agreement_id, a.business_agreement_status, a.business_seen_at`

const toSeen = defineRow<{ business_seen_at: number | null }>({ business_seen_at: 'integer or null' })

/** Columns that are only written; a record has some of their values as fields. */
type WrittenColumns =
  | 'seq'
  | `membership_${'status' | 'plan' | 'start' | 'end' | 'anchor' | 'cancels'}`
  | `${Agreement['kind']}_agreement_${'id' | 'status'}`
  | 'doc'

const ACCOUNTS = defineTable<Account, WrittenColumns, Account & { seq?: number }>({
  name: 'accounts',
  key: 'account_id',
  columns: {
    account_id: 'text',
    seq: ({ seq = null }) => seq,
    handle: 'text',
    name: 'text',
    scopes: 'words',
    membership: {
      from: defineRow<Membership>({
        status: ['text', 'membership_status'],
        plan_code: ['text or null', 'membership_plan'],
        current_period_start: ['integer or null', 'membership_start'],
        current_period_end: ['integer or null', 'membership_end'],
        anchor_day: ['integer or null', 'membership_anchor'],
        cancel_at_period_end: ['boolean', 'membership_cancels'],
      }),
    },
    membership_status: ({ membership }) => membership.status,
    membership_plan: ({ membership }) => membership.plan_code,
    membership_start: ({ membership }) => membership.current_period_start,
    membership_end: ({ membership }) => membership.current_period_end,
    membership_anchor: ({ membership }) => membership.anchor_day,
    membership_cancels: ({ membership }) => (membership.cancel_at_period_end ? 1 : 0),
    carrierAgreement: { from: (row) => toAgreement('carrier', row) },
    carrier_agreement_id: ({ carrierAgreement }) => carrierAgreement?.agreement_id ?? null,
    carrier_agreement_status: ({ carrierAgreement }) => carrierAgreement?.status ?? null,
    businessAgreement: { from: (row) => toAgreement('business', row) },
    business_agreement_id: ({ businessAgreement }) => businessAgreement?.agreement_id ?? null,
    business_agreement_status: ({ businessAgreement }) => businessAgreement?.status ?? null,
    businessSeenAt: { from: (row) => toSeen(row).business_seen_at ?? undefined },
    doc: () => '{}',
  },
  select: `select ${COLUMNS} from accounts a`,
})

/** Finds an account by its id or its short name. */
export async function findAccount(tx: Tx, idOrHandle: string): Promise<Account | undefined> {
  return ACCOUNTS.first(tx, `where a.${columnOf(idOrHandle)} = $1`, idOrHandle)
}

/** Ids contain an underscore, names never do. */
function columnOf(idOrHandle: string): 'account_id' | 'handle' {
  return idOrHandle.includes('_') ? 'account_id' : 'handle'
}

/** Loads an account by its id or its short name. Throws `account_not_found`. */
export async function loadAccount(tx: Tx, idOrHandle: string): Promise<Account> {
  return requireAccount(tx, await findAccount(tx, idOrHandle), idOrHandle)
}

/** Throws `account_not_found` when there is no such account, with the one that is meant. */
export async function requireAccount(
  tx: Tx,
  account: Account | undefined,
  idOrHandle: string,
): Promise<Account> {
  if (account !== undefined) return account
  const meant = findClosestWord(
    idOrHandle,
    (await listAllAccounts(tx)).map(({ handle }) => handle),
  )
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`
  throw new AppError('account_not_found', `No account ${idOrHandle.slice(0, 60)}.${question}`)
}

/** Returns every account, in the order of creation. */
export async function listAllAccounts(tx: Tx): Promise<Account[]> {
  return ACCOUNTS.list(tx, 'order by a.seq')
}

/** Writes an account; returns false when the handle is taken. */
export async function insertAccount(tx: Tx, account: Account, seq: number): Promise<boolean> {
  const inserted = await ACCOUNTS.insert(tx, [{ ...account, seq }], { ignoreConflicts: true })
  return inserted === 1
}

/** Reads an account for a change and locks its row until the transaction ends. */
export async function lockAccount(tx: Tx, accountId: string): Promise<Account | undefined> {
  return ACCOUNTS.first(tx, `where a.account_id = $1 ${tx.forUpdate}`, accountId)
}

/** Locks those of the accounts that exist, always in the same order: two such calls cannot deadlock. */
export async function lockAccounts(
  tx: Tx,
  accountIds: readonly string[],
  { skipLocked }: { skipLocked: boolean },
): Promise<Set<string>> {
  const locked = new Set<string>()
  for (const accountId of [...new Set(accountIds)].toSorted()) {
    const row = await tx.get(
      `select account_id from accounts where account_id = $1 ${tx.forUpdate} ${skipLocked ? tx.skipLocked : ''}`,
      accountId,
    )
    if (row !== undefined) locked.add(accountId)
  }
  return locked
}

export async function updateMembership(tx: Tx, accountId: string, membership: Membership): Promise<void> {
  await tx.run(
    `update accounts set membership_status = $1, membership_plan = $2, membership_start = $3, membership_end = $4,
       membership_anchor = $5, membership_cancels = $6 where account_id = $7`,
    membership.status,
    membership.plan_code,
    membership.current_period_start,
    membership.current_period_end,
    membership.anchor_day,
    membership.cancel_at_period_end ? 1 : 0,
    accountId,
  )
}

/** Records that an account runs its stores at an instant; an earlier instant changes nothing. */
export async function recordOwnerSeen(tx: Tx, accountId: string, at: number): Promise<void> {
  await tx.run(
    `update accounts set business_seen_at = $1
     where account_id = $2 and (business_seen_at is null or business_seen_at < $1)`,
    at,
    accountId,
  )
}

/** Returns when the account of a business agreement last ran its stores; null before the first time. */
export async function findStoreOwnerLastSeenAt(tx: Tx, agreementId: string): Promise<number | null> {
  return cached(tx, { key: `seen ${agreementId}`, tables: ['accounts'], holds: () => true }, async () => {
    const row = await tx.get(
      'select business_seen_at from accounts where business_agreement_id = $1',
      agreementId,
    )
    return row === undefined ? null : toSeen(row).business_seen_at
  })
}

/** Finds the account of an agreement, of either kind. */
export async function findHolder(tx: Tx, agreementId: string): Promise<Account | undefined> {
  return ACCOUNTS.first(tx, 'where a.business_agreement_id = $1 or a.carrier_agreement_id = $1', agreementId)
}

/** A token as stored: only its SHA-256 (hex) is kept. Times in milliseconds of service time. */
export type StoredToken = {
  token_hash: string
  account_id: string
  scopes: readonly Scope[]
  expires_at: number
  created_at: number
  /** The OAuth client and the login that the token belongs to; absent for a token that was minted directly. */
  client_id?: string
  grant_id?: string
  /** SHA-256 of the refresh token that this one was issued for, until this one is first used. */
  turned_from?: string
}

const toToken = defineRow<StoredToken>({
  token_hash: 'text',
  account_id: 'text',
  scopes: ['words', 'token_scopes'],
  expires_at: 'integer',
  created_at: 'integer',
  client_id: 'text or absent',
  grant_id: 'text or absent',
  turned_from: 'text or absent',
})

const TOKEN_COLUMNS =
  't.token_hash, t.scopes as token_scopes, t.expires_at, t.created_at, t.client_id, t.grant_id, t.turned_from'

/** Returns the token with this SHA-256 and its account, in one statement. */
export async function findTokenWithAccount(
  tx: Tx,
  tokenHash: string,
): Promise<{ token: StoredToken; account: Account } | undefined> {
  const row = await tx.get(
    `select ${COLUMNS}, ${TOKEN_COLUMNS}
     from tokens t join accounts a on a.account_id = t.account_id where t.token_hash = $1`,
    tokenHash,
  )
  return row && { token: toToken(row), account: ACCOUNTS.map(row) }
}

/** A caller, and all that each of its calls asks about it. These records never change: calls share them. */
export type Caller = {
  stored: StoredWorld
  /** Absent for a caller without a token. */
  token: StoredToken | undefined
  scopes: readonly Scope[]
  account: Account | undefined
  /** The time at which the next event of the account is due. */
  nextDue: number | undefined
}

/** The tables of a caller. Events of other kinds belong to no account itself. */
export const CALLER_TABLES = ['world', 'tokens', 'accounts', 'timeline:membership'] as const

/** Returns the world and the caller in one statement, by a token's SHA-256, or an account's id or short name. */
export async function findCaller(
  tx: Tx,
  by: { tokenHash: string } | { idOrHandle: string },
): Promise<Caller> {
  const [key, join] = 'tokenHash' in by ? [by.tokenHash, BY_TOKEN] : [by.idOrHandle, byAccount(by.idOrHandle)]
  // A transaction that holds the world's row knows it; to name that table would write the counters first.
  const held = heldWorld(tx)
  // With `or` in place of the union PostgreSQL would read the events of all accounts.
  const row = await tx.get(
    `select ${held === undefined ? worldColumns(tx) : '1 as held'}, ${COLUMNS}, ${TOKEN_COLUMNS},
       (select min(first.due_at) from (
          select min(due_at) as due_at from timeline where resource_id = a.account_id
          union all select min(due_at) from timeline where link_id = a.account_id) as first) as next_due
       ${tx.stateColumn}
     from ${held === undefined ? 'world' : '(select 1 as one)'} w ${join} where w.one = 1`,
    key,
  )
  const stored = held ?? requireSeededWorld(row && toWorld(row))
  if (row === undefined || row['account_id'] === null)
    return { stored, token: undefined, scopes: [], account: undefined, nextDue: undefined }
  const account = ACCOUNTS.map(row)
  const token = row['token_hash'] === null ? undefined : toToken(row)
  return {
    stored,
    token,
    scopes: token === undefined ? account.scopes : liveScopes(token.scopes, account),
    account,
    nextDue: toDue(row).next_due ?? undefined,
  }
}

const BY_TOKEN = 'left join tokens t on t.token_hash = $1 left join accounts a on a.account_id = t.account_id'

function byAccount(idOrHandle: string): string {
  return `left join accounts a on a.${columnOf(idOrHandle)} = $1 left join tokens t on false`
}

const toDue = defineRow<{ next_due: number | null }>({ next_due: 'integer or null' })

export async function insertToken(tx: Tx, token: StoredToken): Promise<void> {
  await tx.run(
    `insert into tokens (token_hash, account_id, scopes, expires_at, created_at, client_id, grant_id, turned_from)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    token.token_hash,
    token.account_id,
    token.scopes.join(' '),
    token.expires_at,
    token.created_at,
    token.client_id ?? null,
    token.grant_id ?? null,
    token.turned_from ?? null,
  )
}

/** Records the first use of an access token: from now on the refresh token before it cannot be repeated. */
export async function recordFirstTokenUse(tx: Tx, tokenHash: string): Promise<void> {
  await tx.run(
    `update refresh_tokens set successor_salt = null
     where token_hash = (select t.turned_from from tokens t where t.token_hash = $1)`,
    tokenHash,
  )
  await tx.run('update tokens set turned_from = null where token_hash = $1', tokenHash)
}

/** Revokes the token with this SHA-256, if there is one. */
export async function deleteToken(tx: Tx, tokenHash: string): Promise<void> {
  await tx.run('delete from tokens where token_hash = $1', tokenHash)
}

/** Deletes the account's expired tokens; returns how many there were. */
export async function deleteExpiredTokens(tx: Tx, accountId: string, now: number): Promise<number> {
  return tx.run('delete from tokens where account_id = $1 and expires_at <= $2', accountId, now)
}

function toAgreement(kind: Agreement['kind'], row: SqlRow): Agreement | undefined {
  const id = row[`${kind}_agreement_id`]
  if (typeof id !== 'string') return undefined
  return { agreement_id: id, kind, status: row[`${kind}_agreement_status`] === 'active' ? 'active' : 'ended' }
}
