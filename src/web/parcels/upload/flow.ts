/** A file on its way: checked by the service, asked about, confirmed, sent. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { OperationOutput } from '../../../client/operations.ts'
import { MAX_UPLOAD_BYTES } from '../../../core/pages.ts'
import type { UploadAnswer } from '../../../server/pages/upload/shown.ts'
import { call, newKey, sendFile, untilAnswered } from '../../core/call.ts'
import { hasScope, SESSION } from '../../core/session.ts'
import { isService, type Parcel } from '../parcel.ts'
import { readSavedMaps, type Maps } from './maps.ts'

type Of<S extends UploadAnswer['state']> = Extract<UploadAnswer, { state: S }>
export type Question = Of<'question'>
export type PlannedUpload = Of<'planned'>
export type SentUpload = Of<'sent'>

export type Hub = OperationOutput<'list_hubs'>['data'][number]

/** The choices of the person about the file. */
export type Wish = {
  answers: readonly (number | string)[]
  /** The answers of an earlier reading. */
  settled: PlannedUpload['settled']
  maps: Maps
  /** The hub of parcels that name none, by its code; omitted for the nearest. */
  hub?: string | undefined
  service: Parcel['service_level']
  /** The service level to use where the requested one is not available; omitted where these are rejected. */
  fallback?: Parcel['service_level'] | undefined
  /** Stands before each reference of the file. */
  prefix: string
  merge: boolean
  /** True if parcels that were cancelled before are made again. */
  again: boolean
  /** The reasons of orders that are sent, though they would be omitted. */
  include: readonly PlannedUpload['skipped'][number]['reason'][]
}

export type Step =
  | { state: 'checking' }
  | Question
  | Of<'unusable'>
  | PlannedUpload
  | { state: 'sending'; planned: PlannedUpload }
  /** The service gave no answer, or an error. With a plan it may be sent again: nothing is created twice. */
  | { state: 'failed'; message: string; planned: PlannedUpload | undefined }
  | SentUpload

const SERVICE_KEY = 'dray-upload-service'
const HUB_KEY = `dray-upload-hub-${SESSION.account}`

/** Returns the choices about a new file. The same sheet, read with another service or hub, would be other parcels. */
function firstWish(): Wish {
  const kept = sessionStorage.getItem(SERVICE_KEY)
  const service = kept !== null && isService(kept) ? kept : 'next_day'
  const hub = sessionStorage.getItem(HUB_KEY) ?? undefined
  return {
    answers: [],
    settled: [],
    maps: readSavedMaps(),
    service,
    hub,
    prefix: '',
    merge: false,
    again: false,
    include: [],
  }
}

export type Flow = {
  file: File
  /** The hubs to choose from; empty until they are known. */
  hubs: readonly Hub[]
  /** True if the columns are looked at, across the checks that each change of them brings. */
  isOpen: { current: boolean }
  wish: Wish
  step: Step
  /** Checks the file again, with other choices. */
  check(wish: Wish): void
  confirm(planned: PlannedUpload): void
}

/** Follows one file. `onSent` is called once something may have been created. */
export function useFlow(file: File, onSent: () => void): Flow {
  const [wish, setWish] = useState(firstWish)
  const [step, setStep] = useState<Step>({ state: 'checking' })
  const hubs = useHubs()
  const isOpen = useRef(false)
  const asked = useRef(0)
  // The key belongs to a plan: however often it is confirmed, its parcels are created once.
  const keys = useRef(new Map<string, string>())
  const run = async (work: () => Promise<Step>, planned?: PlannedUpload): Promise<void> => {
    const question = ++asked.current
    let next: Step
    try {
      next = await work()
    } catch (error) {
      next = { state: 'failed', message: error instanceof Error ? error.message : String(error), planned }
    }
    if (question === asked.current) setStep(next)
    if (planned !== undefined) onSent()
  }
  const check = (chosen: Wish): void => {
    setWish(chosen)
    sessionStorage.setItem(SERVICE_KEY, chosen.service)
    if (chosen.hub === undefined) sessionStorage.removeItem(HUB_KEY)
    else sessionStorage.setItem(HUB_KEY, chosen.hub)
    setStep({ state: 'checking' })
    void run(async () => tooLarge(file) ?? (await untilAnswered(() => ask(file, chosen))))
  }
  const confirm = (planned: PlannedUpload): void => {
    if (step.state === 'sending') return
    const key = keys.current.get(planned.plan) ?? newKey()
    keys.current.set(planned.plan, key)
    setStep({ state: 'sending', planned })
    void run(() => untilAnswered(() => ask(file, wish, { plan: planned.plan, key })), planned)
  }
  const isNew = useRef(true)
  if (isNew.current) {
    isNew.current = false
    void run(async () => tooLarge(file) ?? (await untilAnswered(() => ask(file, wish))))
  }
  return { file, hubs, isOpen, wish, step, check, confirm }
}

function useHubs(): readonly Hub[] {
  const [hubs, setHubs] = useState<readonly Hub[]>([])
  useEffect(() => {
    if (!hasScope('coverage.read')) return
    // Without them the nearest hub is taken, as ever.
    call('list_hubs', { limit: 100 }).then(
      ({ value }) => setHubs(value.data),
      () => setHubs([]),
    )
  }, [])
  return hubs
}

async function ask(file: File, wish: Wish, confirmed?: { plan: string; key: string }): Promise<UploadAnswer> {
  const { plan, key } = confirmed ?? {}
  const header = encodeURIComponent(JSON.stringify({ name: file.name, ...wish, plan }))
  const { value } = await sendFile('/pages/upload', await readable(file), {
    'Dray-Upload': header,
    ...(key !== undefined && { 'Idempotency-Key': key }),
  })
  return value as UploadAnswer
}

/** Returns the bytes of a file. A folder, or a file that was removed since, has none. */
async function readable(file: File): Promise<Blob> {
  try {
    return new Blob([await file.arrayBuffer()])
  } catch {
    throw new Error(`${file.name} cannot be read: it is a folder, or it was moved or changed.`)
  }
}

function tooLarge({ name, size }: File): Of<'unusable'> | undefined {
  if (size <= MAX_UPLOAD_BYTES) return undefined
  const most = MAX_UPLOAD_BYTES / 1_048_576
  return {
    state: 'unusable',
    notes: [],
    message: `${name} is larger than ${most} MiB, too large for an upload of 500 parcels. Is it the right file?`,
    hint: null,
  }
}
