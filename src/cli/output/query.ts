import { compile, search, tokenize, type JSONValue } from '@jmespath-community/jmespath'
import { AppError } from '../../core/errors.ts'
import { clean } from './text.ts'

/** What a JMESPath expression takes from the result. Throws AppError('usage') that shows where it is wrong. */
export function applyQuery(value: unknown, expression: string): unknown {
  try {
    compile(expression)
  } catch (error) {
    const at = placeOf(expression)
    const seen =
      at < expression.length ? `near ${JSON.stringify(clean(expression.slice(at, at + 20)))}` : 'at its end'
    throw new AppError(
      'usage',
      `--query is not a JMESPath expression: ${reason(error)} (character ${at + 1}, ${seen}).`,
      {
        hint: 'See https://jmespath.org for the language; quote the expression for your shell.',
        cause: error,
      },
    )
  }
  try {
    return search(value as JSONValue, expression)
  } catch (error) {
    throw new AppError('usage', `--query does not fit this result: ${reason(error)}.`, { cause: error })
  }
}

function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return clean(message.replace(/^(?:syntax(?: error)?)[:,]?\s*/i, '').replace(/\.$/, ''))
}

/**
 * The library names no place. It is the first token with which the expression is wrong whatever may follow: until then
 * the complaint is only that the end came too early.
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

/** Up to the first place that makes no token, which counts as the last of them. */
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
