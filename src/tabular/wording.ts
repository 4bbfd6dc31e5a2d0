/** Sentences about one thing or several. */

/**
 * Returns a text with its forms for one or for several, in which # stands for the number and {} for what is listed:
 * `{1 row is|# rows are} hidden: {}`.
 */
export function pluralize(count: number, text: string, list = ''): string {
  return text.replaceAll(/\{(?:([^|{}]*)\|([^|{}]*))?\}/g, (form, one?: string, several?: string) =>
    form === '{}' ? list : ((count === 1 ? one : several) ?? '').replace('#', String(count)),
  )
}

/** Returns the first of a list, with … where there are more. */
export function joinFirst(all: readonly (string | number)[], most = 5, between = ', '): string {
  return [...all.slice(0, most), ...(all.length > most ? ['…'] : [])].join(between)
}

/** Returns the sentence about a list (see `counted`) with its first entries; none about an empty one. */
export function pluralizeList(
  all: readonly (string | number)[],
  text: string,
  most?: number,
  between?: string,
): string[] {
  return all.length === 0 ? [] : [pluralize(all.length, text, joinFirst(all, most, between))]
}

/** Returns the first of these lines, and one that counts the others. */
export function withRemainder(lines: readonly string[], most: number): string[] {
  const rest = lines.length - most
  return [...lines.slice(0, most), ...(rest > 0 ? [`  … and ${rest} more`] : [])]
}
