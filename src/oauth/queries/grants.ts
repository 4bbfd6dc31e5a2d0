import type { Scope } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import { defineRow, defineTable } from '../../db/table.ts'

/** A program that acts for one account with its own secret. Only the secret's SHA-256 (hex) is stored. */
export type OAuthClient = {
  client_id: string
  secret_hash: string
  account_id: string
  scopes: readonly Scope[]
  created_at: number
}

/** One login: the account, the device and the scopes that a person approved. All its tokens end with it. */
export type Grant = {
  grant_id: string
  client_id: string
  account_id: string
  scopes: readonly Scope[]
  device: string
  created_at: number
}

/**
 * The first use of a refresh token, by the machine's clock, and the salt from which its successor can be derived
 * again.
 */
export type Turn = { at: number; salt: string }

export type RefreshToken = {
  expires_at: number
  used: boolean
  /** Undefined before its first use, and after the first use of its successor. */
  turn: Turn | undefined
}

const CLIENTS = defineTable<OAuthClient>({
  name: 'oauth_clients',
  key: 'client_id',
  columns: {
    client_id: 'text',
    secret_hash: 'text',
    account_id: 'text',
    scopes: 'words',
    created_at: 'integer',
  },
})

const GRANTS = defineTable<Grant>({
  name: 'grants',
  key: 'grant_id',
  columns: {
    grant_id: 'text',
    client_id: 'text',
    account_id: 'text',
    scopes: 'words',
    device: 'text',
    created_at: 'integer',
  },
})

const toTurn = defineRow<Turn>({ at: ['integer', 'turned_at'], salt: ['text', 'successor_salt'] })

const toRefreshToken = defineRow<RefreshToken>({
  expires_at: 'integer',
  used: { from: (row) => row['used_at'] !== null },
  turn: { from: (row) => (row['successor_salt'] === null ? undefined : toTurn(row)) },
})

export async function insertClient(tx: Tx, client: OAuthClient): Promise<void> {
  await CLIENTS.insert(tx, [client])
}

export async function findClient(tx: Tx, clientId: string): Promise<OAuthClient | undefined> {
  return CLIENTS.find(tx, clientId)
}

export async function insertGrant(tx: Tx, grant: Grant): Promise<void> {
  await GRANTS.insert(tx, [grant])
}

/**
 * Locks and returns the login of a refresh token, given by its SHA-256, so that refresh and revoke of one login take
 * turns.
 */
export async function lockGrantOf(tx: Tx, tokenHash: string): Promise<Grant | undefined> {
  const row = await tx.get(
    `select g.grant_id, g.client_id, g.account_id, g.scopes, g.device, g.created_at from grants g
     where g.grant_id = (select r.grant_id from refresh_tokens r where r.token_hash = $1) ${tx.forUpdate}`,
    tokenHash,
  )
  return row && GRANTS.map(row)
}

export async function insertRefreshToken(
  tx: Tx,
  token: { token_hash: string; grant_id: string; expires_at: number },
): Promise<void> {
  await tx.run(
    'insert into refresh_tokens (token_hash, grant_id, expires_at) values ($1, $2, $3)',
    token.token_hash,
    token.grant_id,
    token.expires_at,
  )
}

/** Returns a refresh token by its SHA-256. Lock its grant first, so that the row stays valid. */
export async function findRefreshToken(tx: Tx, tokenHash: string): Promise<RefreshToken | undefined> {
  const row = await tx.get(
    'select expires_at, used_at, turned_at, successor_salt from refresh_tokens where token_hash = $1',
    tokenHash,
  )
  return row && toRefreshToken(row)
}

/**
 * Marks a refresh token as used, at `now` of the service's clock. Returns false when it was used before. The token
 * before it can no longer be repeated, since this one is its successor.
 */
export async function useRefreshToken(
  tx: Tx,
  { token_hash, grant_id, turn }: { token_hash: string; grant_id: string; turn: Turn },
  now: number,
): Promise<boolean> {
  await tx.run(
    'update refresh_tokens set successor_salt = null where grant_id = $1 and successor_salt is not null',
    grant_id,
  )
  const used = await tx.run(
    `update refresh_tokens set used_at = $1, turned_at = $2, successor_salt = $3
     where token_hash = $4 and used_at is null`,
    now,
    turn.at,
    turn.salt,
    token_hash,
  )
  return used === 1
}

/** Deletes a login with its access and refresh tokens. */
export async function deleteGrant(tx: Tx, grantId: string): Promise<void> {
  await tx.run('delete from tokens where grant_id = $1', grantId)
  await tx.run('delete from refresh_tokens where grant_id = $1', grantId)
  await tx.run('delete from grants where grant_id = $1', grantId)
}

/** Deletes the expired refresh tokens of a login. */
export async function deleteExpiredRefreshTokens(tx: Tx, grantId: string, now: number): Promise<void> {
  await tx.run('delete from refresh_tokens where grant_id = $1 and expires_at <= $2', grantId, now)
}

/** Returns the account's logins with expired refresh tokens only. They can never be renewed. */
export async function listDeadGrants(tx: Tx, accountId: string, now: number): Promise<string[]> {
  const rows = await tx.all(
    `select g.grant_id from grants g where g.account_id = $1
       and not exists (select 1 from refresh_tokens r where r.grant_id = g.grant_id and r.expires_at > $2)
     order by g.grant_id ${tx.forUpdate} ${tx.skipLocked}`,
    accountId,
    now,
  )
  return rows.map((row) => GRANTS.map(row).grant_id)
}
