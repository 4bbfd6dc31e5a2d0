/** A change in one place: the first line that it changes, the text there, and the text after it, each in one line. */
export type Change = { file: string; line: string; was: string; becomes: string }

/** The changes that no test can notice, because the program then does the same; each with its reason. */
export const EQUAL_MUTANTS: readonly (Change & { reason: string })[] = [
  {
    file: 'src/mcp/price-gate.ts',
    line: '} catch {',
    was: '{ return false }',
    becomes: '{}',
    reason: 'The caller asks whether it is true, and nothing is as false as no.',
  },
  {
    file: 'src/mcp/price-gate.ts',
    line: "if (asked.has(field) || to === null || typeof to === 'string' || typeof from === 'string') return []",
    was: "typeof from === 'string'",
    becomes: 'false',
    reason: 'A change from a text is one to a text or to nothing, which is left out already.',
  },
  {
    file: 'src/mcp/price-gate.ts',
    line: "const renamed = typeof name === 'string' && fold(name) !== fold(item.name) ? name : undefined",
    was: "typeof name === 'string' && fold(name) !== fold(item.name)",
    becomes: 'true',
    reason: 'The service, and the comparison here, find no change of price under the name that the item has.',
  },
  {
    file: 'src/mcp/price-gate.ts',
    line: "const renamed = typeof name === 'string' && fold(name) !== fold(item.name) ? name : undefined",
    was: 'fold(name) !== fold(item.name)',
    becomes: 'true',
    reason: 'The service, and the comparison here, find no change of price under the name that the item has.',
  },
  {
    file: 'src/mcp/price-gate.ts',
    line: 'if (keepsPrices && renamed === undefined) return undefined',
    was: 'keepsPrices && renamed === undefined',
    becomes: 'false',
    reason:
      'The service, and the comparison here, find no change of price where no name and no price changes.',
  },
  {
    file: 'src/mcp/price-gate.ts',
    line: "questioned: { input, about: isFree ? ['free'] : ['new', moved] },",
    was: "['free']",
    becomes: '[]',
    reason: 'It is the same for every call that offers something for nothing; the input tells them apart.',
  },
  {
    file: 'src/mcp/price-gate.ts',
    line: '} catch {',
    was: '{ // The service rejects an invalid change, with the wrong members. return [] }',
    becomes: '{}',
    reason: 'Without a list the caller takes an empty one.',
  },
  {
    file: 'src/mcp/price-gate.ts',
    line: "if (asked.has(field) || to === null || typeof to === 'string' || typeof from === 'string') return []",
    was: 'to === null',
    becomes: 'false',
    reason: 'A change to nothing is one from a text, which is left out already.',
  },
  {
    file: 'src/mcp/price-gate.ts',
    line: "const share = percent === null ? '' : ` (${percent > 0 ? '+' : ''}${Math.round(percent)} %)`",
    was: 'percent > 0',
    becomes: 'percent >= 0',
    reason: 'A price that does not move is no change.',
  },
  {
    file: 'src/mcp/spend.ts',
    line: "per === 'total' || price.amount > max.amount ? undefined : freeAt(limit, left, ledger, price, now)",
    was: "per === 'total'",
    becomes: 'false',
    reason: 'The time is looked for nowhere without a period.',
  },
  {
    file: 'src/mcp/spend.ts',
    line: "if (limit.per === 'total') return undefined",
    was: "limit.per === 'total'",
    becomes: 'false',
    reason: 'The caller looks for a time only where the limit has a period.',
  },
]
