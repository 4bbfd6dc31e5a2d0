import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Flow, Question } from './flow.ts'

type AskProps = { flow: Flow; question: Question; onClose: () => void }

/** A question about the file: a choice, or a text. */
export function Ask({ flow: { wish, check }, question, onClose }: AskProps) {
  const { number, message, choices, problem } = question
  const [given, setGiven] = useState<number | string | undefined>(choices === null ? '' : undefined)
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const answers = wish.answers.slice(0, number)
  const send = (event: Event): void => {
    event.preventDefault()
    if (given === undefined || given === '') return setMissing(true)
    check({ ...wish, answers: [...answers, given] })
  }
  const wrong = missing ? (choices === null ? 'Please type a value.' : 'Please choose one.') : problem
  const describedBy = wrong === null ? undefined : 'wrong'
  return (
    <form onSubmit={send} noValidate>
      {choices === null ? (
        <label class="field">
          {message}
          <input
            ref={field}
            type="text"
            maxLength={200}
            aria-describedby={describedBy}
            value={given}
            onInput={(event) => setGiven(event.currentTarget.value)}
          />
        </label>
      ) : (
        <Choices
          question={question}
          given={given}
          describedBy={describedBy}
          field={field}
          onChoose={setGiven}
        />
      )}
      {wrong !== null && (
        <p class="wrong" id="wrong" role="alert">
          {wrong}
        </p>
      )}
      <div class="actions">
        <button type="submit">Next</button>
        {answers.length > 0 && (
          <button
            type="button"
            class="quiet"
            onClick={() => check({ ...wish, answers: answers.slice(0, -1) })}
          >
            Back
          </button>
        )}
        <button type="button" class="quiet" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}

type ChoicesProps = {
  question: Question
  given: number | string | undefined
  describedBy: string | undefined
  field: RefObject<HTMLInputElement | null>
  onChoose: (at: number) => void
}

function Choices({ question, given, describedBy, field, onChoose }: ChoicesProps) {
  return (
    <fieldset aria-describedby={describedBy}>
      <legend>{question.message}</legend>
      {question.choices?.map((name, at) => (
        <label class="option" key={name}>
          <input
            {...(at === 0 && { ref: field })}
            type="radio"
            name="choice"
            checked={given === at}
            onChange={() => onChoose(at)}
          />
          <bdi>{name}</bdi>
        </label>
      ))}
    </fieldset>
  )
}
