/** The data files of `src/tabular/`: each word once, each meaning one that the program has. */
import { expect, test } from 'vitest'
import { SERVICE_LEVEL_CODES } from '../../src/areas/carrier/rules/rates.ts'
import { MENU_FILE_KIND } from '../../src/commands/business/menu/kind.ts'
import { LANGUAGES, WORD_MEANINGS } from '../../src/tabular/columns/words.ts'
import { headerKey } from '../../src/tabular/csv/keys.ts'
import { MANIFEST_FILE_KIND } from '../../src/tabular/manifest/kind.ts'
import statuses from '../../src/tabular/manifest/order-status.json' with { type: 'json' }

const wordsIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',').map((word) => word.trim()))

test('a word of an order has one meaning under each kind of header', () => {
  const { words, reasons, tools } = statuses
  for (const meanings of [...Object.values(words), ...tools.map(({ order }) => order)]) {
    const said = Object.entries<readonly string[]>(meanings)
    expect(said.filter(([meaning]) => meaning !== 'send' && !Object.hasOwn(reasons, meaning))).toEqual([])
    const all = said.flatMap(([, texts]) => wordsIn(texts))
    expect(all.filter((word, at) => word === '' || all.indexOf(word) !== at)).toEqual([])
  }
})

test('a header stands for one kind of status', () => {
  const all = statuses.headers.flatMap(({ headers }) => wordsIn(headers))
  expect(all.filter((word, at) => word === '' || all.indexOf(word) !== at)).toEqual([])
})

test('each meaning has the words of at most five languages, and a word has a meaning once', () => {
  const { owners, parts } = WORD_MEANINGS
  for (const lists of [...Object.values(owners), ...Object.values(parts)]) {
    const languages = lists.split('|').map((list) => list.trim())
    expect(languages.length).toBeLessThanOrEqual(LANGUAGES.length)
    for (const words of languages.filter((list) => list !== '').map((list) => wordsIn([list])))
      expect(words.filter((word, at) => word === '' || words.indexOf(word) !== at)).toEqual([])
  }
})

test('presets name columns and signatures in keys of headers', () => {
  const kinds = [
    { columns: MANIFEST_FILE_KIND.columns, presets: MANIFEST_FILE_KIND.presets },
    { columns: MENU_FILE_KIND.columns, presets: MENU_FILE_KIND.presets },
  ]
  for (const { columns, presets } of kinds)
    for (const { title, signatures, sources } of presets) {
      const known = columns.map(({ name }): string => name)
      const keys = [...signatures.flat(), ...Object.values(sources).flat()]
      expect([title, Object.keys(sources).filter((column) => !known.includes(column))]).toEqual([title, []])
      expect([title, keys.filter((key) => key !== headerKey(key))]).toEqual([title, []])
    }
  for (const { services = {} } of MANIFEST_FILE_KIND.presets)
    expect(Object.values(services).every((level) => SERVICE_LEVEL_CODES.some((each) => each === level))).toBe(
      true,
    )
})
