import type { Tx } from '../core/db.ts'
/** Codes that were stored before the gateway cleaned them: they keep their characters, and are found by their cleaned form. */
import { normalizeIdentifier } from '../core/identifiers.ts'
import { forEachChunk, formatPlaceholders } from './table.ts'

/** The things that the codes name: parcels by reference, items by external_ref. */
type CodeKind = 'parcel' | 'item'

/** Completes the migration that listed the codes: writes the cleaned form of each, and removes those that are clean. */
export async function cleanOldCodes(tx: Tx): Promise<void> {
  for (const { stored } of await tx.all('select distinct stored from old_codes')) {
    const code = normalizeIdentifier(String(stored))
    if (code === stored) await tx.run('delete from old_codes where stored = $1', code)
    else await tx.run('update old_codes set code = $1 where stored = $2', code, String(stored))
  }
}

/** Returns codes and the older forms in which they may be stored. */
export async function findStoredForms(
  tx: Tx,
  kind: CodeKind,
  ownerId: string,
  codes: readonly string[],
): Promise<string[]> {
  const forms = [...codes]
  await forEachChunk(codes, async (chunk) => {
    const rows = await tx.all(
      `select stored from old_codes where kind = $1 and owner_id = $2 and code in (${formatPlaceholders(chunk.length, 3)})`,
      kind,
      ownerId,
      ...chunk,
    )
    forms.push(...rows.map(({ stored }) => String(stored)))
  })
  return forms
}
