/** The layout of help topics. */
const WIDTH = 80

/** Returns the lines of a topic as printed. */
export function joinLines(...lines: string[]): string {
  return `${lines.join('\n')}\n`
}

/** Returns names and their meanings in two columns. */
export function pairs(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.flatMap(([left, right]) => wrapWords(right, `  ${left.padEnd(width)}   `))
}

/** Wraps words: the first line after `head`, the others indented to its end. */
export function wrapWords(words: string, head: string, columns = WIDTH): string[] {
  const lines: string[] = []
  let line = head
  for (const word of words.split(' ')) {
    if (line.length > head.length && line.length + word.length > columns) {
      lines.push(line.trimEnd())
      line = ' '.repeat(head.length)
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()]
}

/** The least columns beside a name; with fewer, the meaning is below the name. */
const MIN_MEANING_COLUMNS = 24

/** Two columns: everything up to the last gap, and the meaning. */
const PAIR = /^( +\S.* {2,})(\S.*)$/

/** Breaks a topic again for a terminal that is narrower than its lines. Examples keep their lines. */
export function reflow(topic: string, columns: number): string {
  const lines = topic.split('\n')
  if (lines.every((line) => line.length <= columns)) return topic
  const out: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const [, head, meaning] = PAIR.exec(line) ?? []
    const continues = (next: string): boolean =>
      head === undefined
        ? isProse(next)
        : next.startsWith(' '.repeat(head.length)) && next[head.length] !== ' '
    if (head === undefined && !isProse(line)) {
      out.push(...indented(line, columns))
      continue
    }
    let words = meaning ?? line
    while (continues(lines[at + 1] ?? '')) words += ` ${(lines[++at] ?? '').trim()}`
    out.push(...paragraph(head ?? '', words, columns))
  }
  return out.join('\n')
}

function paragraph(head: string, words: string, columns: number): string[] {
  if (head.length <= columns - MIN_MEANING_COLUMNS) return wrapWords(words, head, columns)
  return [head.trimEnd(), ...wrapWords(words, '      ', columns)]
}

/** Wraps a line below its indent, but keeps a command, which is copied. */
function indented(line: string, columns: number): string[] {
  const [indent = ''] = /^ */.exec(line) ?? []
  const isCommand = line.startsWith(`${indent}$ `)
  return line.length <= columns || isCommand ? [line] : wrapWords(line.trim(), indent, columns)
}

/** Returns whether a line is part of a paragraph: neither empty, nor a heading, nor indented. */
function isProse(line: string): boolean {
  return /^\S/.test(line) && /[a-z]/.test(line)
}
