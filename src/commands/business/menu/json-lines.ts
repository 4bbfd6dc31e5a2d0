/** The line on which each element of the outermost list of a JSON text begins; the text is sound JSON. */
export function elementLines(source: string): number[] {
  // No line ends inside of a string.
  const bare = source.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  const lines: number[] = []
  let line = 1
  let depth = 0
  let list = Infinity
  let expected = false
  for (const char of bare) {
    if (char === '\n') line++
    if (char.trim() === '') continue
    if (expected && char !== ']') lines.push(line)
    expected = char === ',' && depth === list
    if (isOpening(char)) {
      depth++
      if (char === '[' && depth <= 2 && list === Infinity) {
        list = depth
        expected = true
      }
    } else if (isClosing(char) && depth-- === list) return lines
  }
  return lines
}

function isOpening(char: string): boolean {
  return char === '[' || char === '{'
}

function isClosing(char: string): boolean {
  return char === ']' || char === '}'
}
