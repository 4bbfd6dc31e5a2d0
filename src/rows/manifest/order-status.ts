/**
 * The statuses of orders in the exports of shops, tills and shipping tools, as data: the headers under which a status
 * stands, and the meaning of its words. Facts only: from the tools' own documentation and exports.
 */
import { headerKey, squash } from '../csv/keys.ts'

/** Why an order should not be sent, in the words of `--include`. Of several reasons, the first is shown. */
export const LEFT_OUT_REASONS = [
  'cancelled',
  'refunded',
  'voided',
  'unpaid',
  'on_hold',
  'draft',
  'sent',
  'no_shipping',
  'collected',
] as const

export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

/** The reasons in the plain words of reports. */
export const REASON_WORDS: Readonly<Record<LeftOutReason, string>> = {
  cancelled: 'cancelled',
  refunded: 'refunded',
  voided: 'voided',
  unpaid: 'unpaid',
  on_hold: 'on hold',
  draft: 'draft',
  sent: 'sent already',
  no_shipping: 'without shipping',
  collected: 'collected by the customer',
}

/** The sentences about an order that is left out, by its reason. */
export const LEFT_OUT_TEXTS: Readonly<Record<LeftOutReason, string>> = {
  cancelled: 'The order is cancelled.',
  refunded: 'The order is refunded.',
  voided: 'The payment is voided.',
  unpaid: 'The order is not paid.',
  on_hold: 'The order is on hold.',
  draft: 'The order is a draft.',
  sent: 'The order is sent already.',
  no_shipping: 'The order needs no shipping.',
  collected: 'The customer collects the order.',
}

/** The meaning of a status: the order is to be sent, is left out for a reason, or for a part of it. */
export type Meaning = 'send' | LeftOutReason | { part: LeftOutReason }

/** How a column says a status: by a word, or by being filled, zero, or answered with yes or no. */
export type StatusKind =
  | 'order'
  | 'payment'
  | 'fulfilment'
  /** How the order reaches its buyer: most of its words are services. */
  | 'method'
  /** Words that excuse an unpaid order: it goes before it is paid. */
  | 'terms'
  /** How likely a payment is a fraud. */
  | 'risk'
  | { set: LeftOutReason }
  | { no: LeftOutReason }
  | { zero: LeftOutReason }

/** The words between commas. */
function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** Headers by the kind of status that stands under them. Case, accents and punctuation do not count. */
const HEADERS: readonly (readonly [StatusKind, readonly string[]])[] = [
  [
    'order',
    words(`
      Status, Order status, Order state, Sale status, Item status, Order item status,
      Bestellstatus, Auftragsstatus, Status der Bestellung,
      Statut, Statut de la commande, Statut commande, État de la commande, État commande,
      Estatus, Estado del pedido, Estado pedido, Estado de la orden,
      Stato ordine, Stato dell'ordine, Stato del ordine,
    `),
  ],
  [
    'payment',
    words(`
      Financial status, Payment status, Payment state, Billing status,
      Zahlungsstatus, Bezahlstatus, Status der Zahlung,
      Statut du paiement, Statut de paiement, État du paiement, Statut paiement,
      Estado del pago, Estado de pago, Estado pago,
      Stato del pagamento, Stato pagamento, Stato di pagamento,
    `),
  ],
  [
    'fulfilment',
    words(`
      Fulfillment status, Fulfilment status, Fulfillment state, Lineitem fulfillment status,
      Shipping status, Shipment status, Delivery status, Dispatch status,
      Versandstatus, Lieferstatus,
      Statut d'expédition, Statut de l'expédition, Statut de livraison, Statut de la livraison,
      Estado del envío, Estado de envío, Estado de la entrega,
      Stato della spedizione, Stato spedizione, Stato di spedizione, Stato consegna,
    `),
  ],
  [
    'method',
    words(`
      Shipping method, Shipping method title, Delivery method, Fulfillment type, Fulfilment type,
      Order type, Delivery type, Versandart, Lieferart, Mode de livraison, Mode d'expédition,
      Método de envío, Forma de envío, Metodo di spedizione, Metodo di consegna,
    `),
  ],
  [
    'terms',
    words(`
      Payment terms, Payment terms name, Payment method, Payment method title, Payment type,
      Zahlungsart, Zahlungsmethode, Mode de paiement, Moyen de paiement,
      Forma de pago, Método de pago, Metodo di pagamento, Modalità di pagamento,
    `),
  ],
  ['risk', ['Risk level', 'Risk', 'Fraud risk']],
  [
    { set: 'cancelled' },
    words(`
      Cancelled at, Canceled at, Cancelled on, Cancelled date, Date cancelled, Cancelled,
      Canceled, Is buyer requested cancellation, Storniert, Storniert am,
      Annulé, Annulé le, Cancelado, Annullato,
    `),
  ],
  [{ set: 'refunded' }, ['Refunded at', 'Refunded on', 'Date refunded']],
  [
    { set: 'sent' },
    words(`
      Date shipped, Shipped date, Shipped at, Shipped on, Shipped on date, Shipped,
      Dispatched, Dispatched at, Dispatched on, Date dispatched, Already sent, Sent,
      Versendet, Versendet am, Versandt, Expédié, Expédié le, Enviado, Spedito,
    `),
  ],
  [{ no: 'no_shipping' }, ['Requires shipping', 'Lineitem requires shipping', 'Needs shipping']],
  [{ no: 'unpaid' }, ['Paid', 'Is paid', 'Bezahlt', 'Payé', 'Pagado', 'Pagato']],
  [{ zero: 'sent' }, ['Quantity to ship']],
  // An item that was taken out of the order.
  [{ zero: 'no_shipping' }, ['Lineitem quantity']],
]

/** Headers that mean a region as often as a status: a word that is not known there is no doubt. */
const VAGUE_HEADERS = ['Estado', 'Stato', 'État']

type Words = Partial<Record<LeftOutReason | 'send', readonly string[]>>

/** Words that mean the same under each header of a status. */
const WORDS: Words = {
  cancelled: words(`
      cancelled, canceled, cancelled by buyer, cancelled by customer, cancelled by seller,
      order cancelled, order canceled, restocked, declined, trash, deleted, will not deliver,
      storniert, storno, abgebrochen, gelöscht,
      annulé, annulée, commande annulée, cancelado, cancelada, anulado, anulada,
      annullato, annullata, cancellato, cancellata,
    `),
  refunded: words(`
      refunded, fully refunded, refund, refund issued, chargeback, charged back, reversed,
      erstattet, rückerstattet, zurückerstattet, rückerstattung, vollständig erstattet,
      remboursé, remboursée, remboursement, reembolsado, reembolsada, rimborsato, rimborsata,
    `),
  voided: ['voided', 'void'],
  unpaid: words(`
      unpaid, not paid, not yet paid, pending payment, payment pending, awaiting payment,
      waiting for payment, awaiting check payment, awaiting cheque payment, payment due, overdue,
      awaiting bank transfer, awaiting bank wire payment, payment required, payment overdue,
      failed, payment failed, payment error, payment declined, denied, expired,
      partially paid, partly paid, part paid, underpaid,
      unbezahlt, nicht bezahlt, noch nicht bezahlt, zahlung ausstehend, ausstehende zahlung,
      zahlung offen, warten auf zahlung, wartet auf zahlung, zahlung fehlgeschlagen,
      fehlgeschlagen, teilweise bezahlt, teilzahlung,
      impayé, impayée, non payé, non payée, en attente de paiement, en attente du paiement,
      attente paiement, paiement en attente, paiement échoué, échoué, échouée,
      erreur de paiement, partiellement payé, partiellement payée,
      impagado, impagada, no pagado, no pagada, sin pagar, pendiente de pago, pago pendiente,
      a la espera de pago, fallido, pago fallido, parcialmente pagado, parcialmente pagada,
      non pagato, non pagata, da pagare, in attesa di pagamento, in attesa del pagamento,
      pagamento in attesa, fallito, pagamento fallito, parzialmente pagato, parzialmente pagata,
    `),
  on_hold: words(`
      on hold, hold, held, holded, payment review, under review, suspected fraud, fraud,
      manual verification required, verification required, disputed, dispute, blocked, paused,
      in wartestellung, angehalten, zurückgestellt, zurückgehalten, gesperrt, pausiert,
      suspendu, suspendue, bloqué, bloquée, en espera, retenido, bloqueado, bloqueada,
      in sospeso, sospeso, bloccato,
    `),
  draft: words(`
      draft, checkout draft, auto draft, incomplete, abandoned, quote, quotation, cart,
      entwurf, brouillon, borrador, bozza,
    `),
  sent: words(`
      sent, shipped, already shipped, already sent, dispatched, despatched, fulfilled,
      delivered, complete, completed, in transit, out for delivery, posted,
      shipped and delivered, versendet, versandt, verschickt, zugestellt, geliefert,
      ausgeliefert, abgeschlossen, unterwegs,
      expédié, expédiée, envoyé, envoyée, livré, livrée, terminé, terminée,
      enviado, enviada, entregado, entregada, completado, completada, expedido,
      spedito, spedita, inviato, inviata, consegnato, consegnata, completato, completata,
      evaso, evasa,
    `),
  collected: words(`
      collected, collected by customer, picked up, ready for pickup, awaiting pickup,
      ready for customer pickup, abgeholt, abholbereit, bereit zur abholung,
      retiré, retirée, prêt à être retiré, recogido, recogida, listo para recoger,
      ritirato, ritirata, pronto per il ritiro,
    `),
  // Among them the results of this program, when somebody adds them to a sheet: created, rejected, not sent.
  send: words(`
    paid, new, open, processing, in process, in progress, processing in progress, placed,
    unshipped, unfulfilled, not fulfilled, not shipped, unsent, not dispatched, to ship,
    awaiting fulfillment, awaiting fulfilment, awaiting shipment, awaiting dispatch, to send,
    awaiting processing, awaiting shipping, pending fulfillment, pending fulfilment, ready,
    pending shipment, ready to ship, ready to send, ready for dispatch, ready for shipping,
    packed, packing, picking, picked, printed, prepared, preparing, proposed, reserved,
    received, accepted, confirmed, approved, payment accepted, payment received, captured,
    payment complete, payment completed, paid ship now, remote payment accepted, ok, active,
    preparation in progress, to do, todo, to be sent, not sent yet, label created, none,
    created, updated, duplicate, rejected, not sent, left out, pre transit,
    bezahlt, neu, offen, in bearbeitung, wird bearbeitet, bereit, versandbereit,
    versandfertig, nicht versendet, nicht versandt, bestätigt, verpackt, zu versenden,
    zahlung erhalten, payé, payée, nouveau, nouvelle, en cours, en cours de traitement,
    en préparation, en cours de préparation, préparation en cours, à expédier, à envoyer,
    prêt à expédier, non expédié, non expédiée, paiement accepté, confirmé, confirmée,
    pagado, pagada, nuevo, nueva, abierto, procesando, en proceso, en preparación,
    preparando, por enviar, para enviar, no enviado, sin enviar, confirmado, confirmada,
    pago aceptado, listo para enviar, pagato, pagata, nuovo, nuova, aperto,
    in lavorazione, in elaborazione, in preparazione, da spedire, da evadere, non spedito,
    pronto per la spedizione, confermato, confermata, pagamento accettato,
  `),
}

/** Words that mean something else under headers of one kind. */
const OF_KIND: Readonly<Record<'order' | 'payment' | 'fulfilment', Words>> = {
  order: {},
  payment: {
    unpaid: words(`
      pending, open, due, none, no, partial, declined, rejected, not sent,
      offen, ausstehend, en attente, pendiente, in attesa, in sospeso,
    `),
    send: ['complete', 'completed', 'yes', 'abgeschlossen', 'completado', 'completato', 'terminé'],
  },
  fulfilment: {
    send: ['pending', 'scheduled', 'no', 'ausstehend', 'en attente', 'pendiente', 'in attesa'],
    sent: ['yes', 'received'],
  },
}

/** Words of one tool, recognised by its columns. */
const OF_TOOL: readonly { keys: readonly (readonly string[])[]; order: Words }[] = [
  {
    // WooCommerce; exports translate its words.
    keys: [
      ['shipping_first_name', 'shipping_address_1', 'shipping_postcode'],
      ['first_name_shipping', 'postcode_shipping'],
    ],
    order: { unpaid: ['pending', 'ausstehend', 'in attesa'], on_hold: ['en attente'] },
  },
  // BigCommerce: the customer did not finish the checkout.
  { keys: [['total_shipped', 'combined_product_weight']], order: { draft: ['pending'] } },
  // Amazon: the payment is not authorised yet.
  { keys: [['amazon_order_id', 'order_status']], order: { unpaid: ['pending'] } },
  // Magento: a credit note made up for all of the order.
  { keys: [['purchase_point', 'status']], order: { refunded: ['closed'] } },
]

/** Words for a part of an order, before or behind another word: `partially_refunded`, `teilweise versendet`. */
const PART = /^(?:partially|partly|partial|part|teilweise|teil|partiellement|parcialmente|parzialmente)/

/** The reasons that are told of a part. An order that is paid in part is unpaid. */
const PARTS: Readonly<Record<string, LeftOutReason>> = {
  ...Object.fromEntries(
    ['', 'fulfillment', 'fulfilment', 'shipment', 'lieferung'].map((word) => [word, 'sent']),
  ),
  refund: 'refunded',
}

/** The buyer comes to the shop, in the words of checkouts. */
const COLLECTING =
  /^(?:(?:free|local|store|in ?store|in ?shop|shop|customer|curbside|kerbside) )*(?:pick ?up|collection|collect|click (?:and|n) collect|click collect)(?: (?:in|at|from|by|instore|store|shop|only|free)\b.*| ?[:(].*)?$|^(?:selbst ?)?abhol(?:ung|er)(?: .*)?$|^retrait(?: .*)?$|^recogida(?: .*)?$|^ritiro(?: .*)?$|^in ?person$|^inperson$|^dine ?in$/

/** A carrier brings it to a shop or locker near the buyer: it is sent. */
const TO_A_SHOP =
  /locker|parcel ?shop|post ?office|inpost|relais|relay|packstation|paket|punto|point|plus|\b(?:ups|dpd|dhl|gls|evri|hermes|yodel)\b/

const NOTHING_TO_SHIP =
  /^(?:digital|download|gift card|no shipping|not shipped|virtual|e ?mail)(?: (?:only|required|needed|delivery|order|item|product|download))*$/

/** The buyer pays later or at the door, and the order goes before. */
const ON_TERMS =
  /^net \d+|fulfil+ment|on account|invoice|rechnung|cash on delivery|collect on delivery|pay(?:ment)? on delivery|\bcod\b|nachnahme|contre remboursement|contra ?reembolso|contrassegno/

type Index = ReadonlyMap<string, Meaning>

function indexOf(words: Words): Index {
  return new Map(
    Object.entries(words).flatMap(([meaning, list]) =>
      list.map((word) => [squash(headerKey(word)), meaning as LeftOutReason | 'send'] as const),
    ),
  )
}

const KINDS = new Map(
  HEADERS.flatMap(([kind, headers]) => headers.map((header) => [squash(headerKey(header)), kind] as const)),
)
const VAGUE = new Set(VAGUE_HEADERS.map((header) => squash(headerKey(header))))

/** Returns the kind of status under a header (`headerKey`); undefined for another column. */
export function statusKind(key: string): { kind: StatusKind; vague: boolean } | undefined {
  const squashed = squash(key)
  const kind = KINDS.get(squashed)
  if (kind !== undefined) return { kind, vague: false }
  return VAGUE.has(squashed) ? { kind: 'order', vague: true } : undefined
}

/** Returns the function that reads the words of a file with these header keys: their meaning, undefined for unknown ones. */
export function statusReader(
  keys: readonly string[],
): (text: string, kind: 'order' | 'payment' | 'fulfilment') => Meaning | undefined {
  const all = indexOf(WORDS)
  const present = new Set(keys)
  const tool = OF_TOOL.find((each) => each.keys.some((set) => set.every((key) => present.has(key))))
  const own = {
    order: indexOf({ ...OF_KIND.order, ...tool?.order }),
    payment: indexOf(OF_KIND.payment),
    fulfilment: indexOf(OF_KIND.fulfilment),
  }
  return (text, kind) => {
    const find = (word: string): Meaning | undefined => own[kind].get(word) ?? all.get(word)
    for (const part of [text, headOf(text)]) {
      const word = squash(headerKey(part)).replace(/^wc(?=.)/, '')
      const meaning = find(word) ?? partOf(word, find)
      if (meaning !== undefined) return meaning
    }
    return undefined
  }
}

function partOf(word: string, find: (word: string) => Meaning | undefined): Meaning | undefined {
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
export function methodReason(text: string): LeftOutReason | undefined {
  const words = plain(text)
  if (NOTHING_TO_SHIP.test(words)) return 'no_shipping'
  return COLLECTING.test(words) && !TO_A_SHOP.test(words) ? 'collected' : undefined
}

/** Returns whether an order with these terms or this way of paying goes before it is paid. */
export function isOnTerms(text: string): boolean {
  return ON_TERMS.test(plain(text))
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('+', ' plus ')
    .replaceAll('&', ' and ')
    .replaceAll(/[\s_/-]+/g, ' ')
    .trim()
}
