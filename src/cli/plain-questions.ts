/**
 * Questions for screen readers and simple terminals: one line for the question, one for the answer, without
 * redrawing.
 */
import { InterruptedError, type Io } from './io.ts'
import { sanitizeForTerminal } from './output/text.ts'
import {
  notAnswered,
  numberProblem,
  formatMinutesLeft,
  type Prompts,
  type Selection,
  type Validate,
} from './questions.ts'

/** Returns questions in plain lines. */
export function plainQuestions(io: Io): Prompts {
  const until = untilAnswered(io)
  const input: Prompts['input'] = ({ message, default: preset, validate }) => {
    const enter = preset === undefined ? '' : ` (Enter for ${sanitizeForTerminal(preset)})`
    return until(`${sanitizeForTerminal(message)}${enter}:`, (answer) =>
      checked(answer === '' ? (preset ?? '') : answer, validate),
    )
  }
  const ask: Prompts = {
    input,
    confirm: ({ message, default: preset = false }) =>
      until(
        `${sanitizeForTerminal(message)} (yes or no, Enter for ${preset ? 'yes' : 'no'}):`,
        yesOrNo(preset),
      ),
    async selectWithin({ message, choices, left }) {
      const chosen = await ask.select({
        message: `${message} This price is valid for ${formatMinutesLeft(left())} minutes.`,
        choices,
      })
      return left() > 0 ? chosen : undefined
    },
    async confirmWithin({ message, left }) {
      const agreed = await until(
        `${sanitizeForTerminal(message)} This price is valid for ${formatMinutesLeft(left())} minutes (yes or no, Enter for no):`,
        yesOrNo(false),
      )
      return left() > 0 ? agreed : undefined
    },
    select: (question) => plainSelect(io, until, question),
    password: ({ message, validate }) =>
      until(
        `${sanitizeForTerminal(message)} (not shown as you type):`,
        (answer) => checked(answer, validate),
        true,
      ),
    number: async ({ default: preset, ...question }) =>
      Number(
        await input({
          ...question,
          ...(preset !== undefined && { default: String(preset) }),
          validate: (answer) => numberProblem(answer, question),
        }),
      ),
  }
  return ask
}

type UntilAnswered = ReturnType<typeof untilAnswered>

/** Asks again until an answer is valid. All questions share one keyboard, which keeps lines that were typed ahead. */
function untilAnswered(io: Io) {
  const keyboard = openKeyboard(io)
  return async <T>(message: string, read: (answer: string) => T | Problem, secret = false): Promise<T> => {
    for (;;) {
      const { output } = io.terminal()
      output.write(`${message} `)
      const result = read(secret ? await keyboard.secret() : await keyboard.line())
      if (!(result instanceof Problem)) return result
      output.write(`${result.text}\n`)
    }
  }
}

function plainSelect<T>(
  io: Io,
  until: UntilAnswered,
  { message, choices, default: preset }: Selection<T>,
): Promise<T> {
  const lines = choices.map(({ name, description }, at) => {
    const more = description === undefined ? '' : `: ${sanitizeForTerminal(description)}`
    return `  ${at + 1}. ${sanitizeForTerminal(name)}${more}`
  })
  const usual = preset === undefined ? -1 : choices.findIndex(({ value }) => value === preset)
  const enter = usual < 0 ? '' : `, Enter for ${usual + 1}`
  io.terminal().output.write(`${sanitizeForTerminal(message)}\n${lines.join('\n')}\n`)
  return until(`Type a number from 1 to ${choices.length}${enter}:`, (answer) => {
    const at = answer.trim() === '' ? usual : /^\d+$/.test(answer.trim()) ? Number(answer) - 1 : -1
    const chosen = choices[at]
    return chosen === undefined
      ? new Problem(`Please type a number from 1 to ${choices.length}.`)
      : chosen.value
  })
}

function checked(answer: string, validate?: Validate): string | Problem {
  const problem = validate?.(answer)
  return problem === undefined ? answer : new Problem(problem)
}

class Problem {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

function yesOrNo(preset: boolean) {
  return (answer: string): boolean | Problem => {
    const word = answer.trim().toLowerCase()
    if (word === '') return preset
    if (word === 'y' || word === 'yes') return true
    return word === 'n' || word === 'no' ? false : new Problem('Please type yes or no.')
  }
}

type Keyboard = { line(): Promise<string>; secret(): Promise<string> }

/** Reads lines from the terminal, and keeps lines that were typed ahead for the next question. */
function openKeyboard(io: Io): Keyboard {
  let typed = ''

  const line = (): Promise<string> =>
    listen(io, (text) => {
      typed += text
      const at = typed.search(/\r\n|\r|\n/)
      if (at < 0) return undefined
      const answer = typed.slice(0, at)
      typed = typed.slice(typed.startsWith('\r\n', at) ? at + 2 : at + 1)
      return answer
    })

  /** Reads a secret. In raw mode the terminal neither echoes nor edits, so both are done here. */
  const secret = async (): Promise<string> => {
    const { input, output } = io.terminal()
    const raw = input as Partial<NodeJS.ReadStream>
    if (raw.isTTY !== true) return line()
    let answer = ''
    raw.setRawMode?.(true)
    try {
      return await listen(io, (text) => {
        for (const key of text) {
          if (key === '\r' || key === '\n') return answer
          if (key === '\x03') throw new InterruptedError()
          if (key === '\x04') throw notAnswered()
          answer = key === '\x7f' || key === '\b' ? answer.slice(0, -1) : answer + key
        }
        return undefined
      })
    } finally {
      raw.setRawMode?.(false)
      output.write('\n')
    }
  }
  return { line, secret }
}

/** Passes input to `take` until it returns an answer. The first call has no input, for text that was typed ahead. */
function listen(io: Io, take: (text: string) => string | undefined): Promise<string> {
  const { input } = io.terminal()
  const { signal } = io
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      input.off('data', onData).off('end', onEnd).off('close', onEnd)
      signal?.removeEventListener('abort', onAbort)
      input.pause()
      end()
    }
    const onData = (chunk: Buffer | string) => {
      try {
        const answer = take(chunk.toString())
        if (answer !== undefined) settle(() => resolve(answer))
      } catch (error) {
        settle(() => reject(error))
      }
    }
    const onEnd = () => settle(() => reject(notAnswered()))
    const onAbort = () =>
      settle(() =>
        reject(signal?.reason instanceof InterruptedError ? signal.reason : new InterruptedError()),
      )
    signal?.addEventListener('abort', onAbort)
    input.setEncoding('utf8')
    // a stream that was paused does not go on by being listened to
    input.on('data', onData).once('end', onEnd).once('close', onEnd).resume()
    onData('')
    // An input that ended before this question says so only once.
    if ((input as Partial<NodeJS.ReadStream>).readableEnded === true) onEnd()
    if (signal?.aborted === true) onAbort()
  })
}
