/** An order on the screens of its customer and of its store, as facts. */
import { readItems } from './board-screen.ts'
import { type Facts, toMinorUnits, toMinute } from './facts.ts'
import { readBillRows, readShownBill } from './owner-surfaces.ts'

/** `food show` at a terminal: its facts, and the bill below them. */
export function readCustomerScreen(screen: string): Facts {
  const { said: pairs, lines, sums } = readShownBill(screen)
  return {
    state: {
      own: pairs['Status'],
      payment: pairs['Payment'],
      refund: pairs['Refund status'],
      way: pairs['Fulfilment'],
      method: pairs['Payment method'],
    },
    ...(lines && { lines }),
    sums: { ...sums, refunded: toMinorUnits(pairs['Refunded']) },
    times: { ready: toMinute(pairs['Ready time']), delivery: toMinute(pairs['Delivery ETA']) },
    who: { store: pairs['From'], courier: pairs['Courier'] },
    where: { table: pairs['Table'], place: pairs['Deliver to']?.replace(/ \(.*\)$/, '') },
  }
}

/** `business orders show` at a terminal. */
export function readStoreScreen(screen: string): Facts {
  const find = (pattern: RegExp): string | undefined => pattern.exec(screen)?.[1]
  const findWord = (pattern: RegExp): string | undefined => find(pattern)?.replaceAll(' ', '_')
  const rows = new Map(readBillRows(screen))
  const total = toMinorUnits([...rows].find(([label]) => label.startsWith('Total ('))?.[1])
  const refunds = [...screen.matchAll(/^Refund of £[\d,.]+ to .+?: (\w+)$/gm)]
  const table = find(/^dine in at table ([^,]+), for /m)
  return {
    state: {
      own: findWord(/^Order \S+: (.+)$/m),
      method: findWord(/^Total \((.+?), /m),
      payment: findWord(/^Total \(.+?, (.+?)(?:, bill open)?\) /m),
      refund: refunds.at(-1)?.[1],
      way: table === undefined ? find(/^(delivery|pickup), for /m) : 'dine_in',
      rejection: findWord(/^Rejected: ([^,\n]+)/m),
    },
    ...readKitchenLines(screen),
    sums: {
      total,
      charged: toMinorUnits(rows.get('Charged') ?? rows.get('To pay')) ?? total,
      subtotal: toMinorUnits(rows.get('Subtotal')),
    },
    times: {
      placed: toMinute(find(/\bplaced (\d[^,\n]*)/)),
      acceptBy: toMinute(find(/\baccept before (\d[^,\n]*)/)),
      ready: toMinute(find(/\bready time (\d[^,\n]*)/)),
    },
    who: {
      customer: find(/^(?:delivery|pickup|dine in at table [^,]+), for (\S+) \(/m),
      courier: find(/^(?:Courier|Delivered by) (.+?) \(/m),
    },
    where: { table },
  }
}

/** The lines of an order for its kitchen, with the fate of their units. */
const LINE = /^ *(?:instead: )?(\d+) × (.+?)(?:, (taken off|replaced|customer asked))?(?: {2,}-?£[\d,.]+)?$/gm

function readKitchenLines(screen: string): Pick<Facts, 'lines' | 'cooking'> {
  const lines: Record<string, number> = {}
  const cooking: Record<string, number> = {}
  for (const [, units, name = '', fate] of screen.matchAll(LINE)) {
    if (fate === 'taken off' || fate === 'replaced') continue
    lines[name] = (lines[name] ?? 0) + Number(units)
    if (fate === undefined) cooking[name] = (cooking[name] ?? 0) + Number(units)
  }
  return { lines, cooking }
}

/** A line of the board, as it is printed without a screen. */
export function readBoardLine(line: string): Facts {
  const [, , , own, how = '', items = '', charged, pay = ''] = line.split('\t')
  const [method, payment] = pay.split(', ').map((word) => word.replaceAll(' ', '_'))
  const table = /at table (.+)$/.exec(how)?.[1]
  return {
    state: { own, payment, method, way: table === undefined ? how : 'dine_in' },
    cooking: readItems(items),
    sums: { charged: toMinorUnits(charged) },
    where: { table },
  }
}
