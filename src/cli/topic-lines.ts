/** The layout of help topics. */
const WIDTH = 80

/** Returns the lines of a topic as printed. */
export function text(...lines: string[]): string {
  return `${lines.join('\n')}\n`
}

/** Returns names and their meanings in two columns. */
export function pairs(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.flatMap(([left, right]) => wrap(right, `  ${left.padEnd(width)}   `))
}

/** Wraps words: the first line after `head`, the others indented to its end. */
export function wrap(words: string, head: string): string[] {
  const lines: string[] = []
  let line = head
  for (const word of words.split(' ')) {
    if (line.length > head.length && line.length + word.length > WIDTH) {
      lines.push(line.trimEnd())
      line = ' '.repeat(head.length)
    }
    line += `${word} `
  }
  return [...lines, line.trimEnd()]
}
