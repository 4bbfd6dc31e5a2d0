import { expect, test } from 'vitest'
import { hiddenIn } from '../../src/core/hidden.ts'

test.each([
  ['Crème brûlée – “Zoë’s”'],
  ['line\nbreak\r\nand\ttab'],
  ['می\u200cخواهم'],
  ['ශ්\u200dරී ලංකා'],
  ['क्\u200dष'],
  ['ភាសា\u200bខ្មែរ'],
  ['שלום \u200eABC\u200f!'],
  ['Donau\u00addampfschiff'],
  ['葛\u{e0100}飾'],
  ['ᠮᠣᠩ\u180b'],
  ['❤️ 1️⃣ 👩🏽\u200d🚀 👨\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈 👁️\u200d🗨️'],
  ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
])('%j shows all it holds', (text) => {
  expect(hiddenIn(text)).toBeUndefined()
})

test.each([
  ['an escape of a terminal', 'Laksa\u001b[2J', 'U+001B'],
  ['an escape in one character', 'Laksa\u009b31m', 'U+009B'],
  ['a bell', 'Laksa\u0007', 'U+0007'],
  ['a form feed', 'Laksa\f', 'U+000C'],
  ['an override of direction', 'Laksa\u202egnp', 'U+202E'],
  ['an isolate', '\u2066Laksa\u2069', 'U+2066'],
  ['tags', 'Laksa\u{e0069}\u{e0067}\u{e006e}', 'U+E0069'],
  ['tags behind a flag', '🏴\u{e0069}\u{e0067}\u{e006e}\u{e007f}', 'U+E0069'],
  ['a space without width', 'La\u200bksa', 'U+200B'],
  ['a joiner between Latin letters', 'La\u200dksa', 'U+200D'],
  ['a joiner behind an accent', 'e\u0301\u200dx', 'U+200D'],
  ['two joiners', 'می\u200c\u200cخواهم', 'U+200C'],
  ['a mark of direction in a Latin word', 'Laksa\u200e', 'U+200E'],
  ['a message in marks of direction', 'שלום\u200e\u200f\u200e', 'U+200E'],
  ['a soft hyphen at an end', 'Laksa\u00ad', 'U+00AD'],
  ['a byte order mark', '\ufeffLaksa', 'U+FEFF'],
  ['a filler that looks like nothing', '\u3164', 'U+3164'],
  ['a form of a letter that has none', 'L\ufe01aksa', 'U+FE01'],
  ['a message in forms of an emoji', '🙂\ufe0f\u{e0148}\u{e0149}', 'U+E0148'],
])('%s is found', (_, text, found) => {
  expect(hiddenIn(text)).toBe(found)
})
