/**
 * An evening of orders whose tickets print through kills and absences. The process that prints is killed while the printer takes a
 * paper, and the printer loses paper, cover, connection and power: each order is printed, and none twice without a mark.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listPrinters } from '../../src/local-state/printers.ts'
import { resolvePaths } from '../../src/paths.ts'
import { iterations, recordTally, seed } from '../support/battery.ts'
import { type KitchenStore, openKitchenStore } from '../support/kitchen-store.ts'
import { builtProgram, type RunningProcess, startDray } from '../support/program.ts'
import { type PrinterMood, startTicketPrinter, type TicketPrinter } from '../support/ticket-printer.ts'

const ORDERS = iterations(20, 500)
const KILLS = iterations(2, 40)
const ABSENCES = iterations(1, 20)
const MOODS: readonly (PrinterMood | 'off')[] = ['paper_out', 'cover_open', 'cut', 'off', 'half']

/** Starts the program that prints. */
function startPrinting({ home }: KitchenStore, { address }: TicketPrinter): RunningProcess {
  const words = ['business', 'tickets', '--printer', address, '--output', 'ndjson', '--as', 'everything']
  const store = join(home.paths.data, 'default/dray.db')
  return startDray([...words, '--store', store], {
    env: { ...home.env, HOME: home.cwd, DRAY_HOME: home.cwd },
  })
}

/** Returns whether the process that prints has said that its printer is gone. */
function isGone({ home }: KitchenStore): boolean {
  const paths = resolvePaths({ DRAY_HOME: home.cwd }, process.platform)
  return listPrinters({ paths }).some(({ status }) => status === 'gone')
}

test('each of many orders is printed, and none twice without its mark', { timeout: 7_200_000 }, async () => {
  await builtProgram()
  await using store = await openKitchenStore()
  const printer = await startTicketPrinter()
  let drawn = seed
  const draw = (): number => (drawn = (drawn * 48_271) % 2_147_483_647) / 2_147_483_647
  const numbers: string[] = []
  const accept = async (count: number): Promise<void> => {
    for (let at = 0; at < count && numbers.length < ORDERS; at++)
      numbers.push((await store.accept()).display_number)
  }
  const isPrinted = (number: string): boolean =>
    printer.papers.some((paper, at) => !paper.isTorn && (printer.texts()[at] ?? '').includes(`\n${number}\n`))
  /** Resolves once the printer took so many bytes more, or has printed all. */
  const taken = async (bytes: number): Promise<void> => {
    if (!numbers.every(isPrinted)) await printer.whenTaken(bytes)
  }
  let running = startPrinting(store, printer)
  const troubles = [
    ...Array.from({ length: KILLS }, () => 'kill' as const),
    ...Array.from({ length: ABSENCES }, (_, at) => MOODS[at % MOODS.length] ?? 'off'),
  ].toSorted(() => draw() - 0.5)
  for (const trouble of troubles) {
    await accept(Math.ceil(ORDERS / troubles.length))
    if (trouble === 'kill') {
      await taken(1 + Math.floor(draw() * 900))
      running.kill('SIGKILL')
      await running.ended
      running = startPrinting(store, printer)
      continue
    }
    if (trouble === 'off') await printer.switchOff()
    else printer.setMood(trouble)
    await accept(1)
    // The process has met it, or had nothing to print.
    await expect.poll(() => numbers.every(isPrinted) || isGone(store), { timeout: 120_000 }).toBe(true)
    if (trouble === 'off') await printer.switchOn()
    else printer.setMood('ready')
  }
  await expect.poll(() => numbers.every(isPrinted), { timeout: 600_000, interval: 500 }).toBe(true)
  running.kill('SIGTERM')
  await running.ended

  const whole = printer.papers.flatMap(({ isTorn }, at) => (isTorn ? [] : (printer.texts()[at] ?? '')))
  const papersOf = (number: string): string[] => whole.filter((text) => text.includes(`\n${number}\n`))
  const lost = numbers.filter((number) => papersOf(number).length === 0).length
  const doubled = numbers.filter(
    (number) => papersOf(number).filter((text) => !text.includes('COPY?')).length > 1,
  ).length
  const copies = whole.filter((text) => text.includes('COPY?')).length
  recordTally({
    tries: KILLS + ABSENCES,
    lost,
    doubled,
    note: `${numbers.length} orders, ${whole.length} tickets, ${copies} of them marked`,
  })
  expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
})
