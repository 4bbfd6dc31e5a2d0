/** The calls that the pages of `dray serve` make to the service in this process. */
import type { Account, Scope } from '../core/account.ts'
import { type ClockState, serviceNow } from '../core/clock.ts'
import {
  createOwnTicket,
  endPageSession,
  findPageSession,
  livePageSessions,
  openPageLink,
  PAGE_LINK_LIFE_S,
  prolongPageSession,
} from '../oauth/page-sessions.ts'
import { continueSignIn, type SignIn, startSignIn } from '../oauth/page-sign-in.ts'
import { liveSharedLinks } from '../oauth/shared-links.ts'
import { lastEventSeq, listShownEvents, type ShownEvent } from '../store/events.ts'
import { loadWorld } from '../store/world.ts'
import type { Service } from './embedded.ts'

type PageDeskDeps = { now(): number; random(count: number): Uint8Array }

type Session = { id: string; account: Account; scopes: readonly Scope[]; control: boolean }

/** Opens the calls of the pages. */
export function openPageDesk(
  { db }: Pick<Service, 'db'>,
  { now, random }: PageDeskDeps,
): {
  createLink(token: string): Promise<{ ticket: string; expiresIn: number }>
  openLink(ticket: string, before: string | undefined): Promise<string | undefined>
  startSignIn(device: string): Promise<string>
  continueSignIn(code: string, before: string | undefined): Promise<SignIn>
  findSession(secret: string): Promise<(Session & { prolonged: boolean }) | undefined>
  endSession(secret: string): Promise<void>
  liveSessions(ids: readonly string[]): Promise<ReadonlySet<string>>
  readEvents(
    after: number | undefined,
    limit: number,
  ): Promise<{ events: ShownEvent[]; last: number; time: { now: number; rate: number } }>
} {
  return {
    createLink: async (token) => ({
      ticket: await createOwnTicket(db, token, { machineNow: now(), random }),
      expiresIn: PAGE_LINK_LIFE_S,
    }),
    openLink: (ticket, before) => openPageLink(db, { ticket, before }, { machineNow: now(), random }),
    startSignIn: (device) => startSignIn(db, device, { machineNow: now(), random }),
    continueSignIn: (code, before) => continueSignIn(db, { code, before }, { machineNow: now(), random }),
    async findSession(secret) {
      const found = await db.read((tx) => findPageSession(tx, secret, now()))
      return found && { ...found, prolonged: await prolongPageSession(db, found, now()) }
    },
    endSession: (secret) => endPageSession(db, secret),
    liveSessions: (ids) =>
      db.read(async (tx) => {
        const sessions = await livePageSessions(tx, ids, now())
        return new Set([...sessions, ...(await liveSharedLinks(tx, ids, now()))])
      }),
    readEvents: (after, limit) =>
      db.read(async (tx) => {
        const { clock } = await loadWorld(tx)
        const events = after === undefined ? [] : await listShownEvents(tx, after, limit)
        const last = after === undefined ? await lastEventSeq(tx) : (events.at(-1)?.seq ?? after)
        return { events, last, time: { now: serviceNow(clock, now()), rate: rateOf(clock) } }
      }),
  }
}

function rateOf({ mode, factor }: ClockState): number {
  if (mode === 'frozen') return 0
  return mode === 'scaled' ? factor : 1
}
