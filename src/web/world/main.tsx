/** The world page: the sandbox on a map of London, its clock, and everything that can be started in it. */
import { render } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { control } from '../core/call.ts'
import { makeClock } from '../core/clock.ts'
import { restoreLostFocus } from '../core/focus.ts'
import { type ConnectionState, listen } from '../core/live.ts'
import { Notices } from '../core/notices.tsx'
import { Portal } from '../core/portal.tsx'
import { SESSION } from '../core/session.ts'
import { ConnectionStatus, SignedOutNotice } from '../core/state.tsx'
import { Accounts, TokenDialog, WalletDialog } from './accounts.tsx'
import { ClockBar, type Turn } from './clock-bar.tsx'
import { AtWork, Due, EventLines } from './lists.tsx'
import type { Account, Person, World } from './people.ts'
import { Picture } from './picture.tsx'
import { Requests } from './requests.tsx'
import { Start, StoryDialog } from './start.tsx'
import { STORIES, type Story } from './stories.ts'
import { clockText, thingText, words } from './words.ts'
import { type WorldState, NOTHING, type WorldController, runWorld } from './world.ts'

type WorldDialog =
  | { about: 'story'; story: Story }
  | { about: 'token'; account: Account }
  | { about: 'wallet'; account: Account }

function Page() {
  const { known, running, clock, hearing } = useWorld()
  const { world, lostSince, refused, signedOut } = known
  return (
    <>
      <Portal id="state">
        {!signedOut && <ConnectionStatus hearing={lostSince === undefined ? hearing : 'lost'} />}
      </Portal>
      {lostSince !== undefined && (
        <p class="banner" role="alert">
          The server does not respond. Showing the sandbox as of {clockText(lostSince)}. Trying again…
        </p>
      )}
      <h1 class="hidden">World</h1>
      {signedOut ? (
        <SignedOutNotice page="world" />
      ) : refused !== undefined ? (
        <div class="card" role="alert">
          <h2>The world cannot be shown</h2>
          <p>{refused}</p>
        </div>
      ) : world === undefined ? (
        <p class="waiting" role="status">
          Loading…
        </p>
      ) : (
        <Content known={known} world={world} running={running} now={() => clock.now()} />
      )}
      <Notices notices={known.notices} onDismiss={running.dismiss} />
    </>
  )
}

/** The page looks at most so often, however much happens. */
const MIN_REFRESH_MS = 500

/** Runs the world while the page is open, and renders its times again each second. */
function useWorld() {
  const [known, setKnown] = useState<WorldState>(NOTHING)
  const [hearing, setHearing] = useState<ConnectionState>('polling')
  const [, setTick] = useState(0)
  const { clock, running } = useMemo(() => {
    const made = makeClock()
    const deps = {
      load: () => control('get_world', {}),
      loadAccounts: async () => (await control('list_accounts', {})).value.data,
      clock: made,
      show: setKnown,
    }
    return { clock: made, running: runWorld(deps) }
  }, [])
  useEffect(() => {
    let planned: ReturnType<typeof setTimeout> | undefined
    const end = listen({
      page: 'world',
      build: SESSION.build,
      onChange: (changes) => {
        if (changes.length === 0) return void running.refresh()
        planned ??= setTimeout(() => {
          planned = undefined
          void running.refresh()
        }, MIN_REFRESH_MS)
      },
      onTime: (time) => {
        clock.tell(time)
        void running.refresh()
      },
      onHearing: setHearing,
    })
    const timer = setInterval(() => setTick((tick) => tick + 1), 1000)
    return () => {
      end()
      clearTimeout(planned)
      clearInterval(timer)
    }
  }, [])
  return { known, running, clock, hearing }
}

type ContentProps = { known: WorldState; world: World; running: WorldController; now: () => number }

function Content({ known, world, running, now }: ContentProps) {
  const [asked, setAsked] = useState<WorldDialog>()
  const [turned, setTurned] = useState<string>()
  const { accounts, busy } = known
  const moment = now()
  const turn = (given: Turn): void =>
    void running.act('The clock could not be changed', async () => {
      setTurned(await turnClock(given))
      return undefined
    })
  const lunch = STORIES[0]
  return (
    <div class="town">
      <p class="lead">
        <strong>A simulated London for testing.</strong> No real people or money. A request to the API brings
        a courier, a driver, a professional or a tasker on the way; the clock of the sandbox decides how fast.
      </p>
      <ClockBar clock={world.clock} now={moment} busy={busy} turned={turned} onTurn={turn} />
      <Stage
        world={world}
        accounts={accounts}
        busy={busy}
        running={running}
        now={now}
        onStart={() => lunch !== undefined && setAsked({ about: 'story', story: lunch })}
      />
      <Start busy={busy} onAsk={(story) => setAsked({ about: 'story', story })} />
      <Accounts
        accounts={accounts}
        onToken={(account) => setAsked({ about: 'token', account })}
        onWallet={(account) => setAsked({ about: 'wallet', account })}
      />
      <Requests seen={world.happened[0]?.seq ?? 0} />
      <Question
        asked={asked}
        running={running}
        now={moment}
        frozen={world.clock.mode === 'frozen'}
        onRun={() => turn({ speed: 60 })}
        onClose={() => setAsked(undefined)}
      />
    </div>
  )
}

type StageProps = {
  world: World
  accounts: readonly Account[] | undefined
  busy: boolean
  running: WorldController
  now: () => number
  onStart: () => void
}

/** The map, and beside it who is at work, what comes next and what happened. */
function Stage({ world, accounts, busy, running, now, onStart }: StageProps) {
  const [chosen, setChosen] = useState<string>()
  const { people, due, happened } = world
  const moment = now()
  const step = ({ job }: Person): void =>
    void running.act('The request failed', async () => {
      if (job === null) return undefined
      const { value } = await control('step_resource', { resource_id: job.resource_id })
      return `${thingText(job.kind, value.resource_id)}: ${words(value.event)}.`
    })
  return (
    <div class="stage">
      <Picture world={world} now={now} chosen={chosen} onChoose={setChosen} />
      <div class="side">
        <AtWork
          people={people}
          now={moment}
          chosen={chosen}
          busy={busy}
          onChoose={setChosen}
          onStep={step}
          onStart={onStart}
        />
        <Due due={due} now={moment} />
        <EventLines happened={happened} accounts={accounts} now={moment} />
      </div>
    </div>
  )
}

type QuestionProps = {
  asked: WorldDialog | undefined
  running: WorldController
  now: number
  frozen: boolean
  onRun: () => void
  onClose: () => void
}

function Question({ asked, running, now, frozen, onRun, onClose }: QuestionProps) {
  if (asked === undefined) return null
  const { act } = running
  if (asked.about === 'token') return <TokenDialog account={asked.account} act={act} onClose={onClose} />
  if (asked.about === 'wallet') return <WalletDialog account={asked.account} now={now} onClose={onClose} />
  return <StoryDialog story={asked.story} act={act} frozen={frozen} onRun={onRun} onClose={onClose} />
}

/** Turns the clock; returns what happened in the meantime. */
async function turnClock(turn: Turn): Promise<string | undefined> {
  if ('speed' in turn) {
    const { speed } = turn
    if (speed === 0) await control('set_clock', { mode: 'frozen' })
    else await control('set_clock', speed === 1 ? { mode: 'offset' } : { mode: 'scaled', factor: speed })
    return undefined
  }
  const { value } = await control('advance_clock', turn)
  return changesText(value.happened.reduce((sum, { count }) => sum + count, 0))
}

function changesText(changes: number): string {
  if (changes === 0) return 'No changes.'
  return changes === 1 ? '1 change.' : `${changes} changes.`
}

const main = document.getElementById('page')
if (main !== null) {
  main.replaceChildren()
  restoreLostFocus()
  render(<Page />, main)
}
