import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MENU_FILE_KIND } from '../../../src/commands/business/menu/kind.ts'
import type { FileKind } from '../../../src/tabular/columns/columns.ts'
import { mapHeaders } from '../../../src/tabular/columns/map.ts'
import { listMappedColumns } from '../../../src/tabular/columns/mapping.ts'
import { findColumn, unitInHeader } from '../../../src/tabular/columns/match.ts'
import { readTable } from '../../../src/tabular/csv/read.ts'
import { getManifestColumn } from '../../../src/tabular/manifest/columns.ts'
import { MANIFEST_FILE_KIND } from '../../../src/tabular/manifest/kind.ts'
import { parseTestManifest } from '../../support/manifests.ts'

/** Returns the header found for each column, in a file with one row. */
function columnsOf(headers: string, row?: string): Record<string, string> {
  const cells = row ?? headers.replaceAll(/[^;]+/g, 'x')
  const table = readTable(`${headers}\n${cells}\n`, { delimiter: ';' })
  const { mapping } = mapHeaders(MANIFEST_FILE_KIND, table)
  return Object.fromEntries(listMappedColumns(mapping).map(({ column, header }) => [column, header]))
}

function names(kind: FileKind, header: string): string | undefined {
  return findColumn(kind, header).match?.column
}

/** Headers as clerks and merchants write them, by column: typed, not made of the words that the reader knows. */
function listedHeaders(kind: 'manifest' | 'menu'): { column: string; header: string }[] {
  const lines = readFileSync(new URL(`../../support/headers/${kind}.txt`, import.meta.url), 'utf8').split(
    '\n',
  )
  return lines.flatMap((line) => {
    const [, column, headers] = /^(\w+): (.*)$/.exec(line) ?? []
    return column === undefined ? [] : (headers ?? '').split(' | ').map((header) => ({ column, header }))
  })
}

describe.each<['manifest' | 'menu', FileKind]>([
  ['manifest', MANIFEST_FILE_KIND as unknown as FileKind],
  ['menu', MENU_FILE_KIND as unknown as FileKind],
])('the usual headers of a %s', (name, kind) => {
  test('are found in five languages, in capitals and without their accents', () => {
    const listed = listedHeaders(name)
    expect(listed.length).toBeGreaterThan(140)
    for (const { column, header } of listed)
      for (const written of [header, header.toUpperCase(), header.normalize('NFD').replaceAll(/\p{M}/gu, '')])
        expect([written, names(kind, written)]).toEqual([written, column])
  })
})

test.each([
  'Firma',
  'Largo',
  'Tiefe',
  'Profondeur',
  'Fondo',
  'Profondità',
  'Produkt',
  'Producto',
  'Stato',
  'État',
  'Estado',
  'Nr.',
  'N°',
  'Número',
])('the ambiguous %s is never used alone', (header) => {
  expect(names(MANIFEST_FILE_KIND as unknown as FileKind, header)).toBeUndefined()
})

describe('headers of shops and spreadsheets', () => {
  test.each<[string, string, Record<string, string>]>([
    [
      'German',
      'Bestell-Nr.;Firma;Vorname;Name;Straße;Hausnr.;Adresszusatz;PLZ;Ort;Land;Telefon;E-Mail;Gewicht (kg);Länge (cm);Breite (cm);Höhe (cm);Inhalt;Warenwert;Währung;Versandart;Hinweise',
      {
        reference: 'Bestell-Nr.',
        recipient_name: 'Vorname + Name',
        company: 'Firma',
        address_line1: 'Straße + Hausnr.',
        address_line2: 'Adresszusatz',
        city: 'Ort',
        postal_code: 'PLZ',
        country_code: 'Land',
        phone: 'Telefon',
        email: 'E-Mail',
        weight_grams: 'Gewicht (kg)',
        length_mm: 'Länge (cm)',
        width_mm: 'Breite (cm)',
        height_mm: 'Höhe (cm)',
        service_level: 'Versandart',
        description: 'Inhalt',
        declared_value: 'Warenwert',
        currency: 'Währung',
        instructions: 'Hinweise',
      },
    ],
    [
      'German in capitals without umlauts',
      'AUFTRAGSNUMMER;EMPFAENGER;STRASSE;PLZ;ORT;GEWICHT IN G;LAENGE;BREITE;HOEHE',
      {
        reference: 'AUFTRAGSNUMMER',
        recipient_name: 'EMPFAENGER',
        address_line1: 'STRASSE',
        city: 'ORT',
        postal_code: 'PLZ',
        weight_grams: 'GEWICHT IN G',
        length_mm: 'LAENGE',
        width_mm: 'BREITE',
        height_mm: 'HOEHE',
      },
    ],
    [
      'French',
      "N° de commande;Nom du destinataire;Société;Adresse de livraison;Complément d'adresse;Code postal;Ville;Pays;Téléphone;Courriel;Poids (kg);Longueur;Largeur;Profondeur;Contenu;Valeur déclarée;Mode de livraison;Remarques",
      {
        reference: 'N° de commande',
        recipient_name: 'Nom du destinataire',
        company: 'Société',
        address_line1: 'Adresse de livraison',
        address_line2: "Complément d'adresse",
        city: 'Ville',
        postal_code: 'Code postal',
        country_code: 'Pays',
        phone: 'Téléphone',
        email: 'Courriel',
        weight_grams: 'Poids (kg)',
        length_mm: 'Longueur',
        width_mm: 'Largeur',
        height_mm: 'Profondeur',
        service_level: 'Mode de livraison',
        description: 'Contenu',
        declared_value: 'Valeur déclarée',
        instructions: 'Remarques',
      },
    ],
    [
      'Spanish',
      'Nº de pedido;Nombre;Apellidos;Empresa;Dirección;Código postal;Población;Provincia;País;Móvil;Correo electrónico;Peso;Largo (cm);Ancho (cm);Alto (cm);Descripción;Valor;Firma',
      {
        reference: 'Nº de pedido',
        recipient_name: 'Nombre + Apellidos',
        company: 'Empresa',
        address_line1: 'Dirección',
        city: 'Población',
        region: 'Provincia',
        postal_code: 'Código postal',
        country_code: 'País',
        phone: 'Móvil',
        email: 'Correo electrónico',
        weight_grams: 'Peso',
        length_mm: 'Largo (cm)',
        width_mm: 'Ancho (cm)',
        height_mm: 'Alto (cm)',
        description: 'Descripción',
        declared_value: 'Valor',
        signature_required: 'Firma',
      },
    ],
    [
      'Italian',
      'Numero ordine;Cognome;Nome;Ragione sociale;Indirizzo;Numero civico;CAP;Città;Prov.;Paese;Cellulare;Peso lordo (kg);Lunghezza;Largo;Altezza;Merce;Firma;Note',
      {
        reference: 'Numero ordine',
        recipient_name: 'Nome + Cognome',
        company: 'Ragione sociale',
        address_line1: 'Indirizzo + Numero civico',
        city: 'Città',
        region: 'Prov.',
        postal_code: 'CAP',
        country_code: 'Paese',
        phone: 'Cellulare',
        weight_grams: 'Peso lordo (kg)',
        length_mm: 'Lunghezza',
        width_mm: 'Largo',
        height_mm: 'Altezza',
        description: 'Merce',
        signature_required: 'Firma',
        instructions: 'Note',
      },
    ],
    [
      'English',
      'Order number;First name;Surname;House number;Street;Town;Postcode',
      {
        reference: 'Order number',
        recipient_name: 'First name + Surname',
        address_line1: 'House number + Street',
        city: 'Town',
        postal_code: 'Postcode',
      },
    ],
  ])('%s', (_, headers, columns) => {
    expect(columnsOf(headers)).toEqual(columns)
  })

  test.each([
    ['a German Name is the whole one without a Vorname', 'Name;PLZ;Ort', { recipient_name: 'Name' }],
    ['a French Nom is the whole one without a Prénom', 'Nom;Ville', { recipient_name: 'Nom' }],
    ['an Italian Nome is the whole one without a Cognome', 'Nome;Città', { recipient_name: 'Nome' }],
    ['a family name alone is no name', 'Cognome;Città', { recipient_name: undefined }],
    ['a depth is the side that is missing', 'Breite;Höhe;Tiefe', { length_mm: 'Tiefe', height_mm: 'Höhe' }],
    ['a Firma is one only where the language is clear', 'Firma;Mail', { company: undefined }],
    ['the sender is no recipient', 'Absender Name;Absender Straße;Name;Straße', { recipient_name: 'Name' }],
  ])('%s', (_, headers, columns) => {
    expect(columnsOf(headers)).toMatchObject(
      Object.fromEntries(Object.entries(columns).filter(([, header]) => header !== undefined)),
    )
    for (const [column, header] of Object.entries(columns)) expect(columnsOf(headers)[column]).toBe(header)
  })

  test.each([
    'Dimensions (LxWxH) cm',
    'Maße (L x B x H) cm',
    'Abmessungen LxBxH in cm',
    'Dimensions (L x l x H) en cm',
    'Medidas (largo x ancho x alto) cm',
  ])('%s is one column for three sides', (header) => {
    expect(columnsOf(header)).toEqual({ dimensions: header })
    expect(unitInHeader(header, getManifestColumn('dimensions'))).toBe('cm')
  })

  test('the destination is the recipient', () => {
    const headers = 'Zielort;Pays de destination;Código postal de destino;Indirizzo di destinazione'
    expect(columnsOf(headers)).toEqual({
      city: 'Zielort',
      country_code: 'Pays de destination',
      postal_code: 'Código postal de destino',
      address_line1: 'Indirizzo di destinazione',
    })
  })

  test('an English word comes before one that means the same in another language', () => {
    expect(columnsOf('Name;Contact;Email;Mail;Phone number;Portable')).toEqual({
      recipient_name: 'Name',
      email: 'Email',
      phone: 'Phone number',
    })
  })

  test('Nr. is the number of the house beside a street without numbers, and nothing anywhere else', () => {
    const headers = 'Nr.;Referenz;Straße;Nr;PLZ'
    expect(columnsOf(headers, '1;A1;Lange Gasse;12b;E1 6EA')['address_line1']).toBe('Straße + Nr')
    expect(columnsOf(headers, '1;A1;Lange Gasse 12b;7;E1 6EA')['address_line1']).toBe('Straße')
  })

  test('the error for an ambiguous word lists its columns', () => {
    const table = readTable('Referenz;Ort;PLZ;Produkt;Stato\n1;2;3;4;5')
    expect(mapHeaders(MANIFEST_FILE_KIND, table).vague).toEqual([
      { header: 'Produkt', columns: ['description', 'service_level'] },
      { header: 'Stato', columns: ['region', 'country_code'] },
    ])
    const missing = mapHeaders(MANIFEST_FILE_KIND, readTable('Nr.;Ort;PLZ\n1;2;3')).missing
    expect(missing.find(({ column }) => column === 'reference')?.headers).toEqual(['Nr.'])
  })
})

test('--map-only shows what two columns make together', () => {
  const table = readTable('Vorname;Name;Straße;Hausnr.\nJürgen;Groß;Lange Gasse;12b')
  expect(
    listMappedColumns(mapHeaders(MANIFEST_FILE_KIND, table).mapping).map(({ sample }) => sample),
  ).toEqual(['Jürgen Groß', 'Lange Gasse 12b'])
})

test('a German manifest of semicolons and decimal commas becomes a parcel', () => {
  const { rows } = parseTestManifest(
    [
      'Versandliste November;;;;;;;;;;;;',
      'Bestellnummer;Vorname;Nachname;Straße;Nr.;PLZ;Ort;Land;Gewicht in kg;Maße (cm);Warenwert;Unterschrift;Versandart',
      'B-1;Jürgen;Groß;Lange Gasse;12b;E1 6EA;London;Großbritannien;1,25;30,5 x 20 x 10;1.234,50;ja;48h',
    ].join('\r\n'),
  )
  expect(rows[0]?.errors).toEqual([])
  expect(rows[0]?.draft).toEqual({
    reference: 'B-1',
    recipient: {
      contact: { name: 'Jürgen Groß' },
      address: { line1: 'Lange Gasse 12b', city: 'London', postal_code: 'E1 6EA', country_code: 'GB' },
    },
    parcel: {
      weight_grams: 1250,
      length_mm: 305,
      width_mm: 200,
      height_mm: 100,
      declared_value: { amount: 123450, currency: 'GBP' },
    },
    service_level: 'two_day',
    options: { signature_required: true },
  })
})

test('a Polish manifest is read, and never the sender or the payer of it', () => {
  const { rows, unknown } = parseTestManifest(
    `${[
      'Nr zamówienia;Nadawca;Adres nadawcy;Odbiorca;Ulica;Nr domu;Kod pocztowy;Miejscowość;Kraj;Telefon;E-mail;Waga (kg);Długość (cm);Szerokość (cm);Wysokość (cm);Zawartość;Uwagi;Miasto płatnika',
      'Z-1;Sklep Róża;1 Rose Road;Łucja Żak;Lamb Street;14;E1 6EA;London;Wielka Brytania;020 7946 0123;lucja@example.com;1,25;30;20;10;Książki;Dzwonić;Leeds',
    ].join('\n')}\n`,
  )
  expect(rows[0]?.errors).toEqual([])
  expect(rows[0]?.draft).toMatchObject({
    reference: 'Z-1',
    recipient: {
      contact: { name: 'Łucja Żak', phone: '+442079460123', email: 'lucja@example.com' },
      address: { line1: 'Lamb Street 14', city: 'London', postal_code: 'E1 6EA', country_code: 'GB' },
    },
    parcel: { weight_grams: 1250, length_mm: 300, width_mm: 200, height_mm: 100, description: 'Książki' },
  })
  expect(unknown).toEqual(['Nadawca', 'Adres nadawcy', 'Miasto płatnika'])
})

test('Polish headers are read without their letters, too, and so are those of a menu', () => {
  expect(columnsOf('Numer zamowienia;Imie i nazwisko;Miejscowosc;Dlugosc (cm)')).toEqual({
    reference: 'Numer zamowienia',
    recipient_name: 'Imie i nazwisko',
    city: 'Miejscowosc',
    length_mm: 'Dlugosc (cm)',
  })
  const menu = ['Kategoria', 'Nazwa', 'Cena', 'Opis', 'Alergeny', 'Cena zakupu']
  expect(menu.map((header) => names(MENU_FILE_KIND as unknown as FileKind, header))).toEqual([
    'category',
    'name',
    'price',
    'description',
    'allergens',
    'cost',
  ])
})

test('the numbered lines of an address that name their part are that part', () => {
  expect(
    columnsOf(
      'Consignee;Address Line 1 - Property/Street;Address Line 2 - Locality;Address Line 3 - City;Address Line 4 - County;Billing Address Line 3 - City',
    ),
  ).toEqual({
    recipient_name: 'Consignee',
    address_line1: 'Address Line 1 - Property/Street',
    address_line2: 'Address Line 2 - Locality',
    city: 'Address Line 3 - City',
    region: 'Address Line 4 - County',
  })
})

test('the columns of services in a file of Evri are read', () => {
  expect(
    columnsOf('Address_line_1;Postcode;Weight(Kg);Signature(y/n);Delivery_safe_place;Delivery_phone'),
  ).toEqual({
    address_line1: 'Address_line_1',
    postal_code: 'Postcode',
    phone: 'Delivery_phone',
    weight_grams: 'Weight(Kg)',
    signature_required: 'Signature(y/n)',
    leave_safe_place: 'Delivery_safe_place',
  })
})

test('the name of an item goes before a column that is only called item', () => {
  const table = readTable('Item,Item Name,Section,Price\n1,Laksa,Soups,9.00\n')
  const { mapping, ambiguous, unknown } = mapHeaders(MENU_FILE_KIND as unknown as FileKind, table)
  expect(ambiguous).toEqual([])
  expect(unknown).toEqual(['Item'])
  expect(listMappedColumns(mapping).find(({ column }) => column === 'name')?.header).toBe('Item Name')
  expect(names(MENU_FILE_KIND as unknown as FileKind, 'Item')).toBe('name')
})
