/**
 * A snapshot: the whole store at one instant, as lines of JSON that either engine loads. The first line says what it is,
 * each further one is a row, `[table, value, …]`, and the last one counts the rows and holds the SHA-256 of all before it.
 */
import { listWebhookTargetUrls } from '../../areas/account/queries/webhooks.ts'
import { fillShipmentWords } from '../../areas/carrier/queries/shipment-words.ts'
import { serviceNow } from '../../core/clock.ts'
import type { Db, SqlValue } from '../../core/db.ts'
import { AppError } from '../../core/errors.ts'
import { toTimestamp } from '../../core/time.ts'
import { assertIntegrity } from '../../db/integrity.ts'
import { dumpRows, replaceRows, type TableRows } from '../../db/snapshot.ts'
import { CLEARING } from '../../db/status.ts'
import { SCHEMA_VERSION } from '../../db/version.ts'
import { beginGeneration, loadWorld } from '../../db/world.ts'
import { PLANNED_EVENTS } from '../due-events.ts'
import { makeGeneration } from '../seed.ts'
import type { ControlDeps } from './control.ts'
import { type Chunks, newHash, readSnapshot, type SnapshotHead, SnapshotFault } from './snapshot-rows.ts'

/** Writes the store as it is at this moment; `realNow` is the machine's clock. */
export async function saveSnapshot(
  db: Db,
  realNow: number,
  write: (chunk: Uint8Array) => void,
): Promise<SnapshotHead> {
  return db.read(
    async (tx) => {
      const hash = newHash()
      const put = (text: string): void => {
        const bytes = Buffer.from(text)
        hash.update(bytes)
        write(bytes)
      }
      const { world, clock } = await loadWorld(tx)
      const now = serviceNow(clock, realNow)
      const head: SnapshotHead = {
        dray_snapshot: 1,
        schema_version: SCHEMA_VERSION,
        seed: world.seed,
        service_time: toTimestamp(now),
      }
      put(`${JSON.stringify(head)}\n`)
      let count = 0
      for await (const { table, rows } of dumpRows(tx, now)) {
        count += rows.length
        put(rows.map((row) => `${JSON.stringify([table, ...row.map(toJson)])}\n`).join(''))
      }
      write(Buffer.from(`${JSON.stringify({ rows: count, sha256: hash.digest('hex') })}\n`))
      return head
    },
    { long: true },
  )
}

/** A snapshot that was loaded, with the addresses of the webhook endpoints that it brought. */
export type LoadedSnapshot = SnapshotHead & { webhook_targets: string[] }

/**
 * Puts a snapshot in the place of all that the store holds: all of it or, when anything is wrong with it, nothing. It is
 * read twice: once before anything is changed. One of an older version is brought to this schema first. Throws
 * `invalid_request`.
 */
export async function loadSnapshot(
  db: Db,
  { now, random }: Pick<ControlDeps, 'now' | 'random'>,
  open: () => Chunks,
): Promise<LoadedSnapshot> {
  let head: SnapshotHead | undefined
  const read = (): AsyncGenerator<TableRows> => readSnapshot(open(), (found) => (head = found), OLDEST)
  const replace = (pages: () => AsyncIterable<TableRows>): Promise<void> =>
    db.write(async (tx) => {
      await replaceRows(tx, pages(), now())
      await fillShipmentWords(tx)
      await loadWorld(tx)
      await assertIntegrity(tx, db.kind, PLANNED_EVENTS, (why) => refused(why))
      await beginGeneration(tx, makeGeneration(random))
    }, CLEARING)
  try {
    for await (const _page of read()) continue
    const version = versionOf(head)
    if (version === SCHEMA_VERSION) await replace(read)
    else {
      const { openUpgraded } = await import('./upgrade-snapshot.ts')
      const upgraded = await openUpgraded(version, read(), now())
      try {
        await upgraded.read(async (old) => {
          const at = serviceNow((await loadWorld(old)).clock, now())
          await replace(() => dumpRows(old, at))
        })
      } finally {
        await upgraded.close()
      }
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof SnapshotFault) throw refused(error.message)
    throw refused('its rows contradict each other', error)
  }
  if (head === undefined) throw refused('it is empty')
  return { ...head, webhook_targets: await db.read(listWebhookTargetUrls) }
}

/** The oldest schema that snapshots are loaded from: the first one. */
const OLDEST = 1

/** Returns the schema of a snapshot that was read; that of this program where it was empty, which is rejected later. */
function versionOf(head: SnapshotHead | undefined): number {
  return head?.schema_version ?? SCHEMA_VERSION
}

function toJson(value: SqlValue): unknown {
  return value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value
}

function refused(why: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `This snapshot cannot be loaded: ${why}. Nothing was changed.`, {
    ...(cause !== undefined && { cause }),
  })
}
