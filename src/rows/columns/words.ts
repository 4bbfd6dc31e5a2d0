/**
 * The words of headers, for both kinds of file. Each line is a meaning: its name, then its words in English, German,
 * French, Spanish and Italian. A header is read as meanings, so that no header has to be listed whole. Case, accents and
 * punctuation do not count, and `Größe` is also written `Groesse`.
 */
export const LANGUAGES = ['English', 'German', 'French', 'Spanish', 'Italian'] as const

export type Language = (typeof LANGUAGES)[number]

/** Words that say whose something is, or of what. */
export const OWNERS = `
recipient: recipient, consignee, receiver, addressee, ship to, shipped to, deliver to, delivered to, delivery to, send to, post to, to | Empfänger, Empfängers, Warenempfänger, Adressat, Lieferung an, Versand an, Abnehmer | destinataire, réceptionnaire, livré à, livrer à, expédier à | destinatario, consignatario, receptor, enviar a, entregar a | destinatario, ricevente, spedire a, consegnare a
delivery: delivery, deliver, shipping, ship, destination, dest, postage | Liefer, Lieferung, Zustell, Zustellung, Ziel, Versand | livraison, destination, expédition | entrega, envío, destino | consegna, spedizione, destinazione
customer: customer, client, cust | Kunde, Kunden | client | cliente | cliente
payer: billing, bill to, billed to, bill, invoice, invoice to, invoicing, payer, payor, payment, pay, sold to, buyer, purchaser, cardholder, account, accounts, ordered by, orderer, debtor, charge to | Rechnung, Rechnungs, Rechnungsempfänger, Zahler, Zahlung, Käufer, Besteller, Auftraggeber, Debitor, Kontoinhaber | facturation, facture, facturé à, payeur, paiement, acheteur, commanditaire, donneur d'ordre, débiteur | facturación, factura, facturar a, pagador, pago, comprador, ordenante, deudor | fatturazione, fattura, fatturare a, pagatore, pagamento, acquirente, compratore, ordinante, committente, intestatario
sender: sender, shipper, consignor, ship from, shipped from, from, return, returns, return to, pickup, pick up, collection, collect from, dispatch, despatch, seller, merchant, store, shop, exporter | Absender, Versender, Abhol, Abholung, Retoure, Retouren, Rücksende, Rückgabe, Verkäufer, Händler, Lieferant von, von | expéditeur, enlèvement, ramassage, retour, vendeur, boutique, magasin | remitente, expedidor, recogida, devolución, retorno, vendedor, tienda | mittente, ritiro, reso, restituzione, venditore, negozio
origin: origin | Herkunft | origine, provenance | origen, procedencia | origine, provenienza
carrier: carrier, courier, customs, manufacturer, importer, agent, broker, driver, employee, billing agent, user | Spediteur, Zoll, Hersteller, Fahrer, Vertreter, Mitarbeiter, Benutzer | transporteur, douane, fabricant, chauffeur, agent | transportista, aduana, fabricante, conductor, agente, usuario | corriere, dogana, produttore, autista, agente, utente
hub: hub, depot, warehouse | Lager, Depot, Standort | entrepôt, dépôt | almacén, depósito | magazzino, deposito
supplier: supplier, vendor | Lieferant, Lieferanten | fournisseur | proveedor | fornitore
item: item, items, line item, lineitem, article | Artikel, Position, Produkt, Stück, Einzel | article, produit, unitaire | artículo, producto, unitario | articolo, prodotto, unitario
product: product, products | Produkt | produit | producto | prodotto
variant: variant, variation, subscription, gift card | Variante | variante | variante | variante
unit: unit, each, piece | Einheit | unité, pièce | unidad, pieza | unità, pezzo
parcel: parcel, package, shipment, consignment, carton, box | Paket, Paketes, Sendung, Sendungs, Karton | colis, paquet, envoi | paquete, bulto | pacco, collo
modifier: modifier, option, choice, add on, addon | Option | option, supplément | opción | opzione
modifiers: modifiers, options, choices, add ons, addons, extras | Optionen | options, suppléments | opciones | opzioni
`

/** Words for what something is. */
export const PARTS = `
name: name, first and last name, first name last name | Name, Namen, Vor und Nachname, Vorname Nachname, Vorname und Nachname, Name Vorname | nom, nom et prénom, prénom et nom, nom prénom | nombre, nombre y apellidos, apellidos y nombre, nombre apellidos | nome, nome e cognome, cognome e nome, nome cognome, nominativo
full: full, complete, whole | vollständig | complet | completo | completo
first name: first name, forename, given name, firstname | Vorname | prénom | nombres, nombre de pila | nome di battesimo
last name: last name, surname, family name, lastname | Nachname, Familienname, Zuname | nom de famille | apellidos, apellido | cognome
title: title, salutation | Titel, Anrede | titre, civilité | título, tratamiento | titolo
contact: contact name, contact person, contact | Ansprechpartner, Kontaktperson, Kontakt | contact, nom du contact | contacto, persona de contacto, nombre de contacto, nombre del contacto | contatto, referente, nome contatto, nome del contatto
company: company, business, organisation, organization, firm | Unternehmen, Firma, Firmen | société, entreprise, raison sociale | empresa, compañía, sociedad, razón social | azienda, società, ditta, impresa, ragione sociale
address: address, addr, street address, address field | Adresse, Adress, Anschrift, Straßenanschrift | adresse, adresse postale | dirección, domicilio | indirizzo
street: street, street name, road | Straße, Str, Straßen, Gasse | rue, voie | calle | via
house number: house number, house no, house nr, street number, street no, building number, building no | Hausnummer, Haus-Nr., Hausnr., HNr., Straßennummer | numéro de rue, n° de rue, numéro de voie, n° de voie, numéro de la rue | número de calle, nº de calle, n° de calle, número de la calle, número de casa | numero civico, n. civico, n° civico, nr. civico, civico, num. civico
house name: house name, building name, property name, premises, building, house, house name or number, house name number, building name number | Gebäude, Hausname | bâtiment, immeuble, nom du bâtiment | edificio, nombre del edificio | edificio, palazzo
further: apt, apartment, flat, suite, floor, room, address complement, care of | Zusatz, Adresszusatz, Etage, Stockwerk, Wohnung | complément, complément d'adresse, complément adresse, étage, appartement | complemento, dirección adicional, piso, puerta, piso y puerta | interno, scala, piano, presso
line: line, row | Zeile | ligne | línea | riga
town: town, city, locality, suburb, post town, municipality, village | Ort, Stadt, Wohnort, Ortschaft, Gemeinde, Postort | ville, localité, commune | ciudad, localidad, población, municipio | città, comune, località
region: region, state, county, province | Bundesland, Kanton, Landkreis, Provinz, Region | région, département, province, canton, état | provincia, región, comunidad autónoma, estado | provincia, prov, sigla provincia, regione, stato
postcode: postcode, post code, postal code, zip, zip code, zipcode, p code, postal | PLZ, Postleitzahl, Postcode | code postal, CP | código postal, cód. postal, CP | CAP, codice postale, codice di avviamento postale, c.a.p.
country: country, nation | Land, Staat, Länder, Landes | pays, état | país, estado | paese, nazione, stato
phone: phone, telephone, tel, contact number, contact phone, contact tel | Telefon, Tel, Rufnummer, Fon | téléphone, tél | teléfono, tfno, tlf, telf, tel | telefono, tel
mobile: mobile, cell, cellphone, handphone, mob | Handy, Mobil, Mobiltelefon | portable, mobile | móvil, celular | cellulare, cell
email: email, e mail, email address, e mail address | E-Mail, E-Mail-Adresse | e-mail, courriel, adresse électronique, adresse e-mail, courrier électronique | e-mail, correo electrónico, dirección de correo electrónico | e-mail, posta elettronica, indirizzo di posta elettronica, indirizzo e-mail
mail: | Mail, Mailadresse | mail, adresse mail | mail, correo, dirección de correo | mail
order: order, purchase order, orders | Bestellung, Bestell, Auftrag, Auftrags, Bestellungs | commande | pedido, orden de compra | ordine
reference: reference, ref | Referenz, Ref, Zeichen | référence, réf | referencia, ref | riferimento, rif
number: number, no, nr, num, nbr, nos, order nr | Nummer, Nr | numéro, n, no, nr | número, núm, n, no, nro | numero, num, nr, n
code: code, id, identifier, iso, iso code, ids | Code, Kürzel, Kennzeichen, Kennung | code, identifiant, id | código, cód, id | codice, cod, sigla
weight: weight, wt, wgt, weights | Gewicht | poids | peso | peso
gross: gross | Brutto | brut | bruto | lordo
total: total, overall, combined | Gesamt | total | total | totale
length: length, len, lgth | Länge, Tiefe | longueur, long, profondeur | longitud, largo, profundidad, fondo | lunghezza, profondità
width: width, wide, breadth | Breite | largeur, larg | ancho, anchura | larghezza, largo
height: height, depth | Höhe, Tiefe | hauteur, haut, profondeur | alto, altura, profundidad, fondo | altezza, profondità
dimensions: dimensions, dimension, dims, dim, measurements | Abmessungen, Abmessung, Maße, Maß | dimensions, mesures | dimensiones, medidas | dimensioni, misure
size: size, sizes | | taille | tamaño | taglia
unit of measure: unit of measure, units of measure, unit of measurement, uom, units, measure unit | Maßeinheit, Gewichtseinheit, Längeneinheit, ME | unité de mesure | unidad de medida, unidades | unità di misura
service: service | Service, Dienst, Serviceart, Leistung | service | servicio | servizio
level: level | Stufe | niveau | nivel | livello
method: method, mode | Art, Methode, Weg | mode, méthode | método, forma, modalidad | metodo, modalità
type: type, kind | Typ | type | tipo | tipo
contents: contents, content | Inhalt, Inhalts | contenu | contenido | contenuto
goods: goods, merchandise, commodity | Ware, Waren | marchandise, marchandises, marchande | mercancía, mercancías | merce
description: description, desc, details | Beschreibung | description, nature | descripción | descrizione
designation: | Bezeichnung, Benennung | désignation, intitulé, libellé | denominación | denominazione
value: value | Wert, Gesamtwert | valeur | valor | valore
declared: declared, insured, insurance | Versicherungs, deklariert | déclarée, assurée | declarado, asegurado | dichiarato, assicurato
currency: currency, ccy | Währung, Währungs | devise, monnaie | moneda, divisa | valuta, divisa
signature: signature, pod, proof of delivery, sign | Unterschrift | signature | firma, con firma | firma, con firma
required: required, requested, obtain, needed | erforderlich, benötigt, gewünscht | requise, requis, obligatoire | requerida, requerido, requiere | richiesta, richiesto
safe place: safe place, safeplace, leave safe, leave safe place, leave in safe place, safe location | Ablageort, Abstellort, Wunschablageort, Abstellgenehmigung, Ablage | lieu sûr, endroit sûr, lieu de dépôt | lugar seguro | luogo sicuro
notes: notes, note, instructions, instruction, remarks, remark, comments, comment, message | Hinweis, Hinweise, Bemerkung, Bemerkungen, Anmerkung, Anmerkungen, Notiz, Notizen, Kommentar | instructions, consignes, remarque, remarques, commentaire, commentaires, observations | instrucciones, indicaciones, observaciones, notas, comentario, comentarios | istruzioni, note, osservazioni, annotazioni, commento, commenti
special: special, access | besondere | spéciales, particulières | especiales | speciali, particolari
cash on delivery: cash on delivery, cod, collect on delivery, payment on delivery, pay on delivery | Nachnahme | contre remboursement, contre-remboursement, remboursement | contra reembolso, contrareembolso, pago contra entrega | contrassegno, pagamento alla consegna
not before: not before, deliver after, deliver from, deliver not before, earliest delivery, earliest, deliver on or after, delivery not before, delivery from | nicht vor, frühestens, Lieferung ab, Zustellung ab, Lieferung frühestens, frühestes | pas avant, au plus tôt, livrer à partir du, à partir du | no antes de, no antes del, a partir de, a partir del | non prima del, non prima di, a partire dal, dal
date: date, day | Datum, Tag, Termin | date, jour | fecha, día | data, giorno
time: time, slot, window | Zeit, Uhrzeit, Zeitfenster | heure, créneau | hora, franja | ora, orario, fascia
status: status | Status | statut | situación | situazione
amount: amount, sum | Betrag, Summe | montant | importe, monto | importo
quantity to ship: quantity to ship, qty to ship | | | |
quantity: quantity, qty, quantities, quantity ordered, qty ordered, quantity purchased, pcs | Menge, Anzahl, Stückzahl | quantité, qté | cantidad, cant | quantità, qtà, qta
parcel count: number of parcels, number of packages, number of boxes, number of pieces, number of cartons, no of parcels, no of packages, no of boxes, no of pieces, parcels, packages, boxes, cartons, colli, pieces, parcel count, package count, parcel quantity, parcel qty, package quantity, total parcels, total packages, total pieces, labels | Anzahl Pakete, Paketanzahl, Pakete, Packstücke, Anzahl Packstücke, Anzahl Sendungen, Anzahl der Pakete, Kolli | nombre de colis, nb colis, nb de colis, nbre colis, nombre de paquets, quantité de colis | número de bultos, nº de bultos, n° de bultos, nº bultos, bultos, número de paquetes, cantidad de bultos, cantidad de paquetes, paquetes | numero colli, numero di colli, n. colli, n° colli, nr. colli, numero pacchi, numero di pacchi, pacchi, quantità colli
age: age, age check, age verification, minimum age, min age, age restricted, age restriction, over 18, age verified delivery, id check, identity check | Alterssichtprüfung, Altersprüfung, Mindestalter, Alter, Identitätsprüfung, Ab 18 | vérification d'âge, vérification de l'âge, âge minimum, contrôle d'identité, contrôle de l'âge | verificación de edad, edad mínima, comprobación de edad, control de identidad | verifica età, verifica dell'età, età minima, controllo identità
dangerous goods: dangerous goods, hazardous, hazardous goods, hazmat, un number, lithium batteries, contains lithium | Gefahrgut, Gefahrstoff, UN-Nummer | matières dangereuses, marchandises dangereuses | mercancías peligrosas | merci pericolose
saturday: saturday, saturday delivery, saturday guaranteed, weekend delivery | Samstagszustellung, Samstag, Samstagslieferung | livraison le samedi, samedi, livraison samedi | entrega en sábado, entrega sábado, sábado | consegna sabato, consegna di sabato, sabato
deliver by: deliver by, deliver before, delivery before, latest delivery, delivery deadline, delivery by, required by, required by date, needed by, needed by date, need by, need by date, delivery due date, delivery due, due by, in hands date, in hands by | spätestens, Lieferung bis, Zustellung bis | livrer avant, avant le, au plus tard | entregar antes de, antes de, a más tardar | consegnare entro, entro il, consegna entro
deliver on: deliver on, deliver on date, delivery date, delivery day, date of delivery, day of delivery, delivery on, preferred delivery date, preferred delivery day, desired delivery date, wanted delivery date, exact delivery date, nominated day, nominated date, nominated delivery date, deliver date, chosen delivery date, scheduled delivery date, scheduled delivery | Lieferdatum, Liefertermin, Liefertag, Zustelldatum, Zustelltermin, Zustelltag, Wunschtermin, Wunschtag, Wunschdatum, Wunschliefertermin, Wunschlieferdatum, Wunschliefertag, Wunschzustelltag, gewünschtes Lieferdatum, gewünschter Liefertermin, gewünschter Liefertag, Lieferung am, Zustellung am | date de livraison, date livraison, jour de livraison, date de livraison souhaitée, date de livraison demandée, jour de livraison souhaité, livrer le, livraison le | fecha de entrega, fecha entrega, día de entrega, fecha de entrega deseada, fecha deseada de entrega, fecha de entrega solicitada, entregar el, entrega el | data di consegna, data consegna, giorno di consegna, data di consegna richiesta, data di consegna desiderata, consegnare il, consegna il
pickup point: pickup point, pick up point, parcel shop, parcelshop, service point, relay point, access point, locker, parcel locker, drop point | Packstation, Paketshop, Paketstation, Abholpunkt, Postfiliale, Servicepunkt | point relais, point de retrait, point relais colis, consigne, relais colis | punto de recogida, punto pack, citypaq, taquilla | punto di ritiro, punto poste, fermopoint
in person: in person, addressee only, named person only, named recipient only, personal delivery, recipient only | Eigenhändig, Persönliche Übergabe, Persönliche Zustellung | remise en main propre, en main propre, remise en mains propres | entrega en mano, en mano, sólo al destinatario | consegna nelle mani, a mano propria, mani proprie
category: category, categories, section, group, course, department | Kategorie, Gruppe, Warengruppe, Rubrik, Speisengruppe | catégorie, rubrique, groupe, famille | categoría, sección, grupo, familia | categoria, sezione, gruppo, reparto, famiglia
menu: menu | Speisekarte, Karte | carte | menú, carta | menù
dish: dish | Speise, Gericht | plat | plato | piatto, pietanza
price: price, prices, pricing | Preis, VK | prix, tarif | precio, pvp, tarifa | prezzo, tariffa
selling: selling, retail, base, sell | Verkaufs | de vente, ttc | de venta | di vendita
cost: cost, supply, purchase, wholesale, buying, landed, trade | Einkaufs, EK, Wareneinsatz, Kosten | d'achat, coût, de revient | coste, costo, de compra | costo, d'acquisto, di acquisto
on sale: available, availability, in stock, active, enabled, visible, published, sellable, on sale, for sale, listed | Verfügbar, Lieferbar, Aktiv, Sichtbar, Veröffentlicht | disponible, actif, en stock, visible, publié | disponible, activo, visible, publicado | disponibile, attivo, visibile, pubblicato
off sale: hidden, archived, disabled, unavailable, inactive, sold out, out of stock, deleted, discontinued, suspended, unlisted | Versteckt, Verborgen, Archiviert, Deaktiviert, Ausverkauft, Inaktiv, Gelöscht | masqué, caché, archivé, désactivé, inactif, épuisé, supprimé | oculto, archivado, desactivado, inactivo, agotado, eliminado | nascosto, archiviato, disattivato, inattivo, esaurito, eliminato
stock: stock, inventory, stock level, on hand | Bestand, Lagerbestand | quantité en stock, stock | existencias, stock | giacenza, scorte
tax: tax, vat, gst | MwSt, Mehrwertsteuer, Steuer, USt, Umsatzsteuer | tva, taxe | iva, impuesto, tipo de iva | iva, imposta, aliquota
rate: rate, percent, percentage | Satz | taux | |
art no: art no, art nr | Art.-Nr. | n° art | n° art. | n. art.
sku: sku, stock keeping unit | | | |
barcode: barcode, bar code, gtin, ean, upc | Strichcode | code barres, code barre | código de barras | codice a barre
diet: diet, dietary, dietary tags | | régime | dieta | dieta
tags: tags, tag | | | etiquetas |
allergens: allergens, allergen | Allergene | allergènes | alérgenos | allergeni
image: image, picture, photo, image src | Bild | image, photo | imagen, foto | immagine, foto
url: url, link | | url | url | url
tracking: tracking | Sendungsverfolgung | suivi | seguimiento | tracciamento
vat id: vat number, vat no, vat id, tax id, tax number, eori | USt-IdNr, Steuernummer | numéro de tva, n° tva | nif, cif | partita iva, codice fiscale
`

/** Words that add nothing to a header. */
export const FILLERS = `the of for your our my a an and or & in with by on per as if is only x
der die das des dem den und oder mit in im zur zum bei pro je für
de du des la le les l d et ou en avec à au pour par un une contre
el los las del y e o con por su al
il lo gli di della dello dell dei degli da con per il e ed a al`
