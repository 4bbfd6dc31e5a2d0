/** Calls of the HTTP and MCP servers to a service in this process, besides operations. */

import { statSync } from 'node:fs'
import { serviceNow } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import type { Machine } from '../core/machine.ts'
import { Overdue, startDeadline } from '../db/deadline.ts'
import { findNextDueTime } from '../db/timeline.ts'
import { loadWorld } from '../db/world.ts'
import { serviceTime } from '../gateway/attempt.ts'
import { readMedia } from '../gateway/media.ts'
import type { Credential } from '../gateway/request.ts'
import { endApprovals } from '../oauth/approvers.ts'
import { makeLogins } from '../oauth/service.ts'
import type { Logins } from '../oauth/service.ts'
import { runDueBatch } from '../sandbox/tick.ts'
import type { Service } from './embedded.ts'
import type { WebhookSender, SenderDeps } from './webhooks/sender.ts'

type Clock = { now: () => number }

/** The readiness check must answer soon. */
const READY_MS = 2000

/**
 * Milliseconds for which the writes of a service wait for another process that holds an SQLite store. Their callers get an
 * answer within ten seconds, also those who first waited for a silent process of a cluster.
 */
export const SERVICE_PATIENCE_MS = 5000

/** Returns the current `Service-Time` header. Throws when the store does not answer within two seconds. */
export async function readServiceTime({ db }: Service, { now }: Clock): Promise<string> {
  const stored = await soon(db.read(loadWorld, { totalMs: READY_MS }))
  return serviceTime(stored, serviceNow(stored.clock, now()))
}

/**
 * Returns the current `Service-Time` header of a service that is ready. Throws when its store does not answer within two
 * seconds, or takes no changes. `canWrite` says so of another process that writes for this one, unless that is silent.
 */
export async function assertReady(
  service: Service,
  clock: Clock,
  canWrite?: () => boolean | undefined,
): Promise<string> {
  const { db } = service
  if (db.kind === 'postgres') {
    const row = await db.read((tx) => tx.get(CLOSED), { totalMs: READY_MS })
    if (row?.['closed'] !== 0)
      throw new AppError(
        'service_unavailable',
        'The store is read-only: its server is a standby or read-only.',
      )
  } else if (!(canWrite?.() ?? (await takesChanges(service))))
    throw new AppError('service_unavailable', 'The store is read-only: another process has locked it.')
  return readServiceTime(service, clock)
}

/**
 * Returns whether an SQLite store takes changes: one more within two seconds, or others in the meantime. PostgreSQL is asked by
 * `assertReady` itself.
 */
export async function takesChanges({ db }: Service): Promise<boolean> {
  if (db.kind === 'postgres') return true
  const { groups } = db.tally
  const probe = probes.get(db) ?? db.write(async () => true).finally(() => probes.delete(db))
  probes.set(db, probe)
  // The change may be in line behind many others: a busy store is not a held one.
  return soon(probe).catch(({ cause }: AppError) => cause instanceof Overdue && db.tally.groups > groups)
}

/** The changes by which stores are being asked. One that is held is asked once: the change waits longer than its caller. */
const probes = new WeakMap<Service['db'], Promise<boolean>>()

/** Returns the result of work, or throws when it takes longer than two seconds. */
async function soon<T>(work: Promise<T>): Promise<T> {
  const deadline = startDeadline(READY_MS)
  try {
    return await deadline.limit(work)
  } catch (error) {
    if (!(error instanceof Overdue)) throw error
    throw new AppError('service_unavailable', 'The store did not respond in time.', { cause: error })
  } finally {
    deadline.cancel()
  }
}

/** Every transaction of the pool may differ in what it was told; the server's own state and default count. */
const CLOSED = `select cast(pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as int) as closed`

/** The service's store, for metrics: its size in bytes, and the seconds by which its earliest event is overdue. */
export async function readStoreFacts(
  { db, store }: Pick<Service, 'db' | 'store'>,
  { now }: Clock,
): Promise<{ size: number; lag: number }> {
  const read = await db.read(
    async (tx) => {
      const { clock } = await loadWorld(tx)
      const due = clock.mode === 'frozen' ? undefined : await findNextDueTime(tx)
      const row =
        db.kind === 'postgres'
          ? await tx.get('select pg_database_size(current_database()) as size')
          : undefined
      return { late: serviceNow(clock, now()) - (due ?? Infinity), size: Number(row?.['size'] ?? 0) }
    },
    { totalMs: READY_MS },
  )
  return {
    size: db.kind === 'postgres' ? read.size : sizeOfFiles(store),
    lag: Math.max(0, read.late) / 1000,
  }
}

/** The store in memory has no file. */
function sizeOfFiles(store: string): number {
  return [store, `${store}-wal`].reduce(
    (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

/** Reads a picture, for the owner of the resource that it belongs to. */
export function readOwnMedia(
  { db }: Service,
  { now }: Clock,
  credential: Credential | undefined,
  mediaId: string,
): ReturnType<typeof readMedia> {
  return readMedia(db, credential, mediaId, now())
}

/** Opens the OAuth logins of this service. */
export function openLogins(
  { db }: Service,
  { now, random }: Clock & { random: (count: number) => Uint8Array },
): Logins {
  return makeLogins(db, { now, random })
}

/** Ends every browser's right to approve devices. */
export function revokeAllApprovers({ db }: Service): Promise<void> {
  return endApprovals(db)
}

/** Applies due events: see `tick`. */
export function tickService({ db }: Service, { now }: Clock): Promise<boolean> {
  return runDueBatch(db, now)
}

/** Returns what a server needs of a service in this process. `canWrite` is that of `assertReady`. */
export async function hostedOver(
  service: Service,
  machine: Pick<Machine, 'now' | 'elapsed' | 'random' | 'weakRandomBytes' | 'version'>,
  canWrite?: () => boolean | undefined,
) {
  const [{ openPageBackend }, { openShareBackend }, { makeWebhookSender }, registry] = await Promise.all([
    import('./page-backend.ts'),
    import('./shared-links.ts'),
    import('./webhooks/sender.ts'),
    import('../generated/registry.ts'),
  ])
  return {
    gateway: service.gateway,
    registry,
    oauth: { logins: openLogins(service, machine) },
    media: (credential: Credential | undefined, mediaId: string) =>
      readOwnMedia(service, machine, credential, mediaId),
    pages: openPageBackend(service, machine),
    shares: openShareBackend(service, machine),
    serviceTime: () => readServiceTime(service, machine),
    ready: () => assertReady(service, machine, canWrite),
    tick: () => tickService(service, machine),
    senderOf: (how: Pick<SenderDeps, 'allowPrivate' | 'note' | 'onError'>): WebhookSender =>
      makeWebhookSender({
        db: service.db,
        gateway: service.gateway,
        now: () => machine.now(),
        holder: machine.random(12).toHex(),
        ...how,
      }),
    version: machine.version,
    now: () => machine.now(),
    elapsed: () => machine.elapsed(),
    weakRandomBytes: (count: number) => machine.weakRandomBytes(count),
  }
}
