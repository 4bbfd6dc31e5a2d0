import { Dialog } from '../../core/dialog.tsx'
import { Ask } from './ask.tsx'
import { Begun } from './begun.tsx'
import { type Flow, useFlow } from './flow.ts'
import { PlanView } from './plan.tsx'
import { SentView } from './sent.tsx'

type Props = { file: File; onClose: () => void; onSent: () => void; onAnother: () => void }

/** A file from its check to its parcels. */
export function UploadDialog({ file, onClose, onSent, onAnother }: Props) {
  const flow = useFlow(file, onSent)
  const { step } = flow
  // A slip of the hand does not leave work under way: its result would not be seen.
  const close = step.state === 'sending' ? () => {} : onClose
  return (
    <Dialog title={`Upload ${file.name}`} onClose={close}>
      <div class={`sheet-upload ${step.state}`}>
        <Notes flow={flow} />
        <View flow={flow} onClose={onClose} onAnother={onAnother} />
      </div>
    </Dialog>
  )
}

function View({ flow, onClose, onAnother }: { flow: Flow } & Pick<Props, 'onClose' | 'onAnother'>) {
  const { step, confirm } = flow
  const leave = (
    <>
      <button type="button" class="quiet" onClick={onAnother}>
        Another file…
      </button>
      <button type="button" class="quiet" onClick={onClose}>
        Cancel
      </button>
    </>
  )
  switch (step.state) {
    case 'checking':
      return <Begun>Checking all rows…</Begun>
    case 'question':
      return <Ask key={step.number} flow={flow} question={step} onClose={onClose} />
    case 'unusable':
      return (
        <>
          <Begun kind="wrong">{step.message}</Begun>
          {step.hint !== null && <p>{step.hint}</p>}
          <p class="soft">Nothing was created.</p>
          <div class="actions">{leave}</div>
        </>
      )
    case 'planned':
      return <PlanView flow={flow} planned={step} leave={leave} />
    case 'sending':
      return <Begun>{step.planned.question.replace(/^Create (.+) for .*$/, 'Creating $1…')}</Begun>
    case 'failed': {
      const { planned } = step
      return (
        <>
          <Begun kind="wrong">{step.message}</Begun>
          <p>
            {planned === undefined
              ? 'Nothing was created.'
              : 'The result is unknown. Send the parcels again: none is created twice.'}
          </p>
          <div class="actions">
            <button
              type="button"
              onClick={() => (planned === undefined ? flow.check(flow.wish) : confirm(planned))}
            >
              {planned === undefined ? 'Check it again' : 'Send them again'}
            </button>
            {leave}
          </div>
        </>
      )
    }
    case 'sent':
      return <SentView sent={step} onClose={onClose} onAnother={onAnother} />
  }
}

/** The way in which the file was read. */
function Notes({ flow: { step } }: { flow: Flow }) {
  const notes = 'notes' in step ? step.notes : []
  if (notes.length === 0) return null
  return (
    <ul class="notes">
      {notes.map(({ kind, text }) => (
        <li key={text} class={kind}>
          {kind === 'warning' ? `Please check: ${text}` : text}
        </li>
      ))}
    </ul>
  )
}
