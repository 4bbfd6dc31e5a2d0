import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync, Visitor, type Expression, type Node, type Program, type VisitorObject } from 'oxc-parser'

/** An import: its target from the root (`src/…`) or its package name. */
export type Import = { to: string; typesOnly: boolean }

/** A source file. A barrel has only re-exports. */
export type SourceFile = {
  file: string
  text: string
  program: Program
  imports: Import[]
  isBarrel: boolean
}

export const ROOT = join(import.meta.dirname, '../..')

/** Parses the source files under a folder of the root, without generated ones. */
export function readSources(folder: string, extension = '.ts'): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((file) => file.endsWith(extension) && !file.startsWith('src/generated/'))
    .toSorted()
    .map(readSource)
}

function readSource(file: string): SourceFile {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const { program, module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const reExports = module.staticExports.flatMap(({ entries }) =>
    entries.filter(({ moduleRequest }) => moduleRequest !== null),
  )
  const found: [specifier: string, typesOnly: boolean][] = [
    ...module.staticImports.map(({ moduleRequest, entries }): [string, boolean] => [
      moduleRequest.value,
      entries.length > 0 && entries.every(({ isType }) => isType),
    ]),
    ...reExports.map(({ moduleRequest, isType }): [string, boolean] => [moduleRequest?.value ?? '', isType]),
    ...module.dynamicImports.map(({ moduleRequest }): [string, boolean] => [
      literal(text.slice(moduleRequest.start, moduleRequest.end)),
      false,
    ]),
    ...importTypes(program).map((specifier): [string, boolean] => [specifier, true]),
  ]
  const imports = found.map(([specifier, typesOnly]) => ({
    to: specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier,
    typesOnly,
  }))
  return { file, text, program, imports, isBarrel: program.body.every(isPassedOn) }
}

/** Returns whether a statement is a re-export or an import. */
function isPassedOn(statement: Program['body'][number]): boolean {
  if (statement.type === 'ExportNamedDeclaration') return statement.declaration === null
  return statement.type === 'ImportDeclaration' || statement.type === 'ExportAllDeclaration'
}

/** Returns the literal of `import(…)`; the target of any other expression is unknown. */
function literal(code: string): string {
  return /^(['"]).*\1$/.test(code) ? code.slice(1, -1) : '(computed)'
}

/** Returns the modules of types such as `import('…').Name`. */
function importTypes(program: Program): string[] {
  const specifiers: string[] = []
  visitProgram(program, {
    TSImportType(node) {
      specifiers.push(node.source.value)
    },
  })
  return specifiers
}

export function visitProgram(program: Program, visitor: VisitorObject): void {
  new Visitor(visitor).visit(program)
}

/** A function of a file: the line of its start, the lines that it has, and the parameters that it takes. */
type MeasuredFunction = { at: number; lines: number; takes: number }

/** Measures the functions of a file. A template literal counts as one line, and a nested function counts in the outer one. */
export function functionsOf({ text, program }: Pick<SourceFile, 'text' | 'program'>): MeasuredFunction[] {
  const templates: Node[] = []
  const functions: (Node & { params: readonly unknown[] })[] = []
  const add = (node: (typeof functions)[number]): number => functions.push(node)
  visitProgram(program, {
    TemplateLiteral: (node) => templates.push(node),
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  })
  const outer = templates.filter((template) => !templates.some((other) => isInside(template, other)))
  const breaksOf = ({ start, end }: Node): number => breaks(text.slice(start, end))
  return functions.map((node) => ({
    at: 1 + breaks(text.slice(0, node.start)),
    lines: outer
      .filter((template) => isInside(template, node))
      .reduce((lines, template) => lines - breaksOf(template), 1 + breaksOf(node)),
    takes: node.params.length,
  }))
}

function isInside(inner: Node, outer: Node): boolean {
  return inner !== outer && outer.start <= inner.start && inner.end <= outer.end
}

/** Returns the number of line breaks in a text. */
export function breaks(text: string): number {
  return text.split('\n').length - 1
}

/** Returns `a.b.c` for a chain of names; empty for anything else. */
export function dotted(node: Expression | { type: string }): string {
  if (node.type === 'Identifier') return (node as { name: string }).name
  if (node.type !== 'MemberExpression') return ''
  const { object, property } = node as {
    object: Expression
    property: { type: string; name?: string; value?: unknown }
  }
  const name =
    property.type === 'Identifier' ? property.name : property.type === 'Literal' ? String(property.value) : ''
  return `${dotted(object)}.${name}`
}
