/** The data files of the rooms of rows: each word once, each meaning one that the program has. */
import { expect, test } from 'vitest'
import statuses from '../../src/rows/manifest/order-status.json' with { type: 'json' }

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
