/** Reads a manifest as every upload does, without a service: the parcels, or why the file or a row is rejected. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { AppError } from '../../src/core/errors.ts'
import { readFileContent } from '../../src/tabular/import/content.ts'
import type { FilePrompts, ImportPrompts } from '../../src/tabular/import/prompts.ts'
import { openManifest } from '../../src/tabular/manifest/read.ts'

export const AGAIN_FILES = join(import.meta.dirname, 'files/again')

type Flags = Parameters<typeof openManifest>[2]

/** A file that was read; `error` is that of the whole. */
export type ReadParcels = {
  error: AppError | undefined
  said: string[]
  /** A line for each row: where the parcel goes, or its faults. */
  rows: string[]
  answered: { flag: string; value: string }[]
}

const LOOKUPS = {
  listHubs: async () => [{ hub_id: 'hub_1', code: 'LON2', address: { country_code: 'GB' } }],
  findParcels: async () => [],
}

/** `ask` answers questions; without it nobody can. */
export async function readParcels(
  file: string | { text: string },
  flags: Flags = {},
  ask?: FilePrompts,
): Promise<ReadParcels> {
  const said: string[] = []
  const answered: { flag: string; value: string }[] = []
  const reader: ImportPrompts = {
    maps: {},
    defaultParcel: {},
    say: async ({ text, typed = text }) => void said.push(typed),
    ask: async () => ask,
    answered,
  }
  const bytes = typeof file === 'string' ? readFileSync(join(AGAIN_FILES, file)) : Buffer.from(file.text)
  const path = typeof file === 'string' ? basename(file) : 'made.csv'
  try {
    const content = await readFileContent(bytes, {})
    const { rows } = await (await openManifest(reader, { path, content }, flags, LOOKUPS)).read()
    const told = rows.map(({ row, draft, errors, skipReasons }) => {
      if (draft === undefined)
        return `${row} ${skipReasons?.join() ?? errors.map(({ column, detail }) => `${column}: ${detail}`).join(' | ')}`
      const { contact, address } = draft.recipient
      const to = [contact.name, address.line1, address.line2, address.city, address.postal_code]
      return `${row} ${to.filter((part) => part !== undefined).join(' / ')}`
    })
    return { error: undefined, said, rows: told, answered }
  } catch (error) {
    if (error instanceof AppError) return { error, said, rows: [], answered }
    throw error
  }
}
