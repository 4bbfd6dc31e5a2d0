import { visit } from 'jsonc-parser'

/** The line on which each element of the outermost list of a JSON text begins; the text is sound JSON. */
export function elementLines(source: string): number[] {
  const lines: number[] = []
  let list: string | undefined
  const add = (line: number, path: readonly (string | number)[]): void => {
    const isElement = path.length <= 2 && typeof path.at(-1) === 'number' && typeof path.at(-2) !== 'number'
    const owner = path.slice(0, -1).join('')
    if (isElement && (list ??= owner) === owner) lines.push(line + 1)
  }
  visit(source, {
    onObjectBegin: (_, __, line, ___, path) => add(line, path()),
    onArrayBegin: (_, __, line, ___, path) => add(line, path()),
    onLiteralValue: (_, __, ___, line, ____, path) => add(line, path()),
  })
  return lines
}
