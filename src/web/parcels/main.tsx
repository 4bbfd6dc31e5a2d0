/** The parcels page: a sender's parcels by state, to find, follow, label and cancel. */
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ConnectionLostError, ProblemError, SessionExpiredError } from '../core/call.ts'
import { restoreLostFocus } from '../core/focus.ts'
import { type Change, type ConnectionState, listen } from '../core/live.ts'
import { type Notice, Notices } from '../core/notices.tsx'
import { Portal } from '../core/portal.tsx'
import { hasScope, SESSION } from '../core/session.ts'
import { ConnectionStatus, SignedOutNotice } from '../core/state.tsx'
import { countMatching, StateBar, useCounts } from './counts.tsx'
import { DetailDialog } from './detail.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type ParcelChange, List } from './list.tsx'
import { loadAll, loadPage, MAX_CHOSEN, type ParcelPage } from './load.ts'
import { type ParcelSelection, type Filters, NO_FILTERS, formatCount } from './parcel.ts'
import { CancelChosen, type BulkResult, RedirectChosen } from './several.tsx'
import { Uploads } from './upload/uploads.tsx'

type ParcelListState = {
  page: ParcelPage | undefined
  /** The reason why nothing can be shown. */
  refused: string | undefined
  lost: boolean
  signedOut: boolean
}

/** Asks for the list, and again with each of the news; an answer to an older question is dropped. */
function useList(filters: Filters, cursor: string | null) {
  const [shown, setShown] = useState<ParcelListState>({
    page: undefined,
    refused: undefined,
    lost: false,
    signedOut: false,
  })
  const asked = useRef(0)
  const look = async (): Promise<void> => {
    const question = ++asked.current
    const set = (change: Partial<ParcelListState>): void => {
      if (question === asked.current) setShown((before) => ({ ...before, ...change }))
    }
    try {
      const { value } = await loadPage(filters, cursor)
      set({ page: value, refused: undefined, lost: false })
    } catch (error) {
      if (error instanceof SessionExpiredError) return set({ signedOut: true })
      if (error instanceof ProblemError) return set({ refused: error.message, lost: false })
      // Anything else is a page that cannot read the answer; it must not look as if all were well.
      set({ lost: true })
      if (!(error instanceof ConnectionLostError)) throw error
    }
  }
  return { shown, look }
}

function isNews(changes: readonly Change[]): boolean {
  return changes.length === 0 || changes.some(({ type }) => type.startsWith('shipment.'))
}

/** The parcel that the address names after its #: a link to it can be kept, and Back closes it. */
function numberOfAddress(): string | undefined {
  return /^#([A-Z]{2}\d{9}[A-Z]{2})$/.exec(location.hash)?.[1]
}

function useOpened() {
  const [opened, setOpened] = useState(numberOfAddress)
  useEffect(() => {
    const follow = (): void => setOpened(numberOfAddress())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const close = (): void => {
    history.replaceState(null, '', location.pathname)
    setOpened(undefined)
  }
  return { opened, close }
}

function useNews() {
  const [news, setNews] = useState(0)
  const [hearing, setHearing] = useState<ConnectionState>('polling')
  useEffect(
    () =>
      listen({
        page: 'parcels',
        build: SESSION.build,
        onChange: (changes) => {
          if (isNews(changes)) setNews((count) => count + 1)
        },
        onTime: () => {},
        onHearing: setHearing,
      }),
    [],
  )
  return { news, hearing }
}

/** The calls that were made on this page, until it is closed. */
function useNotices() {
  const [notices, setNotices] = useState<readonly Notice[]>([])
  const say = (text: string): void =>
    setNotices((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, kind: 'done', text }])
  const dismiss = (id: number): void => setNotices((before) => before.filter((notice) => notice.id !== id))
  return { notices, say, dismiss }
}

function LostBanner() {
  return (
    <p class="banner" role="alert">
      The server does not respond. Showing the last known parcels. Trying again…
    </p>
  )
}

type Trail = readonly (string | null)[]

type PagesProps = {
  page: ParcelPage | undefined
  filters: Filters
  /** Words for the number of parcels that match the filters. */
  matching: string | undefined
  trail: Trail
  choice: [chosen: ParcelSelection, onChoose: (chosen: ParcelSelection) => void]
  onTurn: (trail: Trail) => void
  /** Says what was done, and asks for the list again. */
  onDone: (words: string) => void
}

/** The list, page by page. What is chosen stays chosen on the others, and under other filters. */
function Pages({ page, filters, matching, trail, choice, onTurn, onDone }: PagesProps) {
  const [chosen, onChoose] = choice
  const [change, setChange] = useState<ParcelChange>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const chooseAll = async (): Promise<void> => {
    try {
      const all = await loadAll(filters)
      if (all === undefined) return setProblems([`More than ${MAX_CHOSEN} parcels match. Narrow the list.`])
      const open = all.filter(({ label }) => label.files !== null)
      onChoose(new Map([...chosen, ...open.map((each) => [each.tracking_number, each] as const)]))
    } catch (error) {
      setProblems([error instanceof Error ? error.message : String(error)])
    }
  }
  const end = ({ words, done, failed }: BulkResult): void => {
    setChange(undefined)
    setProblems(failed)
    onChoose(new Map([...chosen].filter(([number]) => !done.includes(number))))
    onDone(words)
  }
  const asked = { parcels: [...chosen.values()], onClose: () => setChange(undefined), onEnd: end }
  const hasMore = trail.length > 1 || (page !== undefined && page.next !== null)
  return (
    <>
      {problems.length > 0 && (
        <ul class="wrong" role="alert">
          {problems.slice(0, SHOWN).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
          {problems.length > SHOWN && <li>… and {problems.length - SHOWN} more.</li>}
        </ul>
      )}
      <List
        page={page}
        filters={filters}
        number={trail.length}
        chosen={chosen}
        onChoose={onChoose}
        onAll={hasMore ? () => void chooseAll() : undefined}
        matching={matching}
        onChange={setChange}
        onOlder={(next) => onTurn([...trail, next])}
        onNewer={() => onTurn(trail.slice(0, -1))}
      />
      {change === 'cancel' && <CancelChosen {...asked} />}
      {change === 'redirect' && <RedirectChosen {...asked} />}
    </>
  )
}

/** The errors that are shown of a change of many parcels. */
const SHOWN = 5

function Head(props: { isFree: boolean; onSent: () => void }) {
  return (
    <div class="head">
      <h1>Parcels</h1>
      {hasScope('shipments.create') && <Uploads {...props} />}
    </div>
  )
}

function RefusalNotice({ words }: { words: string }) {
  return (
    <p class="wrong" role="alert">
      {words}
    </p>
  )
}

function Page() {
  const [filters, setFilters] = useState<Filters>(NO_FILTERS)
  // The cursors of the pages that lead to this one.
  const [trail, setTrail] = useState<Trail>([null])
  const { notices, say, dismiss } = useNotices()
  const { news, hearing } = useNews()
  const { opened, close } = useOpened()
  const choice = useState<ParcelSelection>(new Map())
  const cursor = trail.at(-1) ?? null
  const { shown, look } = useList(filters, cursor)
  useEffect(() => void look(), [filters, cursor, news])
  const counts = useCounts(filters, news)
  const matching = countMatching(counts, filters)
  const tell = (words: string): void => {
    say(words)
    void look()
  }
  const narrow = (next: Filters): void => {
    setFilters(next)
    setTrail([null])
  }
  const { page, refused, lost, signedOut } = shown
  if (signedOut) return <SignedOutNotice page="parcels" />
  return (
    <>
      <Portal id="state">
        <ConnectionStatus hearing={lost ? 'lost' : hearing} />
      </Portal>
      {lost && <LostBanner />}
      <div class="desk">
        <Head isFree={opened === undefined} onSent={() => void look()} />
        <FilterBar filters={filters} onChange={narrow} />
        <StateBar counts={counts} filters={filters} onChange={narrow} />
        {refused !== undefined ? (
          <RefusalNotice words={refused} />
        ) : (
          <Pages
            page={page}
            filters={filters}
            matching={matching && formatCount(matching)}
            trail={trail}
            choice={choice}
            onTurn={setTrail}
            onDone={tell}
          />
        )}
      </div>
      {opened !== undefined && (
        <DetailDialog
          key={opened}
          number={opened}
          news={news}
          onClose={close}
          onCancelled={({ tracking_number: number }) => tell(`${number} is cancelled.`)}
        />
      )}
      <Notices notices={notices} onDismiss={dismiss} />
    </>
  )
}

const main = document.getElementById('page')
if (main !== null) {
  main.replaceChildren()
  restoreLostFocus()
  render(<Page />, main)
}
