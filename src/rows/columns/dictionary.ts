/** Headers in languages other than English: the words of each column, and the rules for words with several meanings. */
import { headerKey, squash } from '../csv/keys.ts'

export const LANGUAGES = { de: 'German', fr: 'French', es: 'Spanish', it: 'Italian' } as const

export type Language = keyof typeof LANGUAGES

/**
 * Words by column, as people write them: case, accents and punctuation do not count, and `Größe` is also written
 * `Groesse`.
 */
export type Words<Name extends string> = Partial<Record<Name, readonly string[]>>

/** A word that may mean several columns in one language. */
export type VagueWord<Name extends string> = {
  words: readonly string[]
  columns: readonly Name[]
  /** It means the one of these columns that no other header names. */
  whenLeft?: true
}

export type Dictionary<Name extends string> = {
  words: Readonly<Record<Language, Words<Name>>>
  /** Words that mean a different column in each language; the language of the other headers decides. */
  shared: Readonly<Record<string, Partial<Record<Language, Name>>>>
  vague: readonly VagueWord<Name>[]
  /** Words that mark another one as the recipient's, before or after it: `Nom du destinataire`. */
  owners: readonly string[]
  owned: ReadonlySet<Name>
}

type Index<Name extends string> = {
  /** Built on demand, because few files need it. */
  languages(): ReadonlyMap<string, ReadonlySet<Language>>
  shared: ReadonlyMap<string, Partial<Record<Language, Name>>>
  vague: ReadonlyMap<string, VagueWord<Name>>
  owners: readonly string[]
}

const SPELT_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** Returns the keys of a word. */
export function wordKeys(word: string): string[] {
  // A fast path: most words are plain, and an upload looks up all of them.
  if (/^[\w './-]*$/.test(word)) return [word.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')]
  const spelt = word.replaceAll(/[äöüß]/gi, (letter) => SPELT_OUT[letter.toLowerCase()] ?? letter)
  return [...new Set([word, spelt, word.replaceAll('ß', 'ss')].map((each) => squash(headerKey(each))))]
}

/** Returns all words for a column, in the order of the languages. */
export function wordsOf<Name extends string>({ words }: Dictionary<Name>, column: Name): string[] {
  const lists: (readonly string[] | undefined)[] = Object.values(words).map((each) => each[column])
  return lists.flatMap((list = []) => list)
}

/** Returns the languages in which most of these keys are words; several when they are equally likely. */
export function findLanguages<Name extends string>(
  dictionary: Dictionary<Name>,
  keys: readonly string[],
): Language[] {
  const { owners, ...index } = indexOf(dictionary)
  const languages = index.languages()
  const counts = new Map<Language, number>()
  for (const key of keys.map(squash))
    for (const language of languages.get(key) ?? languages.get(withoutOwner(owners, key) ?? '') ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  return [...counts].filter(([, count]) => count === most).map(([language]) => language)
}

/** Returns the key without the word that marks it as the recipient's; undefined without such a word. */
export function ownKey<Name extends string>(dictionary: Dictionary<Name>, key: string): string | undefined {
  return withoutOwner(indexOf(dictionary).owners, squash(key))
}

function withoutOwner(owners: readonly string[], key: string): string | undefined {
  for (const owner of owners) {
    if (key.length <= owner.length) continue
    if (key.startsWith(owner)) return key.slice(owner.length)
    if (key.endsWith(owner)) return key.slice(0, -owner.length)
  }
  return undefined
}

/** Returns the column that a word means in all these languages; undefined when they differ. */
export function findShared<Name extends string>(
  dictionary: Dictionary<Name>,
  key: string,
  languages: readonly Language[],
): Name | undefined {
  const meanings = indexOf(dictionary).shared.get(squash(key))
  const columns = new Set(languages.flatMap((language) => meanings?.[language] ?? []))
  return columns.size === 1 ? [...columns][0] : undefined
}

/** Returns the possible columns of an ambiguous word; undefined for any other word. */
export function findVague<Name extends string>(
  dictionary: Dictionary<Name>,
  key: string,
): VagueWord<Name> | undefined {
  const { vague, shared } = indexOf(dictionary)
  const meanings = shared.get(squash(key))
  if (meanings === undefined) return vague.get(squash(key))
  return { words: [], columns: [...new Set(Object.values<Name>(meanings))] }
}

const indexes = new WeakMap<object, unknown>()

function indexOf<Name extends string>(dictionary: Dictionary<Name>): Index<Name> {
  const found = indexes.get(dictionary) as Index<Name> | undefined
  if (found !== undefined) return found
  const index = makeIndex(dictionary)
  indexes.set(dictionary, index)
  return index
}

function makeIndex<Name extends string>({ words, shared, vague, owners }: Dictionary<Name>): Index<Name> {
  let languages: ReadonlyMap<string, ReadonlySet<Language>> | undefined
  return {
    languages: () => (languages ??= indexLanguages(words)),
    shared: new Map(
      Object.entries(shared).flatMap(([word, meaning]) =>
        wordKeys(word).map((key) => [key, meaning] as const),
      ),
    ),
    vague: new Map(
      vague.flatMap((entry) => entry.words.flatMap(wordKeys).map((key) => [key, entry] as const)),
    ),
    owners: owners.flatMap(wordKeys),
  }
}

function indexLanguages<Name extends string>(
  words: Dictionary<Name>['words'],
): ReadonlyMap<string, ReadonlySet<Language>> {
  const index = new Map<string, Set<Language>>()
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const lists: (readonly string[])[] = Object.values(words[language])
    for (const key of lists.flat().flatMap(wordKeys))
      index.set(key, (index.get(key) ?? new Set<Language>()).add(language))
  }
  return index
}
