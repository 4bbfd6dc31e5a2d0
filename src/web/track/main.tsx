/** The page of a shared link: one resource, for whoever was sent it, first of all on a phone. */
import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import type { SharedStep, SharedView } from '../../core/shared-view.ts'
import { readTime } from '../core/call.ts'
import { makeClock } from '../core/clock.ts'
import { type ConnectionState, listen } from '../core/live.ts'
import { Portal } from '../core/portal.tsx'
import { SESSION } from '../core/session.ts'
import { ConnectionStatus } from '../core/state.tsx'
import { Map } from './map.tsx'
import { dayText, LinkGoneError, loadState, timeText, untilText } from './state.ts'

const PATH = location.pathname

type SharedState = { view: SharedView; lostSince: number | undefined; gone: boolean }

/** While a worker moves the page polls at this interval: a position is no event. */
const MOVING_MS = 5_000

function Page() {
  const { seen, hearing, now } = useShared()
  const { view, lostSince, gone } = seen
  if (gone)
    return (
      <div class="card" role="alert">
        <h1>This link does not work</h1>
        <p>It may have expired or been withdrawn. Ask the sender for a new link.</p>
      </div>
    )
  const { eta, who, map, proof } = view
  const why = whyFailed(view)
  return (
    <>
      <Portal id="state">
        <ConnectionStatus hearing={lostSince === undefined ? hearing : 'lost'} />
      </Portal>
      {lostSince !== undefined && (
        <p class="banner" role="alert">
          The server does not respond. This is from {timeText(new Date(lostSince).toISOString(), now)}. Trying
          again …
        </p>
      )}
      <div class="shared">
        <div class={`now is-${view.mood}`} role="status">
          <p class="title">{view.title}</p>
          <h1>{view.state}</h1>
          {why !== null && <p class="why">{why}</p>}
          {eta !== null && <Eta eta={eta} now={now} />}
        </div>
        <FileLinks view={view} />
        {map !== null && <Map map={map} />}
        {proof !== null && <Proof proof={proof} evidence={view.kind === 'task'} now={now} />}
        {who !== null && (
          <section class="part comer" aria-labelledby="comer">
            <h2 id="comer">{who.role}</h2>
            <p>
              <bdi>{who.name}</bdi>
              {who.vehicle !== null && <span class="soft">{who.vehicle}</span>}
            </p>
            {who.plate !== null && <p class="plate">{who.plate}</p>}
          </section>
        )}
        <Timeline steps={view.steps} over={view.over} now={now} />
      </div>
      <p class="foot">Only people with this link can see this page. Times are in your device’s time zone.</p>
    </>
  )
}

/** The files that the page gives to whoever has its link. */
function FileLinks({ view: { label, calendar } }: { view: SharedView }) {
  return (
    <>
      {label === true && (
        <p>
          <a class="button" target="_blank" rel="noopener" href={`${PATH}/label`}>
            Print the return label
          </a>
        </p>
      )}
      {calendar === true && (
        <p>
          <a class="button" href={`${PATH}/calendar`}>
            Add to calendar
          </a>
        </p>
      )}
    </>
  )
}

type ProofProps = { proof: NonNullable<SharedView['proof']>; evidence: boolean; now: number }

function Proof({ proof, evidence, now }: ProofProps) {
  return (
    <section class="part" aria-labelledby="proof">
      <h2 id="proof">{evidence ? 'Evidence' : 'Proof'}</h2>
      <p>
        {proof.words}, <time dateTime={proof.at}>{timeText(proof.at, now)}</time>
      </p>
      {Array.from({ length: proof.pictures }, (_, number) => (
        <img
          key={number}
          src={`${PATH}/pictures/${number}`}
          alt={evidence ? `Photo ${number + 1} of the task` : 'Photo of the delivery'}
        />
      ))}
    </section>
  )
}

/** Returns the reason why it ended badly. The notes of a parcel are towns, too. */
function whyFailed({ kind, mood, over, steps }: SharedView): string | null {
  return over && mood === 'failed' && kind !== 'parcel' ? (steps.at(-1)?.note ?? null) : null
}

function Eta({ eta, now }: { eta: NonNullable<SharedView['eta']>; now: number }) {
  const { words, at, until, day } = eta
  if (day)
    return (
      <p class="eta">
        <span>{words}</span> <time dateTime={at}>{dayText(at)}</time>
      </p>
    )
  const left = until === null ? untilText(at, now) : undefined
  return (
    <p class="eta">
      <span>{words}</span> <time dateTime={at}>{timeText(at, now)}</time>
      {until !== null && (
        <>
          {' – '}
          <time dateTime={until}>{timeText(until, now)}</time>
        </>
      )}
      {left !== undefined && <span class="left">{left}</span>}
    </p>
  )
}

function Timeline({ steps, over, now }: { steps: readonly SharedStep[]; over: boolean; now: number }) {
  const last = steps.findLastIndex(({ at }) => at !== null)
  return (
    <section class="part" aria-labelledby="steps">
      <h2 id="steps">{over ? 'Events' : 'Progress'}</h2>
      <ol class="steps">
        {steps.map(({ words, at, note }, index) => (
          <li
            key={`${words} ${at}`}
            class={at === null ? 'ahead' : index === last ? 'here' : 'past'}
            aria-current={index === last ? 'step' : undefined}
          >
            <span class="words">
              {words}
              {note !== null && <span class="note">{note}</span>}
            </span>
            {at === null ? (
              <span class="hidden">still ahead</span>
            ) : (
              <time dateTime={at}>{timeText(at, now)}</time>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The resource as it was last seen; asks again when something changed, and while a worker moves. */
function useShared(): { seen: SharedState; hearing: ConnectionState; now: number } {
  const [seen, setSeen] = useState<SharedState>(() => ({
    view: JSON.parse(document.body.dataset['view'] ?? '{}') as SharedView,
    lostSince: undefined,
    gone: false,
  }))
  const [hearing, setHearing] = useState<ConnectionState>('polling')
  const [, setTick] = useState(0)
  const clock = useMemo(() => {
    const made = makeClock()
    made.set(readTime(document.body.dataset['time'] ?? null))
    return made
  }, [])
  useEffect(() => {
    let asked = performance.now()
    let moves = false
    const look = async (): Promise<void> => {
      asked = performance.now()
      try {
        const { view, time } = await loadState(PATH)
        clock.set(time)
        moves = view.map?.mover !== null && view.map !== null
        setSeen({ view, lostSince: undefined, gone: false })
      } catch (error) {
        if (error instanceof LinkGoneError) stop()
        setSeen((before) => ({
          ...before,
          gone: error instanceof LinkGoneError,
          lostSince: before.lostSince ?? clock.now(),
        }))
      }
    }
    const end = listen({
      page: PATH,
      events: `${PATH}/events`,
      build: SESSION.build,
      onChange: () => void look(),
      onTime(time) {
        clock.tell(time)
        void look()
      },
      onHearing: setHearing,
    })
    const timer = setInterval(() => {
      setTick((tick) => tick + 1)
      if (moves && !clock.isFrozen() && performance.now() - asked >= MOVING_MS) void look()
    }, 1000)
    const stop = (): void => {
      end()
      clearInterval(timer)
    }
    return stop
  }, [])
  return { seen, hearing, now: clock.now() }
}

const main = document.getElementById('page')
if (main !== null) {
  main.replaceChildren()
  render(<Page />, main)
}
