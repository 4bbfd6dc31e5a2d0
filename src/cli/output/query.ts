import { compile, search, tokenize, type JSONValue } from '@jmespath-community/jmespath'
import { AppError } from '../../core/errors.ts'
import { clean } from './text.ts'

/** Returns the result of a JMESPath expression. Throws AppError('usage') that shows the position of an error. */
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
