/** How the topics of the help are laid out. */
const WIDTH = 80

/** Lines of a topic, as they are printed. */
export function text(...lines: string[]): string {
  return `${lines.join('\n')}\n`
}

/** Names and what they mean, in two columns. */
export function pairs(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.flatMap(([left, right]) => wrap(right, `  ${left.padEnd(width)}   `))
}

/** The words in lines, the first after `head`, the others below its end. */
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
