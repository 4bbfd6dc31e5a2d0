import { decodeEntities } from '../../../rows/csv/entities.ts'

/** The text of a description in HTML, one line for each paragraph; text that is none stays as it is. */
export function plainText(html: string): string {
  if (!/<[a-z!/]|&[a-z#]/i.test(html)) return html.trim()
  const blocks = html
    .replaceAll(/<!--[\s\S]*?-->|<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/<li\b[^>]*>/gi, '\n• ')
    .replaceAll(/<br\b[^>]*>|<\/?(?:p|div|ul|ol|h[1-6]|tr|table|blockquote)\b[^>]*>/gi, '\n')
    .replaceAll(/<[a-z/][^>]*>/gi, '')
  const lines = decodeEntities(blocks)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
  return lines.filter((line) => line !== '').join('\n')
}
