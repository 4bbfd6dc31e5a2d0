import { useState } from 'preact/hooks'
import { change } from '../core/call.ts'
import { Dialog } from '../core/dialog.tsx'
import { type Caller, STORIES, type Story } from './stories.ts'

type StartProps = { busy: boolean; onAsk: (story: Story) => void }

/** The stories to start. */
export function Start({ busy, onAsk }: StartProps) {
  return (
    <section class="block" aria-labelledby="start">
      <h2 id="start">Run a demo</h2>
      <ul class="stories">
        {STORIES.map((story) => (
          <li key={story.name}>
            <h3>{story.title}</h3>
            <p>{story.about}</p>
            <button
              type="button"
              class="quiet small"
              aria-disabled={busy}
              aria-label={`Start: ${story.title}…`}
              onClick={() => !busy && onAsk(story)}
            >
              Start…
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

type StoryDialogProps = {
  story: Story
  /** Runs the work, and says in a notice how it ended. */
  act: (what: string, work: () => Promise<string | undefined>) => Promise<void>
  frozen: boolean
  onRun: () => void
  onClose: () => void
}

/** Says which calls a story makes, makes them, and tells of each. */
export function StoryDialog({ story, act, frozen, onRun, onClose }: StoryDialogProps) {
  const [lines, setLines] = useState<readonly string[]>([])
  const [state, setState] = useState<'asked' | 'running' | 'over'>('asked')
  const calls = story.asks.reduce((sum, { operations, times }) => sum + operations.length * times, 0)
  const start = async (): Promise<void> => {
    if (state !== 'asked') return
    setState('running')
    await act(`${story.title} stopped`, async () => {
      await story.play(callAs, (line) => setLines((before) => [...before, line]))
      return `${story.title} has started.`
    })
    setState('over')
  }
  return (
    <Dialog title={story.title} onClose={onClose}>
      <p>{story.about}</p>
      {state === 'asked' ? <Asks story={story} calls={calls} /> : <CallLines lines={lines} />}
      {state === 'over' && frozen && <p>The clock is frozen. Run it to see what happens.</p>}
      <div class="actions">
        {state !== 'over' && (
          <button type="button" aria-disabled={state === 'running'} onClick={() => void start()}>
            {state === 'running' ? 'Running…' : `Start ${calls} calls`}
          </button>
        )}
        {state === 'over' && (
          <button
            type="button"
            onClick={() => {
              onClose()
              onRun()
            }}
          >
            Run ×60 and watch
          </button>
        )}
        <button type="button" class="quiet" onClick={onClose}>
          {state === 'over' ? 'Close' : 'Not now'}
        </button>
      </div>
    </Dialog>
  )
}

function Asks({ story, calls }: { story: Story; calls: number }) {
  return (
    <>
      <p>It makes {calls} calls of the API, for these sample accounts:</p>
      <ul class="asks">
        {story.asks.map(({ as, operations, times }) => (
          <li key={as + operations.join()}>
            <strong>{as}</strong>
            {times > 1 && ` ${times} times`}: <span class="soft">{operations.join(', ')}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function CallLines({ lines }: { lines: readonly string[] }) {
  return (
    <div role="log" aria-label="Calls made">
      <ol class="told">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
    </div>
  )
}

const callAs: Caller = async (as, operation, input, scenario) =>
  (await change(operation, input, { as, ...(scenario !== undefined && { scenario }) })).value
