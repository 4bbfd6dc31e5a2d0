/** Reads pages and examples of the API reference as a reader would. */

/** One example of a page. */
export type ReferenceExample = {
  operation: string
  /** The commands that a reader types before. */
  advanced: string[]
  curl: string
  dray: string
  answer: unknown
}

/** Returns the pages of the reference, in the order of its navigation. */
export function pathsOf(page: string): string[] {
  const [nav = ''] = /<ul class="pages">[^]*?<\/ul>/.exec(page) ?? []
  return [...nav.matchAll(/href="([^"]+)"/g)].map(([, path]) => path as string)
}

/** Returns the examples of a page, from top to bottom. */
export function examplesOf(page: string): ReferenceExample[] {
  const blocks = [...page.matchAll(/aria-label="([^"]+)"\s*><code>([^]*?)<\/code><\/pre/g)].map(
    ({ 0: whole, 1: label = '', 2: code = '', index }) => ({
      label,
      text: toText(code),
      index,
      end: index + whole.length,
    }),
  )
  return blocks.flatMap(({ label, text, index }, at) => {
    const [, call, operation] = /^curl, ((\w+)(?: \(\w+\))?)$/.exec(label) ?? []
    if (operation === undefined) return []
    const [dray, answer] = blocks.slice(at + 1)
    if (dray?.label !== `dray, ${call}` || answer?.label !== `Answer of ${call}`)
      throw new Error(`the example of ${operation} is not whole`)
    const before = page.slice(blocks[at - 1]?.end ?? 0, index)
    const advanced = [...before.matchAll(/After <code>(dray [^<]+)<\/code>/g)].map(([, line = '']) => line)
    return [{ operation, advanced, curl: text, dray: dray.text, answer: JSON.parse(answer.text) as unknown }]
  })
}

/** Returns the code of a block by its label. */
export function blockOf(page: string, label: string): string {
  const code = new RegExp(`aria-label="${label}"\\s*><code>([^]*?)</code></pre`).exec(page)?.[1]
  if (code === undefined) throw new Error(`there is no block ${label}`)
  return toText(code)
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

function toText(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&([#\w]+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}
