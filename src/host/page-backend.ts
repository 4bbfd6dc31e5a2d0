/** The calls that the pages of `dray serve` make to the service in this process. */
import { type ClockState, serviceNow } from '../core/clock.ts'
import type { PageName } from '../core/pages.ts'
import { lastEventSeq, listShownEvents, type ShownEvent } from '../db/events.ts'
import { loadWorld } from '../db/world.ts'
import {
  createOwnTicket,
  endPageSession,
  findPageSession,
  livePageSessions,
  openPageLink,
  PAGE_LINK_LIFE_S,
  type PageSecrets,
  type PageSession,
  prolongPageSession,
} from '../oauth/page-sessions.ts'
import { continueSignIn, type SignIn, startSignIn } from '../oauth/page-sign-in.ts'
import { liveSharedLinks } from '../oauth/shared-links.ts'
import type { Service } from './embedded.ts'

/** The last event that was read, and the generation of the store that it belongs to. */
type ReadMark = { seq: number; generation: string }
type EventsRead = { events: ShownEvent[]; last: ReadMark; time: { now: number; rate: number } }

type PageBackendDeps = { now(): number; random(count: number): Uint8Array }

/** Opens the calls of the pages. */
export function openPageBackend(
  { db }: Pick<Service, 'db'>,
  { now, random }: PageBackendDeps,
): {
  createLink(token: string, page: PageName | undefined): Promise<{ ticket: string; expiresIn: number }>
  openLink(
    ticket: string,
    before: PageSecrets,
  ): Promise<{ secret: string; page: PageName | undefined } | undefined>
  startSignIn(asked: { device: string; page: PageName | undefined }): Promise<string>
  continueSignIn(code: string, page: PageName | undefined, before: PageSecrets): Promise<SignIn>
  findSession(secret: string, page: PageName | undefined): Promise<PageSession | undefined>
  endSession(secret: string): Promise<void>
  liveSessions(ids: readonly string[]): Promise<ReadonlySet<string>>
  readEvents(after: ReadMark | undefined, limit: number): Promise<EventsRead>
} {
  return {
    createLink: async (token, page) => ({
      ticket: await createOwnTicket(db, { token, page }, { machineNow: now(), random }),
      expiresIn: PAGE_LINK_LIFE_S,
    }),
    openLink: (ticket, before) => openPageLink(db, { ticket, before }, { machineNow: now(), random }),
    startSignIn: (asked) => startSignIn(db, asked, { machineNow: now(), random }),
    continueSignIn: (code, page, before) =>
      continueSignIn(db, { code, page, before }, { machineNow: now(), random }),
    async findSession(secret, page) {
      const found = await db.read((tx) => findPageSession(tx, { secret, page }, now()))
      if (found !== undefined) await prolongPageSession(db, found, now())
      return found
    },
    endSession: (secret) => endPageSession(db, secret),
    liveSessions: (ids) =>
      db.read(async (tx) => {
        const sessions = await livePageSessions(tx, ids, now())
        return new Set([...sessions, ...(await liveSharedLinks(tx, ids, now()))])
      }),
    readEvents: (after, limit) =>
      db.read(async (tx) => {
        const { clock, generation } = await loadWorld(tx)
        const time = { now: serviceNow(clock, now()), rate: rateOf(clock) }
        if (after?.generation !== generation)
          return { events: [], last: { seq: await lastEventSeq(tx), generation }, time }
        const events = await listShownEvents(tx, after.seq, limit)
        return { events, last: { seq: events.at(-1)?.seq ?? after.seq, generation }, time }
      }),
  }
}

function rateOf({ mode, factor }: ClockState): number {
  if (mode === 'frozen') return 0
  return mode === 'scaled' ? factor : 1
}
