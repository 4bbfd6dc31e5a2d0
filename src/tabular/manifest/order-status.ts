/**
 * The statuses of orders in the exports of shops, tills and shipping tools, as data: the headers under which a status
 * stands, and the meaning of its words. Facts only: from the tools' own documentation and exports.
 */
import { foldForSearch } from '../../core/fold.ts'
import { headerKey, stripUnderscores } from '../csv/keys.ts'
import data from './order-status.json' with { type: 'json' }

/** The reason why an order should not be sent, in the words of `--include`. Of several reasons, the first is shown. */
export type SkipReason = keyof typeof data.reasons

export const SKIP_REASONS = Object.keys(data.reasons) as SkipReason[]

/** The plain words of reports for a reason, the sentence about an order that is skipped, and words for a part of one. */
export const SKIP_REASON_WORDS: Readonly<Record<SkipReason, { word: string; text: string; part?: string }>> =
  data.reasons

/** The meaning of a status: the order is to be sent, is skipped for a reason, or for a part of it. */
export type StatusMeaning = 'send' | SkipReason | { part: SkipReason }

/** The way in which a column says a status: by a word, or by being filled, zero, or answered with yes or no. */
export type StatusKind =
  | 'order'
  | 'payment'
  | 'fulfilment'
  /** The way in which the order reaches its buyer: most of its words are services. */
  | 'method'
  /** Words that excuse an unpaid order: it goes before it is paid. */
  | 'terms'
  /** The risk that a payment is a fraud. */
  | 'risk'
  | { set: SkipReason }
  | { no: SkipReason }
  | { zero: SkipReason }

/** Words by their meaning: texts of words between commas, one for each language. */
type Words = Readonly<Record<string, readonly string[]>>

/**
 * Words for a part of an order, before or behind another word (`partially_refunded`); for a buyer who comes to the shop, and
 * for a shop or locker to which a carrier brings it; for what is not shipped; and for payment later or at the door.
 */
const [PART, COLLECTING, TO_A_SHOP, NOTHING_TO_SHIP, ON_TERMS] = (
  ['part', 'collecting', 'to_a_shop', 'nothing_to_ship', 'on_terms'] as const
).map((name) => new RegExp(data.patterns[name])) as [RegExp, RegExp, RegExp, RegExp, RegExp]

/** The reasons that are told of a part. An order that is paid in part is unpaid. */
const PARTS: Readonly<Record<string, SkipReason>> = {
  ...Object.fromEntries(
    ['', 'fulfillment', 'fulfilment', 'shipment', 'lieferung'].map((word) => [word, 'sent']),
  ),
  refund: 'refunded',
}

type Index = ReadonlyMap<string, StatusMeaning>

function indexOf(words: Words): Index {
  return new Map(
    Object.entries(words).flatMap(([meaning, texts]) =>
      keysOf(texts).map((key) => [key, meaning as SkipReason | 'send'] as const),
    ),
  )
}

/** Case, accents and punctuation do not count. */
function keysOf(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(',').map((word) => stripUnderscores(headerKey(word))))
}

/** Built on demand: the headers of most files are the columns' own names. */
let kinds: ReadonlyMap<string, Status> | undefined

/** `vague`: its header means a region as often as a status, and a word that is not known there is no doubt. */
type Status = { kind: StatusKind; vague: boolean }

/** Returns the kind of status under a header (`headerKey`); undefined for another column. */
export function statusKind(key: string): Status | undefined {
  kinds ??= new Map(
    data.headers.flatMap(({ kind, headers, vague = false }) =>
      keysOf(headers).map((each) => [each, { kind: kind as StatusKind, vague }] as const),
    ),
  )
  return kinds.get(stripUnderscores(key))
}

/** Returns the function that reads the words of a file with these header keys: their meaning, undefined for unknown ones. */
export function statusReader(
  keys: readonly string[],
): (text: string, kind: 'order' | 'payment' | 'fulfilment') => StatusMeaning | undefined {
  const { words, tools } = data
  const all = indexOf(words.all)
  const tool = tools.find(({ signatures }) =>
    signatures.some((each) => each.every((key) => keys.includes(key))),
  )
  const own = {
    order: indexOf(tool?.order ?? {}),
    payment: indexOf(words.payment),
    fulfilment: indexOf(words.fulfilment),
  }
  return (text, kind) => {
    const find = (word: string): StatusMeaning | undefined => own[kind].get(word) ?? all.get(word)
    for (const part of [text, headOf(text)]) {
      const word = stripUnderscores(headerKey(part)).replace(/^wc(?=.)/, '')
      const meaning = find(word) ?? partOf(word, find)
      if (meaning !== undefined) return meaning
    }
    return undefined
  }
}

function partOf(word: string, find: (word: string) => StatusMeaning | undefined): StatusMeaning | undefined {
  if (!PART.test(word)) return undefined
  const rest = word.replace(PART, '')
  const whole = PARTS[rest] ?? find(rest)
  return whole === undefined || whole === 'send' || typeof whole === 'object' ? undefined : { part: whole }
}

/** `Cancelled - by the buyer`, `Shipped (18/11)`: the words before a remark. */
function headOf(text: string): string {
  return text.split(/\s[-–—]\s|[(,;:]|\s(?:by|on|via|per|am|le|el|il)\s/i)[0] ?? ''
}

/** Returns the reason for which a way to the buyer needs no parcel; undefined for any other. */
export function methodReason(text: string): SkipReason | undefined {
  const words = plain(text)
  if (NOTHING_TO_SHIP.test(words)) return 'no_shipping'
  return COLLECTING.test(words) && !TO_A_SHOP.test(words) ? 'collected' : undefined
}

/** Returns whether an order with these terms or this way of paying goes before it is paid. */
export function isOnTerms(text: string): boolean {
  return ON_TERMS.test(plain(text))
}

function plain(text: string): string {
  return foldForSearch(text)
    .replaceAll('+', ' plus ')
    .replaceAll('&', ' and ')
    .replaceAll(/[\s_/-]+/g, ' ')
    .trim()
}
