/** The store's statement within its report: as rows for an accountant, and in words. */
import { LOSS_WORDS } from '../../../areas/orders/rules/losses.ts'
import { type Money, negate, formatBasisPoints, formatGroupedMoney } from '../../../core/money.ts'
import type { Breakdown, ReportRow, ReportTableRow } from '../../report/report.ts'
import { humanizeKey } from '../../report/words.ts'
import type { LoadedStatement } from '../load-statement.ts'

/** Says that a service is too old to tell a statement, or has one in another currency only. */
export function noStatement(currency: string): string {
  return `This service has no statement of the store in ${currency}: net sales, VAT, fees and tips are not told apart.`
}

type Line = {
  section: string
  name: string
  orders?: number
  rate?: number
  net?: Money
  vat?: Money
  amount: Money
}

/** Returns every figure of a statement. */
export function statementLines(statement: LoadedStatement): Line[] {
  const { discounts, held, net_sales } = statement
  const line = (section: string, name: string, amount: Money): Line => ({ section, name, amount })
  return [
    ...statement.gross_goods.map(({ section, amount }) => line('goods', section, amount)),
    line('discounts', 'store', negate(discounts.store)),
    ...statement.refunded_goods.map(({ reason, amount }) => line('refunded_goods', reason, negate(amount))),
    line('sales', 'net_sales', net_sales),
    ...statement.vat.map(({ rate_bps, net, vat, gross }) => ({
      ...line('vat', formatBasisPoints(rate_bps), gross),
      rate: rate_bps / 100,
      net,
      vat,
    })),
    // Its VAT columns are blank: the rows of the rates have it.
    ...(hasUnrated(statement) ? [line('without_rate', 'goods', statement.without_rate.goods)] : []),
    line('held', 'fees', held.fees),
    line('held', 'tips', held.tips),
    line('platform', 'discounts', negate(discounts.platform)),
    line('platform', 'refunds', negate(statement.borne_by_platform)),
    ...statement.payments.flatMap(({ method, collected_by, captured, refunded }) => [
      line('payments', `${method} by ${collected_by}`, captured),
      ...(refunded.amount === 0 ? [] : [line('refunds', `${method} by ${collected_by}`, negate(refunded))]),
    ]),
    ...statement.unpaid.map(({ display_number, amount }) => line('unpaid', display_number, amount)),
    ...(statement.lost ?? []).map(({ reason, orders, amount }) => ({
      ...line('lost', reason, amount),
      orders,
    })),
    ...lateLines(statement),
    line('balance', 'opening', statement.opening),
    line('balance', 'payouts', negate(statement.payouts)),
    line('balance', 'due', statement.due),
    ...(statement.earlier.amount === 0 ? [] : [line('balance', 'earlier', statement.earlier)]),
  ]
}

/** Returns whether goods were sold of items that have no VAT rate of their own. */
function hasUnrated(
  statement: LoadedStatement,
): statement is LoadedStatement & Required<Pick<LoadedStatement, 'without_rate'>> {
  return (statement.without_rate?.goods.amount ?? 0) !== 0
}

/** Says for how much VAT was counted at the store's rate, because the items have none; undefined where all have one. */
export function unratedWords(statement: LoadedStatement | null): string | undefined {
  if (statement === null || !hasUnrated(statement)) return undefined
  const { goods, rate_bps } = statement.without_rate
  return `${formatGroupedMoney(goods)} of the goods are of items without a VAT rate of their own: they count at the store's ${formatBasisPoints(rate_bps)}. In rows their VAT columns are blank.`
}

const LATE = [
  ['counted_later', 'Counted in the document of the next day'],
  ['from_earlier', 'Of the day before, in the first document'],
] as const

/** Returns the entries by which the documents of the days differ from the statement, and their sums; none as a rule. */
function lateLines(statement: LoadedStatement): Line[] {
  return LATE.flatMap(([section]) => {
    const late = statement[section]
    if (late === undefined || !isLate(late)) return []
    const { entries, net_sales, payouts } = late
    return [
      ...entries.map(({ display_number, kind, amount }) => ({
        section,
        name: `${display_number} ${kind}`,
        amount: kind === 'refund' ? negate(amount) : amount,
      })),
      { section, name: 'net_sales', amount: net_sales },
      { section, name: 'payouts', amount: negate(payouts) },
    ]
  })
}

function isLate({ entries, payouts }: NonNullable<LoadedStatement['counted_later']>): boolean {
  return entries.length > 0 || payouts.amount !== 0
}

/** Returns the same as sections, for people. */
function lateSections(statement: LoadedStatement): Breakdown[] {
  const lines = lateLines(statement)
  return LATE.map(([section, title]): Breakdown => ({
    kind: 'breakdown',
    title,
    headings: [title, 'Amount'],
    rows: lines.flatMap((line) =>
      line.section === section
        ? { label: humanizeKey(line.name), cells: [formatGroupedMoney(line.amount)] }
        : [],
    ),
  })).filter(({ rows }) => rows.length > 0)
}

/** Returns the rows of a statement, with the same columns in each. */
export function statementRows(statement: LoadedStatement): ReportTableRow[] {
  return statementLines(statement).map(({ section, name, rate = null, net = null, vat = null, amount }) => ({
    section,
    name,
    rate,
    net,
    vat,
    amount,
  }))
}

/** The sections of a statement, as people read them; an empty list without sales and payments. */
export function statementSections(statement: LoadedStatement | null): Breakdown[] {
  if (statement === null) return []
  return [...lossSections(statement), ...moneySections(statement), ...lateSections(statement)]
}

/** Returns the orders that were lost, and the goods that they cost the store. */
function lossSections({ lost = [], currency }: LoadedStatement): Breakdown[] {
  if (lost.length === 0) return []
  const orders = lost.reduce((sum, each) => sum + each.orders, 0)
  return [
    {
      kind: 'breakdown',
      title: 'Lost orders',
      headings: ['Lost orders', 'Orders', 'Goods'],
      rows: lost.map((each) => ({
        label: LOSS_WORDS[each.reason],
        cells: [each.orders.toLocaleString('en-GB'), formatGroupedMoney(each.amount)],
      })),
      total: {
        label: 'All lost orders',
        cells: [orders.toLocaleString('en-GB'), formatGroupedMoney(lossTotal({ lost, currency }))],
      },
    },
  ]
}

/** Returns the goods that all lost orders of a statement cost the store. */
export function lossTotal({ lost = [], currency }: Pick<LoadedStatement, 'lost' | 'currency'>): Money {
  return { amount: lost.reduce((sum, { amount }) => sum + amount.amount, 0), currency }
}

function moneySections(statement: LoadedStatement): Breakdown[] {
  if (statement.payments.length === 0 && statement.unpaid.length === 0) return []
  const lines = statementLines(statement)
  const { vat, net_sales, opening, payouts, due } = statement
  const row = (label: string, amount: Money): ReportRow => ({ label, cells: [formatGroupedMoney(amount)] })
  const named = (names: Readonly<Record<string, string>>): ReportRow[] =>
    lines
      .filter(({ section, amount }) => names[section] !== undefined && amount.amount !== 0)
      .map(({ section, name, amount }) => row(`${names[section]}${wordsOf(section, name)}`, amount))
  return [
    {
      kind: 'breakdown',
      title: 'Net sales',
      headings: ['Goods', 'Amount'],
      rows: named({ goods: '', discounts: 'Discounts of the ', refunded_goods: 'Refunded: ' }),
      total: row('Net sales', net_sales),
    },
    {
      kind: 'breakdown',
      title: 'VAT in net sales',
      headings: ['VAT in net sales', 'Net', 'VAT', 'Gross'],
      rows: vat.map(({ rate_bps, net, vat: tax, gross }) => ({
        label: formatBasisPoints(rate_bps),
        cells: [net, tax, gross].map(formatGroupedMoney),
      })),
    },
    {
      kind: 'breakdown',
      title: 'Payments',
      headings: ['Payments', 'Amount'],
      rows: named({ payments: '', refunds: 'Refunded: ', unpaid: 'Unpaid: ' }),
      note: splitWords(statement),
    },
    {
      kind: 'breakdown',
      title: 'Balance with the platform',
      headings: ['Balance with the platform', 'Amount'],
      rows: [
        row('Before', opening),
        row('Sales and refunds', { ...due, amount: due.amount - opening.amount + payouts.amount }),
        row('Payouts', negate(payouts)),
      ],
      total: row(due.amount < 0 ? 'Due to the platform' : 'Due to the store', {
        ...due,
        amount: Math.abs(due.amount),
      }),
    },
  ].filter(({ rows, total }) => rows.length > 0 || total !== undefined) as Breakdown[]
}

const COLLECTORS: Readonly<Record<string, string>> = {
  platform: 'the platform',
  store: 'the store',
  store_processor: "the store's card processor",
}

/** `cash, collected by the store` for payments and refunds, whose name is `cash by store` in rows; other names as people write them. */
function wordsOf(section: string, name: string): string {
  const [method = '', collector = ''] = name.split(' by ')
  return section === 'payments' || section === 'refunds'
    ? `${humanizeKey(method)}, collected by ${COLLECTORS[collector] ?? humanizeKey(collector)}`
    : humanizeKey(name)
}

/** Payments less refunds are the store's sales and what belongs to others. */
function splitWords({ net_sales, held, discounts, borne_by_platform }: LoadedStatement): string {
  const parts = [
    `${formatGroupedMoney(net_sales)} net sales`,
    `${formatGroupedMoney(held.fees)} fees`,
    ...(held.tips.amount === 0 ? [] : [`${formatGroupedMoney(held.tips)} tips`]),
  ]
  const off = [
    ...(discounts.platform.amount === 0
      ? []
      : [` - ${formatGroupedMoney(discounts.platform)} discounts of the platform`]),
    ...(borne_by_platform.amount === 0
      ? []
      : [` - ${formatGroupedMoney(borne_by_platform)} refunds of the platform`]),
  ]
  return `Payments less refunds: ${parts.join(' + ')}${off.join('')}`
}
