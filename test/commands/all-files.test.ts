/**
 * All files of clerks and merchants by their commands, as scripts run them: each is read right, rejected, or asked about. The table
 * `all-files.txt` has the exit code of each, every row with what would be sent or what is wrong with it, and what is said.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import type { Command } from '../../src/cli/define-command.ts'
import { businessCatalogImport } from '../../src/commands/business/catalog-import.command.ts'
import { carrierUpload } from '../../src/commands/carrier/upload.command.ts'
import { CASE_FILES } from '../support/case-files.ts'
import { embeddedThrough } from '../support/embedded-client.ts'
import { type Home, makeHome } from '../support/home.ts'
import { AGAIN_FILES } from '../support/read-parcels.ts'
import { runCommand } from '../support/run-command.ts'

const TABLE = join(import.meta.dirname, 'all-files.txt')

const SIZES = ['--default', 'dimensions=20x15x5cm']
const MADE_UP = ['--default', 'weight_grams=500', ...SIZES]

/** The flags that a file needs; the first pattern that fits counts. */
const FLAGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^menu-(?:live|shortened-edit)/, ['--update']],
  [/^odoo-pos/, ['--map', 'price=Sales Price']],
  [/^square\./, ['--allow-free']],
  [/^(?:evri|wh-|cnd)/, SIZES],
  [/^(?:magento|bigcommerce|squarespace|etsy|amazon|shopify|woo\.)/, MADE_UP],
]

const MENUS = /menu|products|odoo|^lightspeed|^clover|^square\.|^shift/

type Cells = { readonly [member: string]: unknown }
type Row = {
  row: number
  reference?: string
  name?: string
  result: string
  reason: { code: string; errors: { column: string; detail: string; suggestion?: string }[] } | null
}

/** Texts of an object in their order; numbers and truths with their names, an amount as one. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' | ')
  if (typeof value !== 'object' || value === null) return String(value)
  const { amount, currency, ...rest } = value as Cells
  const money = amount === undefined ? [] : [`${Number(amount) / 100} ${textOf(currency)}`]
  const texts = Object.entries(rest).flatMap(([name, own]) => {
    if (typeof own === 'boolean' || typeof own === 'number') return `${name} ${own}`
    return textOf(own) === '' ? [] : textOf(own)
  })
  return [...money, ...texts]
    .join(', ')
    .replace(/weight_grams (\d+), length_mm (\d+), width_mm (\d+), height_mm (\d+)/, '$1 g $2x$3x$4')
}

/** Reads a file by its command in a dry run; returns its part of the table. */
async function readFile(home: Home, path: string): Promise<string> {
  const name = path.split('/').at(-1) ?? ''
  const flags = FLAGS.find(([pattern]) => pattern.test(name))?.[1] ?? []
  const command: Command = MENUS.test(name) ? businessCatalogImport : carrierUpload
  const bodies: Cells[] = []
  const ran = await runCommand(home, command, [path, '--dry-run', '--json', ...flags], {
    openClient: embeddedThrough(home, (call) => async (operation, input, options) => {
      bodies.push(...((input['shipments'] ?? input['items'] ?? []) as Cells[]))
      return await call(operation, input, options)
    }),
  })
  const title = `== ${relative(CASE_FILES, path)}${flags.map((flag) => ` ${flag}`).join('')}: exit ${ran.code}`
  const said = ran.err
    .split('\n')
    .flatMap((line) => (line.startsWith('warning: ') ? [`! ${line.slice(9)}`] : []))
  if (ran.error !== undefined)
    return [title, ...said, `? ${ran.error.message} ${ran.error.hint ?? ''}`.trimEnd()].join('\n')
  const { data } = ran.json() as { data: Row[] }
  const sentAs = ({ reference, name }: Row): Cells | undefined =>
    bodies.find((body) => (reference === undefined ? body['name'] === name : body['reference'] === reference))
  const rows = data.map((told) => {
    const { row, result, reason } = told
    const faults = (reason?.errors ?? []).map(
      ({ column, detail, suggestion }) =>
        `${column}: ${detail}${suggestion === undefined ? '' : ` → ${suggestion}`}`,
    )
    return `${row} ${result}: ${faults.length > 0 ? faults.join(' ') : (reason?.code ?? textOf(sentAs(told)))}`
  })
  return [title, ...said, ...rows].join('\n')
}

const files = [CASE_FILES, AGAIN_FILES].flatMap((folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(folder, entry.name)] : [],
  ),
)

test(
  'every file is read right, refused or asked about, as the table says',
  { timeout: 120_000 },
  async () => {
    using home = makeHome()
    const parts: string[] = []
    for (const path of files) parts.push(await readFile(home, path))
    // Who changes a reading on purpose writes the table again, and reads what changed.
    if (process.env['DRAY_WRITE_TABLE'] === 'yes') writeFileSync(TABLE, `${parts.join('\n')}\n`)
    expect(`${parts.join('\n')}\n`).toBe(readFileSync(TABLE, 'utf8'))
  },
)

test('questions about unread columns are about options that no parcel can have, and about no other file', () => {
  const parts = readFileSync(TABLE, 'utf8').split(/^== /m)
  const asked = parts.flatMap((part) =>
    part.includes('Nothing reads') ? [/^\S+?(?=[:\s])/.exec(part)?.[0] ?? ''] : [],
  )
  expect(asked.filter((name) => !name.startsWith('again/op-'))).toEqual(['again/parcelforce.csv'])
})
