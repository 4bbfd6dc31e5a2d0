/** Text in which a backslash takes the meaning away from the character behind it. */

/** The parts between unescaped separators, still escaped. */
export function splitUnescaped(text: string, separators: string): string[] {
  const parts = ['']
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\\' && at + 1 < text.length) parts.push(`${parts.pop() ?? ''}${char}${text.charAt(++at)}`)
    else if (separators.includes(char)) parts.push('')
    else parts.push(`${parts.pop() ?? ''}${char}`)
  }
  return parts
}

/** Before and behind the first unescaped separator; undefined when there is none. */
export function cutAt(text: string, separator: string): [string, string] | undefined {
  const [before = '', ...rest] = splitUnescaped(text, separator)
  return rest.length === 0 ? undefined : [before, text.slice(before.length + 1)]
}

export function withoutEscapes(text: string): string {
  return text.replaceAll(/\\(.)/gsu, '$1')
}

export function withEscapes(text: string, characters: RegExp): string {
  return text.replaceAll(characters, '\\$&')
}
