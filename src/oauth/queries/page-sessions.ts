/** Links to the pages that are not opened yet, and browsers that are signed in. Times are by the machine's clock. */
import type { Scope } from '../../core/account.ts'
import type { Tx } from '../../core/db.ts'
import { defineRow, forEachChunk, formatPlaceholders } from '../../db/table.ts'

/** The account that a browser acts for, and its role. */
export type PageRights = {
  /** The page that it is for; null for their list. */
  page: string | null
  account_id: string
  /** Null for all scopes of the account. */
  scopes: readonly Scope[] | null
  /** True if the holder of the control token made its link. */
  control: boolean
  /** The login or the token that it ends with. */
  grant_id: string | null
  token_hash: string | null
}

export type PageSecret = PageRights & {
  /** SHA-256 in hex. */
  secret_hash: string
  kind: 'link' | 'session'
  expires_at: number
}

const toSecret = defineRow<PageSecret>({
  secret_hash: 'text',
  kind: { from: ({ kind }) => (kind === 'link' ? 'link' : 'session') },
  page: 'text or null',
  account_id: 'text',
  scopes: { from: ({ scopes }) => (typeof scopes === 'string' ? (scopes.split(' ') as Scope[]) : null) },
  control: 'boolean',
  grant_id: 'text or null',
  token_hash: 'text or null',
  expires_at: 'integer',
})

const COLUMNS =
  's.secret_hash, s.kind, s.page, s.account_id, s.scopes, s.control, s.grant_id, s.token_hash, s.expires_at'

/** Its login or its token must still be there; `$2` is the service's time. */
const ITS_LOGIN = `(s.grant_id is null or exists (select 1 from grants g where g.grant_id = s.grant_id))
  and (s.token_hash is null or exists (select 1 from tokens t where t.token_hash = s.token_hash and t.expires_at > $2))`

export async function insertPageSecret(tx: Tx, secret: PageSecret): Promise<void> {
  const { secret_hash, kind, page, account_id, scopes, control, grant_id, token_hash, expires_at } = secret
  await tx.run(
    `insert into page_sessions (secret_hash, kind, page, account_id, scopes, control, grant_id, token_hash, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    secret_hash,
    kind,
    page,
    account_id,
    scopes === null ? null : scopes.join(' '),
    control ? 1 : 0,
    grant_id,
    token_hash,
    expires_at,
  )
}

/** Returns the link or the session with this SHA-256, at `now` of the service and `machineNow` of the machine. */
export async function findPageSecret(
  tx: Tx,
  { hash, kind }: { hash: string; kind: PageSecret['kind'] },
  { now, machineNow }: { now: number; machineNow: number },
): Promise<PageSecret | undefined> {
  const row = await tx.get(
    `select ${COLUMNS} from page_sessions s
     where s.secret_hash = $1 and s.kind = $3 and s.expires_at > $4 and ${ITS_LOGIN}`,
    hash,
    now,
    kind,
    machineNow,
  )
  return row && toSecret(row)
}

/** Returns those of the SHA-256 with a valid session. */
export async function listLiveSessions(
  tx: Tx,
  hashes: readonly string[],
  { now, machineNow }: { now: number; machineNow: number },
): Promise<string[]> {
  const live: string[] = []
  await forEachChunk(hashes, async (chunk) => {
    const rows = await tx.all(
      `select ${COLUMNS} from page_sessions s
       where s.secret_hash in (${formatPlaceholders(chunk.length, 3)}) and s.kind = 'session' and s.expires_at > $1 and ${ITS_LOGIN}`,
      machineNow,
      now,
      ...chunk,
    )
    live.push(...rows.map((row) => toSecret(row).secret_hash))
  })
  return live
}

/** Deletes a link or a session; returns false when there is none. */
export async function deletePageSecret(tx: Tx, hash: string): Promise<boolean> {
  return (await tx.run('delete from page_sessions where secret_hash = $1', hash)) === 1
}

export async function prolongSession(tx: Tx, hash: string, expiresAt: number): Promise<void> {
  await tx.run('update page_sessions set expires_at = $1 where secret_hash = $2', expiresAt, hash)
}

/** Deletes everything that expired at or before `before`. */
export async function deleteExpiredPageSecrets(tx: Tx, before: number): Promise<void> {
  await tx.run('delete from page_sessions where expires_at <= $1', before)
}

/** Deletes the links that the control token made, and their sessions. */
export async function deleteControlSessions(tx: Tx): Promise<void> {
  await tx.run('delete from page_sessions where control = 1')
}

/** Deletes the links or sessions of an account that expire first, beyond the `most` that stay. */
export async function boundPageSecrets(
  tx: Tx,
  { account_id, kind }: Pick<PageSecret, 'account_id' | 'kind'>,
  most: number,
): Promise<void> {
  await tx.run(
    `delete from page_sessions where secret_hash in (
       select secret_hash from page_sessions where account_id = $1 and kind = $2
       order by expires_at desc, secret_hash limit 1000 offset $3)`,
    account_id,
    kind,
    most,
  )
}
