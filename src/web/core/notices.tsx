import { useEffect } from 'preact/hooks'

export type Notice = { id: number; text: string; kind: 'news' | 'done' | 'refused' }

const STAYS_MS = 8_000

/** The notices of what happened. An error stays until it is closed; the rest goes by itself. */
export function Notices({
  notices,
  onDismiss,
}: {
  notices: readonly Notice[]
  onDismiss: (id: number) => void
}) {
  return (
    <div class="notices" role="log" aria-live="polite" aria-label="Messages">
      {notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} onDismiss={onDismiss} />
      ))}
    </div>
  )
}

function NoticeLine({
  notice: { id, kind, text },
  onDismiss,
}: {
  notice: Notice
  onDismiss: (id: number) => void
}) {
  useEffect(() => {
    if (kind === 'refused') return undefined
    const timer = setTimeout(() => onDismiss(id), STAYS_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class={`notice ${kind}`}>
      <p>{text}</p>
      <button type="button" class="quiet" aria-label={`Close: ${text}`} onClick={() => onDismiss(id)}>
        Close
      </button>
    </div>
  )
}
