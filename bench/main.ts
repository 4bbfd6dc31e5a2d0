/**
 * `npm run bench [-- --json]`: everything of `architecture.md`, "What must stay cheap", in one run of about four minutes.
 * It measures the built program, fills up to 3 GB of the temporary folder with a million stores, and leaves nothing behind. Nothing here passes or fails: it prints what is.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { arch, cpus, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderTable, type Table, verdict } from './figures.ts'
import { measureMotion } from './motion.ts'
import { measureImport, measureOrders } from './orders.ts'
import { measureSearch } from './search.ts'
import { measureService } from './service.ts'
import { measureSlots } from './slots.ts'
import { makeHomes, measureStartup } from './startup.ts'
import { measureUpload } from './upload.ts'

const ROUNDS = 21
const LOOP_ROUNDS = 9
const LOAD_SECONDS = 3
const IMPORT_ROUNDS = 3

const folder = mkdtempSync(join(tmpdir(), 'dray-bench-'))
try {
  const json = process.argv.includes('--json')
  const processors = cpus()
  const machine = `Node ${process.versions.node}, ${platform()} ${arch()}, ${processors.length} × ${processors[0]?.model.trim()}`
  if (!json) console.log(`${machine}\n`)
  const tables: Table[] = []
  const show = (table: Table): void => {
    tables.push(table)
    if (!json) console.log(renderTable(table))
  }
  const homes = await makeHomes(folder)
  const startup = await measureStartup(homes, ROUNDS)
  startup.tables.forEach(show)
  const upload = await measureUpload(homes, startup.uploadMs, LOOP_ROUNDS)
  show(upload.table)
  const service = await measureService(homes, LOAD_SECONDS, upload.perSecond)
  service.forEach(show)
  show(await measureOrders(homes, LOAD_SECONDS))
  show(await measureImport(homes, IMPORT_ROUNDS))
  const search = await measureSearch(homes, LOAD_SECONDS)
  search.forEach(show)
  const slots = await measureSlots(homes, LOAD_SECONDS)
  slots.forEach(show)
  const motion = await measureMotion(homes)
  motion.forEach(show)
  if (json) console.log(JSON.stringify({ machine, tables: tables.map(withVerdicts) }, null, 2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function withVerdicts({ lines, ...table }: Table): unknown {
  return { ...table, lines: lines.map((line) => ({ ...line, verdict: verdict(line) })) }
}
