import type { Account, Agreement, Membership, MembershipStatus, Scope } from '../../core/account.ts'
import type { Row, Tx } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'

const COLUMNS = `a.account_id, a.handle, a.name, a.scopes, a.membership_status, a.membership_plan, a.membership_start,
  a.membership_end, a.membership_cancels, a.carrier_agreement_id, a.carrier_agreement_status,
  a.business_agreement_id, a.business_agreement_status, a.business_seen_at`

/** By id, or by the short name that people type. Ids hold an underscore, names never do. */
export async function findAccount(tx: Tx, idOrHandle: string): Promise<Account | undefined> {
  const column = idOrHandle.includes('_') ? 'account_id' : 'handle'
  const row = await tx.get(`select ${COLUMNS} from accounts a where a.${column} = $1`, idOrHandle)
  return row && toAccount(row)
}

/** The account of an id or a short name. Throws `account_not_found`. */
export async function loadAccount(tx: Tx, idOrHandle: string): Promise<Account> {
  const account = await findAccount(tx, idOrHandle)
  if (account === undefined)
    throw new AppError('account_not_found', `There is no account ${idOrHandle.slice(0, 60)}.`)
  return account
}

/** Every account, in the order of creation. */
export async function listAccounts(tx: Tx): Promise<Account[]> {
  const rows = await tx.all(`select ${COLUMNS} from accounts a order by a.seq`)
  return rows.map(toAccount)
}

/** Writes an account; false when the handle is taken. */
export async function insertAccount(tx: Tx, account: Account, seq: number): Promise<boolean> {
  const { membership, carrierAgreement, businessAgreement } = account
  const inserted = await tx.insertMany(
    'accounts',
    [
      'account_id',
      'seq',
      'handle',
      'name',
      'scopes',
      'membership_status',
      'membership_plan',
      'membership_start',
      'membership_end',
      'membership_cancels',
      'carrier_agreement_id',
      'carrier_agreement_status',
      'business_agreement_id',
      'business_agreement_status',
      'doc',
    ],
    [
      [
        account.account_id,
        seq,
        account.handle,
        account.name,
        account.scopes.join(' '),
        membership.status,
        membership.plan_code,
        membership.current_period_start,
        membership.current_period_end,
        membership.cancel_at_period_end ? 1 : 0,
        carrierAgreement?.agreement_id ?? null,
        carrierAgreement?.status ?? null,
        businessAgreement?.agreement_id ?? null,
        businessAgreement?.status ?? null,
        '{}',
      ],
    ],
    { ignoreConflicts: true },
  )
  return inserted === 1
}

/** Reads an account for a change: other writers of it wait until this transaction ends. */
export async function lockAccount(tx: Tx, accountId: string): Promise<Account | undefined> {
  const row = await tx.get(
    `select ${COLUMNS} from accounts a where a.account_id = $1 ${tx.forUpdate}`,
    accountId,
  )
  return row && toAccount(row)
}

/** Locks those of the accounts that exist, in one order, so that two that lock many never wait for each other. */
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
       membership_cancels = $5 where account_id = $6`,
    membership.status,
    membership.plan_code,
    membership.current_period_start,
    membership.current_period_end,
    membership.cancel_at_period_end ? 1 : 0,
    accountId,
  )
}

/** Records that an account runs its stores at an instant; never earlier than recorded before. */
export async function noteOwnerSeen(tx: Tx, accountId: string, at: number): Promise<void> {
  await tx.run(
    `update accounts set business_seen_at = $1
     where account_id = $2 and (business_seen_at is null or business_seen_at < $1)`,
    at,
    accountId,
  )
}

/** When the account of a business agreement last ran its stores; null before the first time. */
export async function findOwnerSeen(tx: Tx, agreementId: string): Promise<number | null> {
  const row = await tx.get(
    'select business_seen_at from accounts where business_agreement_id = $1',
    agreementId,
  )
  return toInstant(row?.['business_seen_at'])
}

/** A token as stored: only its SHA-256 (hex) is known. Times in milliseconds of service time. */
export type StoredToken = {
  token_hash: string
  account_id: string
  scopes: readonly Scope[]
  expires_at: number
  created_at: number
  /** The program it was issued to, and the login it follows from; absent where it was minted by hand. */
  client_id?: string
  grant_id?: string
  /** The refresh token (its SHA-256) that it was handed out for, until it is first used. */
  turned_from?: string
}

/** The token with this SHA-256 and the account it speaks for, in one statement. */
export async function findToken(
  tx: Tx,
  tokenHash: string,
): Promise<{ token: StoredToken; account: Account } | undefined> {
  const row = await tx.get(
    `select ${COLUMNS}, t.scopes as token_scopes, t.expires_at, t.created_at, t.client_id, t.grant_id, t.turned_from
     from tokens t join accounts a on a.account_id = t.account_id where t.token_hash = $1`,
    tokenHash,
  )
  if (row === undefined) return undefined
  const account = toAccount(row)
  return {
    token: {
      token_hash: tokenHash,
      account_id: account.account_id,
      scopes: toScopes(row['token_scopes']),
      expires_at: Number(row['expires_at']),
      created_at: Number(row['created_at']),
      ...(typeof row['client_id'] === 'string' && { client_id: row['client_id'] }),
      ...(typeof row['grant_id'] === 'string' && { grant_id: row['grant_id'] }),
      ...(typeof row['turned_from'] === 'string' && { turned_from: row['turned_from'] }),
    },
    account,
  }
}

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

/** Notes that an access token reached its owner: the refresh token before it cannot be repeated any more. */
export async function settleToken(tx: Tx, tokenHash: string): Promise<void> {
  await tx.run(
    `update refresh_tokens set successor_salt = null
     where token_hash = (select t.turned_from from tokens t where t.token_hash = $1)`,
    tokenHash,
  )
  await tx.run('update tokens set turned_from = null where token_hash = $1', tokenHash)
}

/** Revokes one token; nothing happens when there is none with this SHA-256. */
export async function deleteToken(tx: Tx, tokenHash: string): Promise<void> {
  await tx.run('delete from tokens where token_hash = $1', tokenHash)
}

/** Forgets the account's tokens that are over; gives how many there were. */
export async function forgetTokens(tx: Tx, accountId: string, now: number): Promise<number> {
  return tx.run('delete from tokens where account_id = $1 and expires_at <= $2', accountId, now)
}

function toAccount(row: Row): Account {
  return {
    account_id: String(row['account_id']),
    handle: String(row['handle']),
    name: String(row['name']),
    scopes: toScopes(row['scopes']),
    membership: {
      status: String(row['membership_status']) as MembershipStatus,
      plan_code: toText(row['membership_plan']),
      current_period_start: toInstant(row['membership_start']),
      current_period_end: toInstant(row['membership_end']),
      cancel_at_period_end: row['membership_cancels'] === 1,
    },
    carrierAgreement: toAgreement('carrier', row['carrier_agreement_id'], row['carrier_agreement_status']),
    businessAgreement: toAgreement(
      'business',
      row['business_agreement_id'],
      row['business_agreement_status'],
    ),
    ...(typeof row['business_seen_at'] === 'number' && { businessSeenAt: row['business_seen_at'] }),
  }
}

function toAgreement(kind: Agreement['kind'], id: unknown, status: unknown): Agreement | undefined {
  if (typeof id !== 'string') return undefined
  return { agreement_id: id, kind, status: status === 'active' ? 'active' : 'ended' }
}

/** Scopes as a column holds them, one blank between two. */
export function toScopes(text: unknown): Scope[] {
  return typeof text === 'string' && text !== '' ? (text.split(' ') as Scope[]) : []
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function toInstant(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
