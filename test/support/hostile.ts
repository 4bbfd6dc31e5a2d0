/** Names, notes and addresses that could harm people who list them (docs/rules/failure-model.md#text-cannot-control-a-terminal). */
export const HOSTILE: readonly string[] = [
  // moving, clearing, asking, colouring
  '\x1b[2J',
  '\x1b[1A\x1b[2K£0.01',
  '\x1b[31mred\x1b[0m',
  '\x1b[6n',
  '\x1b[c',
  '\x1b[?1049h',
  '\x1b[?25l',
  '\x1b[38;2;1;2;3mtrue colour',
  '\x1b[1;31',
  '\x1b[',
  '\x1b',
  '\x1b\x1b[2J[2J',
  '\x1bc',
  '\x1b(0',
  '\x1b#8',
  '\x1bM',
  // titles, links, the clipboard, device strings
  '\x1b]0;evil title\x07',
  '\x1b]0;evil title\x1b\\',
  '\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\',
  '\x1b]52;c;ZXZpbA==\x07',
  '\x1b]0;never ended',
  '\x1bP1;2q#0\x1b\\',
  '\x1bPnever ended',
  '\x1bX start of string\x1b\\',
  '\x1b^privacy\x1b\\',
  '\x1b_application\x1b\\',
  // the same in eight bits
  '\x9b2J',
  '\x9d0;title\x9c',
  '\x90q\x9c',
  '\x9e\x9f\x98\x9c',
  '\x85next line',
  '\x80\x8e\x8f',
  // overwriting and other controls
  'real\rfake',
  'abc\b\b\bxyz',
  'nul\0byte',
  'bell\x07',
  'vertical\vtab',
  'form\ffeed',
  'delete\x7f',
  'shift\x0eout\x0f',
  'suspend\x1a',
  // imitations of rows and questions
  'Bob\nZC000000014GB  delivered',
  'Bob\r\n? Pay £1000.00? (y/N) y',
  'tab\tseparated\tcells',
  'line\u2028separator\u2029paragraph',
  // text that is displayed differently
  '\u202egnp.exe',
  '\u202aembedded\u202c',
  '\u2066isolated\u2069',
  '\u200e\u200f\u061c',
  'zero\u200bwidth\u200cnon\u200djoiner\u2060\ufeff',
  'soft\u00adhyphen',
  '\u{e0001}\u{e0049}\u{e0047}\u{e004e}\u{e004f}\u{e0052}\u{e0045}',
  'a\ufe00\ufe01\u{e0100}\u{e01ef}hidden bytes',
  '\u3164\u115f\u1160\uffa0',
  'lone \ud800 surrogate \udc00',
  // very long text
  'x'.repeat(10_000),
  '山'.repeat(5000),
  `Z${'\u0301\u0316'.repeat(500)}algo`,
  '👨\u200d👩\u200d👧\u200d👦🏳️\u200d🌈',
  '=HYPERLINK("http://evil.example","click")',
]

/**
 * Characters that must not be in text for a terminal or a pipe: C0 except line breaks and tabs, delete, C1, bidi
 * controls, zero-width characters and tags. A joiner within an emoji is allowed.
 */
export const FORBIDDEN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what is looked for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u
