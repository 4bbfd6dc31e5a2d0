import { Document, isScalar, visit } from 'yaml'
import { hasHidden, INVISIBLE_CHARACTERS } from './hidden.ts'

/**
 * Returns YAML that parsers of 1.1 and 1.2 can read. Characters that a terminal would act on are escaped; it is
 * lossless.
 */
export function toYaml(value: unknown): string {
  const document = new Document(value ?? null, { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar<string>(node) && typeof node.value === 'string' && isMisread(node.value))
        node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0 }).replace(INVISIBLE_CHARACTERS, escape).replace(UNREADABLE, escape)
}

/** Characters that YAML 1.1 forbids, although JSON and YAML 1.2 have them. */
const UNREADABLE = /[\ufffe\uffff]/g

/** Returns whether a parser rejects the bare text or takes it for something else: PyYAML ends at a tab, and at `=`. */
function isMisread(text: string): boolean {
  return hasHidden(text) || text === '=' || text.includes('\t') || text.search(UNREADABLE) !== -1
}

function escape(found: string): string {
  const code = (found.codePointAt(0) ?? 0).toString(16)
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
}
