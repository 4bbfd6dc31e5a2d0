import { compile, search, tokenize, TreeInterpreter, type JSONValue } from '@jmespath-community/jmespath'
import { AppError } from '../../core/errors.ts'
import { sanitizeForTerminal } from './text.ts'

/**
 * Checks a JMESPath expression as far as that needs no data: its syntax, and the names, functions and arguments in it.
 * Throws AppError('usage').
 */
export function assertQuery(expression: string): void {
  const fault = faultIn(parse(expression), new Set())
  if (fault !== undefined)
    throw new AppError('usage', `--query cannot be carried out: ${fault}.`, {
      hint: 'See https://jmespath.org/specification.html for the functions.',
    })
}

/**
 * Returns the result of a JMESPath expression. Throws AppError('usage') for one that is wrong, with the position, and
 * for one that does not fit the value.
 */
export function applyQuery(value: unknown, expression: string): unknown {
  parse(expression)
  try {
    return search(value as JSONValue, expression)
  } catch (error) {
    throw new AppError('usage', `--query does not match this result: ${reason(error)}.`, { cause: error })
  }
}

type Tree = ReturnType<typeof compile>

function parse(expression: string): Tree {
  try {
    return compile(expression)
  } catch (error) {
    const at = placeOf(expression)
    const seen =
      at < expression.length
        ? `near ${JSON.stringify(sanitizeForTerminal(expression.slice(at, at + 20)))}`
        : 'at its end'
    throw new AppError(
      'usage',
      `--query is not a JMESPath expression: ${reason(error)} (character ${at + 1}, ${seen}).`,
      {
        hint: 'See https://jmespath.org for the language; quote the expression for your shell.',
        cause: error,
      },
    )
  }
}

/** Returns what is wrong in an expression whatever the data are; undefined for nothing. */
function faultIn(tree: unknown, variables: ReadonlySet<string>): string | undefined {
  if (typeof tree !== 'object' || tree === null) return undefined
  const { type, name, bindings = [] } = tree as { type?: string; name?: string; bindings?: Binding[] }
  if (type === 'Literal') return undefined
  const own = type === 'Function' ? faultOfCall(tree as Call) : undefined
  if (own !== undefined) return own
  if (type === 'Variable' && !variables.has(name ?? ''))
    return `unknown variable $${sanitizeForTerminal(name ?? '')}`
  if (type === 'Slice' && (tree as { step: number | null }).step === 0)
    return 'the step of a slice is never 0'
  const inner = new Set([...variables, ...bindings.map(({ variable }) => variable)])
  return Object.values(tree)
    .map((part) => faultIn(part, inner))
    .find((fault) => fault !== undefined)
}

type Binding = { variable: string }
type Call = { type: 'Function'; name: string; children: readonly unknown[] }

/** Returns whether a function is unknown or has too few or too many arguments, which the library tells only by calling it. */
function faultOfCall({ name, children }: Call): string | undefined {
  const nothing = { type: 'Literal', value: null } as const
  try {
    TreeInterpreter.search({ type: 'Function', name, children: children.map(() => nothing) }, null)
  } catch (error) {
    if (/^(?:Unknown function|Invalid arity)/.test(String((error as Error).message))) return reason(error)
  }
  return undefined
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return sanitizeForTerminal(message.replace(/^(?:syntax(?: error)?)[:,]?\s*/i, '').replace(/\.$/, ''))
}

/**
 * Returns the position of the error, which the library does not report. It is the first token after which the error
 * is no longer just a missing end.
 */
function placeOf(expression: string): number {
  const starts = tokenStarts(expression)
  for (const [index, start] of starts.entries()) {
    try {
      compile(expression.slice(0, starts[index + 1] ?? expression.length))
    } catch (error) {
      if (!/got: EOF|\(EOF\)/.test(String(error))) return start
    }
  }
  return expression.length
}

/** Returns the starts of tokens up to the first invalid text, which counts as the last token. */
function tokenStarts(expression: string): number[] {
  for (let end = expression.length; end > 0; end--) {
    try {
      const starts = tokenize(expression.slice(0, end)).map(({ start }) => start)
      return end === expression.length ? starts : [...starts, end]
    } catch {
      // one character less
    }
  }
  return [0]
}
