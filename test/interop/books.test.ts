/** A month of five stores: two programs, each by HTTP answers and the events of payments alone, agree on its books to the penny. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { frozenClock } from '../../src/core/clock.ts'
import { load, NAMES } from '../../src/generated/registry.ts'
import { recordTally, iterations, seed } from '../support/battery.ts'
import { installProgram } from '../support/debian.ts'
import { checkInvariants } from '../support/invariants.ts'
import {
  type Books,
  listBookProblems,
  plantFee,
  plantFloat,
  type AccountCall,
  readBooks,
} from '../support/month/books.ts'
import { playMonth } from '../support/month/play.ts'
import { NOON_MS, type ServedStore, serveStore } from '../support/served.ts'
import { ENGINES, makeTempFolder } from '../support/stores.ts'
import { sandboxOverStore } from '../support/world.ts'

const YEAR = 365 * 86_400_000
const MONTH = { days: iterations(2, 30), ordersADay: iterations(60, 110), seed }

describe.each(ENGINES)('on $name', (engine) => {
  test(
    'two programs agree on a month, and find a planted fee and a planted float',
    { timeout: 3_600_000 },
    async () => {
      await installProgram('python3', 'python3')
      const served = await serveStore({ engine, registry: { NAMES, load }, clock: frozenClock(NOON_MS) })
      const world = sandboxOverStore(served.db)
      const { shops, orders } = await playMonth(world, MONTH)
      const books = await readBooks(await readerOver(served), shops, await eventsOf(served))
      recordTally({ tries: orders, note: `seed ${MONTH.seed}` })
      expect(kindsOf(books)).toEqual(new Set(KINDS))
      expect(books.stores.flatMap((store) => store.orders)).toHaveLength(orders)
      expect(listBookProblems(books)).toEqual([])
      expect(await checkInvariants(served.db)).toEqual([])
      const folder = await makeTempFolder()
      expect(askPython(folder, books)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/entries agree/),
      })
      for (const planted of [plantFee(books), plantFloat(books)]) {
        expect(listBookProblems(planted)).not.toEqual([])
        expect(askPython(folder, planted)).toMatchObject({
          status: 1,
          stdout: expect.stringMatching(/^store 1: /),
        })
      }
    },
  )
})

/** Calls over HTTP, each as its account. */
async function readerOver(served: ServedStore): Promise<AccountCall> {
  const tokens = new Map<string, string>()
  for (const as of ['everything', 'owner', 'chain', 'fifth'])
    tokens.set(as, await served.token(as, { expiresAt: NOON_MS + YEAR }))
  return async (as, operation, { number, ...query }) => {
    const path = `${PATHS[operation] ?? ''}${number === undefined ? '' : `/${Number(number)}`}`
    return ask(
      served,
      `${path}?${new URLSearchParams(query as Record<string, string>)}`,
      tokens.get(as) ?? '',
    )
  }
}

const PATHS: Readonly<Record<string, string>> = {
  list_business_orders: '/v1/business/orders',
  list_business_days: '/v1/business/days',
  get_business_day: '/v1/business/days',
  get_store_statement: '/v1/business/statement',
}

async function ask<T>({ port }: ServedStore, path: string, token: string): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return (await answer.json()) as T
}

async function eventsOf(served: ServedStore): Promise<Books['events']> {
  type Page = { data: Books['events']; has_more: boolean; next_after: number }
  const events: Books['events'] = []
  for (let after = 0; ;) {
    const path = `/sandbox/events?limit=1000&after=${after}`
    const page = await ask<Page>(served, path, served.controlToken)
    events.push(...page.data)
    if (!page.has_more) return events
    after = page.next_after
  }
}

/** Every kind that the design knows: a month without one of them proves nothing about it. */
const KINDS = [
  'card platform',
  'card store_processor',
  'cash platform',
  'cash store',
  'pay_at_table store',
  'wallet platform',
  'removed by the store',
  'removed by the customer',
  'removed by the system',
  'replaced by the store',
  'replaced by the customer',
  'replaced at another rate',
  'replaced and removed',
  'refunded by the store',
  'refunded by the system',
  'borne by store',
  'borne by platform',
  'problem full',
  'problem part',
  'problem none',
  'cancelled',
  'completed',
  'failed, kept',
  'failed, given back',
  'rejected',
]

const PAID = ['paid', 'partially_refunded']

function kindsOf({ stores }: Books): Set<string> {
  return new Set(
    stores.flatMap(({ orders }) =>
      orders.flatMap(({ status, payment, adjustments, problems, refunds, lines }) => [
        status === 'failed' ? `failed, ${PAID.includes(payment.status) ? 'kept' : 'given back'}` : status,
        ...replacementsOf(lines, adjustments),
        `${payment.method} ${payment.collected_by}`,
        ...adjustments.map(({ kind, by }) => `${kind} by the ${by}`),
        ...refunds.map(({ borne_by }) => `borne by ${borne_by}`),
        ...problems.flatMap(({ answer }) => (answer === null ? [] : [`problem ${answer.accept}`])),
      ]),
    ),
  )
}

type Order = Books['stores'][number]['orders'][number]

/** The kinds of replacements: with another tax, and those that were missing, too. */
function replacementsOf(lines: Order['lines'], adjustments: Order['adjustments']): string[] {
  const taken = adjustments.flatMap((each) => each.lines)
  return taken.flatMap(({ line_id, replacement }) => {
    if (replacement === null) return []
    const rate = lines.find((line) => line.line_id === line_id)?.tax_rate_bps
    return [
      ...(rate === replacement.tax_rate_bps ? [] : ['replaced at another rate']),
      ...(taken.some((other) => other.line_id === replacement.line_id) ? ['replaced and removed'] : []),
    ]
  })
}

/** Runs the second program. */
function askPython(folder: string, books: Books): { status: number | null; stdout: string } {
  const file = join(folder, 'answers.json')
  writeFileSync(file, JSON.stringify(books))
  const { status, stdout, stderr } = spawnSync('python3', [join(import.meta.dirname, 'books.py'), file], {
    encoding: 'utf8',
  })
  return { status, stdout: stdout + stderr }
}
