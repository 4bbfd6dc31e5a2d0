/**
 * The words of headers, for both kinds of file. Each entry is a meaning with its words in English, German, French, Spanish,
 * Italian and Polish, between strokes. A header is read as meanings, so that no header has to be listed whole. Case, accents and
 * punctuation do not count, and `Größe` is also written `Groesse`.
 */
import words from './words.json' with { type: 'json' }

export const LANGUAGES = ['English', 'German', 'French', 'Spanish', 'Italian', 'Polish'] as const

type Meanings = Readonly<Record<string, string>>

/** Words for the owner of a thing, words for the thing, and words that add nothing to a header. */
export const WORD_MEANINGS: { owners: Meanings; parts: Meanings; fillers: readonly string[] } = words
