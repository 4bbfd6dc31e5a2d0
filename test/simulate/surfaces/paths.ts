/** Rows and pairs whose names are paths of a document, as pipes and CSV have them. */

/** Returns the document of such cells. */
export function nestPaths(cells: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  const document: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(cells)) setPath(document, path.split('.'), readCell(path, value))
  return document
}

/** CSV holds lists as JSON; an empty cell is nothing. */
function readCell(path: string, value: string): unknown {
  if (value === '') return null
  if (value.startsWith('[')) return JSON.parse(value)
  return /\.(?:quantity|removed|replaced)$/.test(path) ? Number(value) : value
}

function setPath(
  target: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const isList = /^\d+$/.test(rest[0] ?? '')
  const known = target[name]
  const inner = typeof known === 'object' && known !== null ? known : isList ? [] : {}
  target[name] = inner
  setPath(inner as Record<string, unknown>, rest, value)
}

/** Returns functions that read members of a document by their paths: the first one that is there. */
export function membersOf(document: Readonly<Record<string, unknown>>) {
  const at = (path: string): unknown =>
    path
      .split('.')
      .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], document)
  const first = (...paths: readonly string[]): unknown =>
    paths.map(at).find((value) => value !== undefined && value !== null && value !== '')
  return {
    first,
    text: (...paths: readonly string[]): string | undefined => {
      const value = first(...paths)
      return typeof value === 'string' ? value : undefined
    },
  }
}
