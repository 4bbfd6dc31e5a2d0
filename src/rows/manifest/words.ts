/** The names of a manifest's columns in other languages. No word may name two columns: see `shared` and `vague`. */
import type { Dictionary } from '../columns/dictionary.ts'
import type { ColumnName } from './column-names.ts'
import { FRENCH } from './words/french.ts'
import { GERMAN } from './words/german.ts'
import { ITALIAN } from './words/italian.ts'
import { SPANISH } from './words/spanish.ts'

/** Beside the street it is the number of the house. */
export const NUMBER_WORDS: readonly string[] = [
  'Nr.',
  'No.',
  'N°',
  'Nº',
  'N.',
  'Num.',
  'Nummer',
  'Numéro',
  'Número',
  'Numero',
]

export const DICTIONARY: Dictionary<ColumnName> = {
  words: {
    de: GERMAN,
    fr: FRENCH,
    es: SPANISH,
    it: ITALIAN,
  },
  shared: {
    Firma: { de: 'company', es: 'signature_required', it: 'signature_required' },
    Largo: { es: 'length_mm', it: 'width_mm' },
  },
  vague: [
    // The three sides of a box: which two of them a tool calls otherwise differs.
    {
      words: ['Tiefe', 'Profondeur', 'Profundidad', 'Fondo', 'Profondità'],
      columns: ['length_mm', 'height_mm'],
      whenLeft: true,
    },
    // The goods, or what the carrier sells.
    { words: ['Produkt', 'Produit', 'Producto', 'Prodotto'], columns: ['description', 'service_level'] },
    // A part of the country, the country, or how far the order is.
    { words: ['Stato', 'État', 'Estado'], columns: ['region', 'country_code'] },
    // Could be the number of the order, of the house, or of the row.
    {
      words: NUMBER_WORDS,
      columns: ['reference', 'address_line1'],
    },
  ],
  owners: [
    'Empfänger',
    'Liefer',
    'Ziel',
    'du destinataire',
    'destinataire',
    'de livraison',
    'livraison',
    'de destination',
    'destination',
    'del destinatario',
    'destinatario',
    'de entrega',
    'de envío',
    'entrega',
    'envío',
    'de destino',
    'destino',
    'di consegna',
    'di spedizione',
    'consegna',
    'spedizione',
    'di destinazione',
    'destinazione',
  ],
  owned: new Set<ColumnName>([
    'recipient_name',
    'company',
    'address_line1',
    'address_line2',
    'city',
    'region',
    'postal_code',
    'country_code',
    'phone',
    'email',
  ]),
}

/** Names that stand in two columns. `Name`, `Nom`, `Nombre` and `Nome` are half of one only beside the other half. */
export const NAME_PAIRS: readonly { first: readonly string[]; last: readonly string[] }[] = [
  { first: ['First name', 'Forename', 'Given name'], last: ['Last name', 'Surname', 'Family name'] },
  { first: ['Vorname'], last: ['Nachname', 'Familienname', 'Zuname', 'Name'] },
  { first: ['Prénom'], last: ['Nom', 'Nom de famille'] },
  { first: ['Nombre', 'Nombres'], last: ['Apellidos', 'Apellido'] },
  { first: ['Nome'], last: ['Cognome'] },
]

/** A house number that stands in a column of its own belongs to the street. */
export const HOUSE_NUMBERS: readonly string[] = [
  'House number',
  'House no.',
  'Street number',
  'Hausnummer',
  'Haus-Nr.',
  'Hausnr.',
  'HNr.',
  'Numéro de rue',
  'N° de rue',
  'Numéro de voie',
  'N° de voie',
  'Número de calle',
  'Nº de calle',
  'Número de la calle',
  'Numero civico',
  'N. civico',
  'N° civico',
  'Nr. civico',
  'Civico',
]
