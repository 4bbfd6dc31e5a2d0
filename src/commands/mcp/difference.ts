/** Shows the changes of a text line by line; values of unchanged lines may be secrets and are hidden. */
import { makePaint } from '../../cli/output/colour.ts'
import { sanitizeForTerminal } from '../../cli/output/text.ts'

const NEAR = 2

/** Returns the removed and the added lines, with the lines around them. */
export function formatTextDiff(before: string, after: string, colour: boolean): string {
  const style = makePaint(colour)
  const [old, next] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1
  let end = 0
  while (
    end < old.length - start &&
    end < next.length - start &&
    old[old.length - 1 - end] === next[next.length - 1 - end]
  )
    end += 1
  const show = (lines: readonly string[], mark: string): string[] =>
    lines.map((line) => `${mark} ${masked(line)}`)
  return [
    ...show(next.slice(Math.max(0, start - NEAR), start).map(around), ' ').map(style.dim),
    ...show(old.slice(start, old.length - end), '-').map(style.red),
    ...show(next.slice(start, next.length - end), '+').map(style.green),
    ...show(next.slice(next.length - end, next.length - end + NEAR).map(around), ' ').map(style.dim),
  ].join('\n')
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

/** Shows brackets and names of an unchanged line, but not its values. */
function around(line: string): string {
  return /^\s*(?:"[^"]*"\s*:\s*)?[[{\]}]*,?\s*$/.test(line) ? line : `${/^\s*/.exec(line)?.[0] ?? ''}…`
}

function masked(line: string): string {
  const secret = /((?:token|secret|password|key)[^"=:]*["']?\s*[:=]\s*["'])[^"']*/i
  return sanitizeForTerminal(line.replaceAll('\t', '  ')).replace(secret, '$1***')
}
