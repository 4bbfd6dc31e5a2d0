/**
 * The index by which parcels are found: for each parcel, by its `seq`, the words that `areas/carrier/rules/words.ts` makes of it. A
 * search combines them within the index. SQLite keeps no texts beside the index; it takes whatever is between two blanks as a word,
 * because `ascii` parts texts at other characters than letters and digits of ASCII, and no word has such.
 */
export const parcelSearch: readonly string[] = [
  'drop table shipment_words',
  `{sqlite} create virtual table shipment_search using fts5
    (words, content = '', columnsize = 0, detail = none, tokenize = 'ascii')`,
  `{postgres} create table shipment_search (seq bigint primary key, words tsvector not null)`,
  // New rows wait in a list that each search reads: a longer one would make the row that empties it wait.
  `{postgres} create index shipment_search_by_word on shipment_search using gin (words) with (gin_pending_list_limit = 256)`,
]
