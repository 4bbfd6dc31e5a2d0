/** A change that the user confirms in a dialog, which stays open until the change is done. */
import { useState } from 'preact/hooks'
import { ConnectionLostError } from '../core/call.ts'
import type { Failure, KitchenController } from './kitchen.ts'
import type { Order } from './order.ts'

type Change = KitchenController['change']

export type ChangeSender = {
  isBusy: boolean
  /** The reason why it was not done. */
  failure: Failure
  /** Sends again what got no answer, as it was: nothing else can be sent until it is known what became of it. */
  again: (() => void) | undefined
  send(call: Parameters<Change>[1], done: Parameters<Change>[2]): void
}

/** Sends changes of an order; `onDone` is called once one is done. */
export function useSending(order: Order, onChange: Change, onDone: () => void): ChangeSender {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const [again, setAgain] = useState<() => void>()
  const send: ChangeSender['send'] = (call, done) => {
    if (isBusy) return
    setBusy(true)
    void onChange(order, call, done).then((failed) => {
      setBusy(false)
      setFailure(failed)
      setAgain(() => (failed instanceof ConnectionLostError ? () => send(call, done) : undefined))
      if (failed === undefined) onDone()
    })
  }
  return { isBusy, failure, again, send }
}

/** The next step after an error, by its code. */
const NEXT: Readonly<Record<string, string>> = {
  adjustment_not_allowed: 'Check the order and the amount, then confirm again.',
  amount_exceeds_paid: 'Check what is left of the order, then choose again.',
  item_unavailable: 'Choose another item.',
  item_not_found: 'Choose another item.',
  invalid_modifier_selection: 'Choose other options.',
}

/** Says why a change was not done, and what to do. */
export function FailureLine({ failure }: Pick<ChangeSender, 'failure'>) {
  if (failure === undefined) return null
  const next =
    failure instanceof ConnectionLostError
      ? 'Perhaps it was done, perhaps not. Try again: it is not done twice.'
      : (NEXT[failure.code] ?? '')
  return (
    <p class="wrong" role="alert">
      {failure.message} {next}
    </p>
  )
}
