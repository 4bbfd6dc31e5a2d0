/** Questions about something that expires, with a countdown. */
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isUpKey,
  makeTheme,
  useEffect,
  useKeypress,
  usePrefix,
  useState,
} from '@inquirer/core'
import type { Theme } from '@inquirer/core'
import { formatMinutesLeft } from './questions.ts'

type Config = {
  message: string
  /** Returns the milliseconds left; called each second. */
  left(): number
  theme: Partial<Theme>
}

const OVER = 'the time is over'

/** Returns the time left as text; calls `over` when it is zero. */
function useTimeLeft({ left }: Config, over: () => void): string {
  const [shown, setShown] = useState(formatMinutesLeft(left()))
  useEffect(() => {
    const timer = setInterval(() => {
      if (left() > 0) setShown(formatMinutesLeft(left()))
      else over()
    }, 1000)
    return () => clearInterval(timer)
  }, [])
  return shown
}

/** Asks yes or no. The default is no; undefined when the time ran out first. */
export const confirmWithin = createPrompt<boolean | undefined, Config>((config, done) => {
  const theme = makeTheme(config.theme)
  const [status, setStatus] = useState<'idle' | 'done'>('idle')
  const [typed, setTyped] = useState('')
  const [answer, setAnswer] = useState('')
  const [problem, setProblem] = useState('')
  const prefix = usePrefix({ status, theme })

  const finish = (given: boolean | undefined, words: string): void => {
    setAnswer(words)
    setStatus('done')
    done(given)
  }
  const shown = useTimeLeft(config, () => finish(undefined, OVER))
  useKeypress((key, line) => {
    if (status === 'done') return
    if (!isEnterKey(key)) {
      setTyped(line.line)
      setProblem('')
      return
    }
    const word = typed.trim().toLowerCase()
    if (config.left() <= 0) finish(undefined, OVER)
    else if (word !== '' && 'yes'.startsWith(word)) finish(true, 'Yes')
    else if ('no'.startsWith(word)) finish(false, 'No')
    else {
      line.write(typed)
      setProblem('Please type yes or no.')
    }
  })
  const message = theme.style.message(config.message, status)
  return status === 'done'
    ? `${prefix} ${message} ${theme.style.answer(answer)}`
    : [
        `${prefix} ${message} ${theme.style.help(`${shown} left`)} ${theme.style.defaultAnswer('y/N')} ${typed}`,
        problem === '' ? '' : theme.style.error(problem),
      ]
})

/** Asks for a choice by arrow keys. Returns its index; undefined when the time ran out first. */
export const selectWithin = createPrompt<number | undefined, Config & { names: readonly string[] }>(
  (config, done) => {
    const theme = makeTheme(config.theme)
    const [status, setStatus] = useState<'idle' | 'done'>('idle')
    const [at, setAt] = useState(0)
    const [answer, setAnswer] = useState('')
    const prefix = usePrefix({ status, theme })

    const finish = (given: number | undefined, words: string): void => {
      setAnswer(words)
      setStatus('done')
      done(given)
    }
    const shown = useTimeLeft(config, () => finish(undefined, OVER))
    useKeypress((key) => {
      if (status === 'done') return
      if (isUpKey(key)) setAt(Math.max(0, at - 1))
      else if (isDownKey(key)) setAt(Math.min(config.names.length - 1, at + 1))
      else if (isEnterKey(key)) {
        if (config.left() <= 0) finish(undefined, OVER)
        else finish(at, config.names[at] ?? '')
      }
    })
    const message = theme.style.message(config.message, status)
    if (status === 'done') return `${prefix} ${message} ${theme.style.answer(answer)}`
    const lines = config.names.map((name, index) =>
      index === at ? theme.style.highlight(`❯ ${name}`) : `  ${name}`,
    )
    return [`${prefix} ${message} ${theme.style.help(`${shown} left`)}`, lines.join('\n')]
  },
)
