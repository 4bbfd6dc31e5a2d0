import type { Io } from '../io.ts'
import { cellText } from './cell.ts'
import { hasColour, makePaint } from './colour.ts'
import { pickField } from './fields.ts'
import { isPage, type OutputPage } from './formats.ts'
import { quoteArgument, shellQuote } from './shell.ts'
import { sanitizeForTerminal, usableWidth, wrapNotice } from './text.ts'
import type { PrintOptions } from './view.ts'

/** Prints notices on stderr: that a list is empty or continues, what happened, and the next command. */
export async function notices(io: Io, value: unknown, view: PrintOptions): Promise<void> {
  const { dim } = makePaint(hasColour(io.stderr, io.env, view.color))
  const lines: string[] = []
  if (isPage(value)) {
    if (value.data.length === 0) lines.push(whyEmpty(value, view))
    if (value.has_more) lines.push(dim(howToSeeMore(io, value)))
  }
  const said = [view.told ?? '', view.done === undefined ? '' : fill(view.done, value, view)]
  for (const text of said.filter((each) => each !== '')) {
    const sentence = sanitizeForTerminal(text, { multiline: true })
    lines.push(
      ...(io.stderr.isTTY ? wrapNotice(sentence, usableWidth(io.stderr.columns, io.env)) : [sentence]),
    )
  }
  const next = view.next === undefined ? undefined : fillCommand(view.next, value)
  if (next !== undefined && io.stderr.isTTY) lines.push(dim(`Next: ${next}`))
  if (lines.length > 0) await io.stderr.write(`${lines.join('\n')}\n`)
}

/** Returns the sentence for a page without rows. Of a long list it may be empty although later ones are not. */
function whyEmpty({ has_more, empty }: OutputPage, view: PrintOptions): string {
  if (has_more) return 'Nothing found so far.'
  return empty === undefined ? (view.empty ?? 'Nothing found.') : sanitizeForTerminal(empty.detail)
}

/** Returns how to see the rows that are left. A search has no pages: its question is to be narrowed; events follow a position. */
function howToSeeMore(io: Io, value: OutputPage): string {
  if (value.last !== undefined) return `More results: add --after ${value.last}.`
  if (value.next_cursor === undefined)
    return value.data.length < 100
      ? 'More may fit: add --limit 100, or search for more words.'
      : 'More may fit: search for more words.'
  return `More results: add --all${cursorFlag(io, value)}.`
}

/** Returns the cursor's flag for a script; a person would not type it. */
function cursorFlag({ stderr }: Io, { next_cursor }: OutputPage): string {
  return typeof next_cursor === 'string' && !stderr.isTTY ? `, or --cursor ${shellQuote(next_cursor)}` : ''
}

/**
 * Replaces `{field}` in a sentence by the formatted value. A part in `[…]` is omitted when its field is empty or a
 * zero amount.
 */
function fill(sentence: string, value: unknown, { timezone }: Pick<PrintOptions, 'timezone'> = {}): string {
  const renderOptions = { tty: true, width: 80, colour: false, timezone }
  const said = sentence.replace(/\[([^\]]*\{([\w.]+)\}[^\]]*)\]/g, (_, part: string, field: string) =>
    isNothing(pickField(value, field)) ? '' : part,
  )
  return said.replace(/\{([\w.]+)\}/g, (_, field: string) =>
    cellText(pickField(value, field), field, renderOptions),
  )
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (value as { amount?: unknown }).amount === 0
}

/**
 * Replaces `{field}` in a command by the quoted value, because text by strangers must not run when it is pasted. Returns
 * undefined when a value is missing: the command would not run.
 */
function fillCommand(command: string, value: unknown): string | undefined {
  let isComplete = true
  const last: string[] = []
  const filled = command.replace(
    /( --[\w-]+)? \{([\w.]+)\}/g,
    (_, flag: string | undefined, field: string) => {
      const held = pickField(value, field)
      const text = typeof held === 'string' || typeof held === 'number' ? String(held) : ''
      isComplete &&= text !== ''
      if (flag !== undefined || !text.startsWith('-')) return `${flag ?? ''} ${shellQuote(text)}`
      last.push(quoteArgument(text))
      return ''
    },
  )
  return isComplete ? [filled, ...last].join(' ') : undefined
}
