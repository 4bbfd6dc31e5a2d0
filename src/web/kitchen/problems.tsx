/** The problems that customers reported: each is refunded, in full or in part, or declined with a reason. */
import { useState } from 'preact/hooks'
import { describeAnswer } from '../../areas/orders/rules/adjust-words.ts'
import { countUnitsLeftByLine } from '../../areas/orders/rules/adjust.ts'
import { summarizeOpenProblems, formatOrderProblem } from '../../areas/orders/rules/wrong-words.ts'
import { formatGroupedMoney } from '../../core/money.ts'
import { changeOnce } from '../core/call.ts'
import { Dialog } from '../core/dialog.tsx'
import { NoteField } from './dialogs.tsx'
import type { KitchenController } from './kitchen.ts'
import { dayAndTime, type Order } from './order.ts'
import { FailureLine, useSending } from './sending.tsx'

type Problem = Order['problems'][number]
type ReportedProblem = { order: Order; problem: Problem }

type ProblemsProps = {
  problems: readonly Order[]
  onChange: KitchenController['change']
  onClose: () => void
}

/** All problems that wait for an answer, or the chosen one; the only one is chosen at once. */
export function ProblemsDialog({ problems, onChange, onClose }: ProblemsProps) {
  const open = summarizeOpenProblems(problems)?.open ?? []
  const isOnly = open.length === 1
  const [id, choose] = useState(isOnly ? open[0]?.problem.problem_id : undefined)
  const chosen = open.find(({ problem }) => problem.problem_id === id)
  const leave = (): void => (isOnly ? onClose() : choose(undefined))
  if (chosen !== undefined)
    return <AnswerDialog key={id} {...chosen} onChange={onChange} onDone={leave} onClose={leave} />
  return (
    <Dialog title="Problems to answer" onClose={onClose}>
      {id !== undefined && <p role="status">The problem is answered already.</p>}
      {open.length === 0 && <p>No problem waits for an answer.</p>}
      <ul class="items" tabIndex={0} aria-label="Problems">
        {open.map(({ order, problem }) => (
          <li key={problem.problem_id}>
            <span>
              {order.display_number}: {formatOrderProblem(order, problem)}
              <span class="soft">
                {formatGroupedMoney(problem.amount)}, answer by {dayAndTime(problem.answer_by)}
              </span>
            </span>
            <button
              type="button"
              class="quiet small"
              aria-label={`Answer… ${order.display_number}`}
              onClick={() => choose(problem.problem_id)}
            >
              Answer…
            </button>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  )
}

const ANSWERS = { full: 'Refund all of it', part: 'Refund a part of it', none: 'Decline' } as const
type Accept = keyof typeof ANSWERS

type AnswerProps = ReportedProblem & {
  onChange: KitchenController['change']
  onDone: () => void
  onClose: () => void
}

function AnswerDialog({ order, problem, onChange, onDone, onClose }: AnswerProps) {
  const units = unitsOf(order, problem)
  const [accept, setAccept] = useState<Accept>()
  const [taken, setTaken] = useState<ReadonlyMap<string, number>>(new Map())
  const [note, setNote] = useState('')
  const [missing, setMissing] = useState(false)
  const sending = useSending(order, onChange, onDone)
  const lines = units.flatMap(({ line_id, most }) => {
    const quantity = Math.min(taken.get(line_id) ?? 0, most)
    return quantity > 0 ? { line_id, quantity } : []
  })
  const outcome = outcomeOf({ order, problem }, accept, accept === 'part' ? lines : undefined)
  const why = missingOf(accept, { lines, note })
  const submit = (event: Event): void => {
    event.preventDefault()
    if (sending.again !== undefined) return sending.again()
    if (accept === undefined || why !== undefined) return setMissing(true)
    const input = {
      order_id: order.order_id,
      problem_id: problem.problem_id,
      accept,
      ...(accept === 'part' && { lines }),
      ...(note.trim() !== '' && { note: note.trim() }),
    }
    sending.send(
      () => changeOnce('answer_order_problem', input),
      () => `The problem of ${order.display_number} is answered. ${outcome?.money ?? ''}`,
    )
  }
  return (
    <Dialog title={`Answer the problem of ${order.display_number}`} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Report order={order} problem={problem} />
        <fieldset class="whole" disabled={sending.again !== undefined}>
          <AnswerChoice mayPart={units.length > 0} accept={accept} onChoose={setAccept} />
          {accept === 'part' && <UnitFields units={units} taken={taken} onChange={setTaken} />}
          <NoteField note={note} onInput={setNote} />
        </fieldset>
        <FailureLine failure={sending.failure} />
        {sending.again === undefined && (
          <p class={missing && why !== undefined ? 'outcome wrong' : 'outcome'} role="status">
            {why ?? outcome?.money}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="grave" aria-disabled={sending.isBusy}>
            {sending.again === undefined ? (outcome?.verb ?? 'Answer') : 'Try again'}
          </button>
          <button type="button" class="quiet" onClick={onClose}>
            Not now
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type ChoiceProps = { mayPart: boolean; accept: Accept | undefined; onChoose: (accept: Accept) => void }

function AnswerChoice({ mayPart, accept, onChoose }: ChoiceProps) {
  const answers = (Object.keys(ANSWERS) as Accept[]).filter((each) => each !== 'part' || mayPart)
  return (
    <fieldset>
      <legend>Answer</legend>
      {answers.map((each) => (
        <label class="option" key={each}>
          <input type="radio" name="answer" checked={accept === each} onChange={() => onChoose(each)} />
          {ANSWERS[each]}
        </label>
      ))}
    </fieldset>
  )
}

/** The report of the customer, in their own words, too. */
function Report({ order, problem }: ReportedProblem) {
  const { note, amount, at, answer_by } = problem
  return (
    <>
      <p>
        <strong>{formatOrderProblem(order, problem)}</strong>, {formatGroupedMoney(amount)}
        <br />
        <span class="soft">
          <bdi>{order.customer.first_name}</bdi> on {dayAndTime(at)}. Without an answer by{' '}
          {dayAndTime(answer_by)} the platform pays.
        </span>
      </p>
      {note !== null && (
        <p class="note">
          <strong>Note</strong> <bdi>{note}</bdi>
        </p>
      )}
    </>
  )
}

type Units = { line_id: string; name: string; most: number }

/** Returns the units of a problem that can still be refunded, where only a part of them can be, too. */
function unitsOf(order: Order, { lines }: Problem): Units[] {
  const left = countUnitsLeftByLine(order)
  const units = lines.flatMap(({ line_id, quantity }): Units[] => {
    const line = left.find((each) => each.line_id === line_id)
    const most = Math.min(quantity, line?.left ?? 0)
    return line === undefined || most === 0 ? [] : [{ line_id, name: line.name, most }]
  })
  return units.reduce((sum, { most }) => sum + most, 0) > 1 ? units : []
}

type UnitsProps = {
  units: readonly Units[]
  taken: ReadonlyMap<string, number>
  onChange: (taken: ReadonlyMap<string, number>) => void
}

function UnitFields({ units, taken, onChange }: UnitsProps) {
  return units.map(({ line_id, name, most }) => (
    <label class="field" key={line_id}>
      Refund of {name}
      <select
        value={taken.get(line_id) ?? 0}
        onChange={(event) => onChange(new Map([...taken, [line_id, Number(event.currentTarget.value)]]))}
      >
        {Array.from({ length: most + 1 }, (_, at) => (
          <option key={at} value={at}>
            {at} of {most}
          </option>
        ))}
      </select>
    </label>
  ))
}

/** Returns what is still missing of an answer. */
function missingOf(
  accept: Accept | undefined,
  { lines, note }: { lines: readonly object[]; note: string },
): string | undefined {
  if (accept === undefined) return 'Choose an answer.'
  if (accept === 'part' && lines.length === 0) return 'Choose what is refunded.'
  return accept === 'none' && note.trim() === '' ? 'Say in the note why you decline.' : undefined
}

/** Returns the effect on the money, by the sums of the service, and the verb of the button. */
function outcomeOf(
  { order, problem }: ReportedProblem,
  accept: Accept | undefined,
  lines: Parameters<typeof describeAnswer>[2],
): { money: string; verb: string } | undefined {
  if (accept === undefined) return undefined
  if (accept === 'none') return { money: 'No money goes back.', verb: 'Decline' }
  const { money, amount } = describeAnswer(order, problem, lines)
  return { money, verb: `Refund ${formatGroupedMoney(amount)}` }
}
