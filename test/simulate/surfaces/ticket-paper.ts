/** The ticket of an order on paper, as the printer in the kitchen gets it: one for the cooks, and one for the bag. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Facts, toMinorUnits } from './facts.ts'
import type { Subject } from './surface.ts'
import type { SurfaceWorld } from './world.ts'

// oxlint-disable-next-line no-control-regex -- a printer is told sizes and styles by them
const CONTROLS = /\u001B@|\u001C\.|\u001B[MEt].|\u001D[B!]./gs
/** The cut after each paper. */
// oxlint-disable-next-line no-control-regex -- it is a command of the printer
const CUT = /\u001DV./s

/** Returns the papers in what a printer got, each as its lines. */
function readPapers(bytes: string): string[][] {
  return bytes
    .split(CUT)
    .map((paper) => paper.replaceAll(CONTROLS, '').split('\n'))
    .filter((lines) => lines.some((line) => line.trim() !== ''))
}

/** Returns the facts of a ticket that was printed again; undefined where none was. */
export function readTicketPaper(bytes: string): Facts | undefined {
  // A printer also gets what is due to it, such as the paper of a change.
  const paper = readPapers(bytes).findLast(([first = '']) => first.trim() === 'COPY')
  if (paper === undefined) return undefined
  const [, how = '', customer] = findLine(paper, /^(Delivery|Pickup|Dine in|Table .+), (\S+)$/)
  // The paper for the bag has the payment, and of the dishes those alone that are cooked.
  const [, charged, method] = findLine(paper, /^(-?£[\d,]+\.\d\d) (.+?), /)
  const table = /^Table (.+)$/.exec(how)?.[1]
  const { lines, cooking } = readDishes(paper)
  return {
    state: {
      way: table === undefined ? toName(how) : 'dine_in',
      method: method === undefined ? undefined : toName(method),
    },
    ...(charged === undefined && { lines }),
    cooking,
    sums: { charged: toMinorUnits(charged) },
    who: { customer },
    where: { table },
  }
}

function findLine(lines: readonly string[], pattern: RegExp): readonly (string | undefined)[] {
  return lines.map((line) => pattern.exec(line)).find((found) => found !== null) ?? []
}

/** `Pay at table` is `pay_at_table`. */
function toName(words: string): string {
  return words.toLowerCase().replaceAll(' ', '_')
}

const RULE = /^-+$/

/** Returns the units of the dishes below the first rule; a name or a fate that is too long goes on in a line with a margin. */
function readDishes(paper: readonly string[]): Required<Pick<Facts, 'lines' | 'cooking'>> {
  const dishes: string[] = []
  for (const line of paper.slice(paper.findIndex((each) => RULE.test(each)) + 1)) {
    if (line.startsWith('  ')) dishes.push(`${dishes.pop() ?? ''} ${line.trim()}`)
    else if (/^\d+ /.test(line)) dishes.push(line)
    else break
  }
  const lines: Record<string, number> = {}
  const cooking: Record<string, number> = {}
  for (const dish of dishes) {
    const [, units, name = '', fate] =
      /^(\d+) (?:instead: )?(.+?)(?: (taken off|replaced|customer asked))?$/.exec(dish) ?? []
    if (fate === 'taken off' || fate === 'replaced') continue
    lines[name] = (lines[name] ?? 0) + Number(units)
    if (fate === undefined) cooking[name] = (cooking[name] ?? 0) + Number(units)
  }
  return { lines, cooking }
}

/** Prints a ticket again into a file, and returns what the paper says; undefined where nothing is printed. */
export async function readPrintedTicket(
  world: SurfaceWorld,
  { number, store, keeper }: Subject,
  slip: 'kitchen' | 'bag',
): Promise<Facts | undefined> {
  const file = world.path('printer')
  writeFileSync(file, '')
  try {
    const own = ['--merchant', store, '--as', keeper]
    await world.dray(['business', 'tickets', 'again', number, '--printer', file, '--slip', slip, ...own])
    return readTicketPaper(readFileSync(file, 'latin1'))
  } finally {
    rmSync(file, { force: true })
  }
}
