import { Code } from 'typebox/compile'
import { Set as setFormat } from 'typebox/format'
import { FORMAT_NAMES } from '../gateway/formats.ts'
import type { AnyOperation } from '../operation.ts'

const markers = new Map(FORMAT_NAMES.map((name) => [name, (_text: string) => true] as const))
for (const [name, marker] of markers) setFormat(name, marker)

/** The source of a module whose `check` tells whether a value fits the operation's input schema. */
export function validatorSource(operation: AnyOperation, formatsModule: string): string {
  const { Code: code, External } = Code(operation.input)
  const variables = External.variables.map((variable: unknown) => external(operation.name, variable))
  const body = code
    .replace(/^let (\w+) = \[\]$/m, `const $1 = [${variables.join(', ')}]`)
    .replace(/^export function SetExternal.*$/m, '')
    .replace('export function Check(value)', 'export function check(value)')
    .replaceAll('// @ts-ignore', '')
  const uses = (word: string): boolean =>
    body.split('\n').some((line) => !line.startsWith('import ') && line.includes(word))
  const imports = body
    .split('\n')
    .filter((line) => line.startsWith('import ') && !uses(/\{ (\w+) \}/.exec(line)?.[1] ?? ''))
  const lean = imports.reduce((text, line) => text.replace(`${line}\n`, ''), body)
  const formats = variables.some((variable) => variable.includes('testFormat'))
    ? `import { testFormat } from '${formatsModule}'\n`
    : ''
  return `// @ts-nocheck\n${formats}${lean.trim()}\n`
}

function external(operation: string, variable: unknown): string {
  if (variable instanceof RegExp) return String(variable)
  for (const [name, marker] of markers)
    if (variable === marker) return `(text) => testFormat('${name}', text)`
  throw new Error(
    `${operation}: its validator needs a value that cannot be written down: ${String(variable)}`,
  )
}
