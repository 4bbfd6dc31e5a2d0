import { type Account, atWork, type Person, type World } from './people.ts'
import {
  thingText,
  capital,
  clockText,
  CREW_WORDS,
  eventText,
  jobText,
  momentText,
  ownerText,
  untilText,
  words,
} from './words.ts'

type AtWorkProps = {
  people: readonly Person[]
  now: number
  chosen: string | undefined
  busy: boolean
  onChoose: (personId: string | undefined) => void
  onStep: (person: Person) => void
  onStart: () => void
}

/** All workers on duty: what the map shows, as a list. */
export function AtWork({ people, now, chosen, busy, onChoose, onStep, onStart }: AtWorkProps) {
  const working = atWork(people)
  return (
    <section class="panel" aria-labelledby="at-work">
      <h2 id="at-work">
        At work <span class="count">{working.length}</span>
      </h2>
      {working.length === 0 ? (
        <>
          <p>No active jobs. Send a request to start one.</p>
          <button type="button" onClick={onStart}>
            Start the lunch rush
          </button>
        </>
      ) : (
        <ul class="lines">
          {working.map((person) => (
            <WorkingPeople
              key={person.person_id}
              person={person}
              now={now}
              chosen={person.person_id === chosen}
              busy={busy}
              onChoose={onChoose}
              onStep={onStep}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

/** The resources that can be advanced to their next event. */
const STEPPED = ['delivery', 'ride', 'task', 'order']

function WorkingPeople({
  person,
  now,
  chosen,
  busy,
  onChoose,
  onStep,
}: { person: Person; chosen: boolean } & Pick<AtWorkProps, 'now' | 'busy' | 'onChoose' | 'onStep'>) {
  const { person_id, name, crew, job } = person
  return (
    <li>
      <button
        type="button"
        class="line"
        aria-pressed={chosen}
        onClick={() => onChoose(chosen ? undefined : person_id)}
      >
        <strong>{name}</strong> <span class={`tag ${crew}`}>{CREW_WORDS[crew].one}</span>
        <span class="what">{jobText(person, now)}</span>
      </button>
      {chosen && job !== null && (
        <div class="more">
          <p>
            {thingText(job.kind, job.resource_id)} is {words(job.status)}. Next: {words(job.next.event)}{' '}
            {untilText(job.next.due_at, now)}.
          </p>
          <p>
            <code>{job.order_id ?? job.resource_id}</code>
          </p>
          {STEPPED.includes(job.kind) && (
            <button type="button" class="quiet small" aria-disabled={busy} onClick={() => onStep(person)}>
              Run now
            </button>
          )}
        </div>
      )}
    </li>
  )
}

const SHOWN = 8

/** The events that come next, by the clock. */
export function Due({ due, now }: { due: World['due']; now: number }) {
  return (
    <section class="panel" aria-labelledby="due">
      <h2 id="due">Next events</h2>
      {due.length === 0 ? (
        <p class="soft">No planned events.</p>
      ) : (
        <ol class="events">
          {due.slice(0, SHOWN).map(({ due_at, kind, event, resource_id }) => (
            <li key={`${resource_id} ${event} ${due_at}`}>
              <time dateTime={due_at}>{untilText(due_at, now)}</time>
              <span>
                <strong>{capital(words(event))}</strong>{' '}
                <span class="thing">{thingText(kind, resource_id)}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** The events that happened, newest first. */
export function EventLines({
  happened,
  accounts,
  now,
}: {
  happened: World['happened']
  accounts: readonly Account[] | undefined
  now: number
}) {
  return (
    <section class="panel" aria-labelledby="happened">
      <h2 id="happened">Recent events</h2>
      {happened.length === 0 ? (
        <p class="soft">No events yet.</p>
      ) : (
        <ol class="events">
          {happened.slice(0, SHOWN + 4).map((event) => {
            const { thing, did } = eventText(event)
            return (
              <li key={event.seq}>
                <time dateTime={event.occurred_at} title={clockText(Date.parse(event.occurred_at))}>
                  {momentText(event.occurred_at, now)}
                </time>
                <span>
                  <strong>{capital(did)}</strong> <span class="thing">{thing}</span>{' '}
                  <span class="soft">{ownerText(event.owner_id, accounts)}</span>
                </span>
              </li>
            )
          })}
        </ol>
      )}
    </section>
  )
}
