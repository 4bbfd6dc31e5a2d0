import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { focusPlace, placeOfFocus } from './focus.ts'

/** A question above the page: the rest is out of reach until it is answered, or left by Escape. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ComponentChildren
}) {
  const element = useRef<HTMLDialogElement>(null)
  const isGone = useRef(false)
  const id = useId()
  useEffect(() => {
    const { current } = element
    const before = placeOfFocus()
    current?.showModal()
    return () => {
      isGone.current = true
      current?.close()
      focusPlace(before)
    }
  }, [])
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={() => {
        // Without a click or key before, Chrome closes a dialog by Escape without asking.
        if (isGone.current) return
        onClose()
        setTimeout(() => {
          const { current } = element
          if (current?.isConnected === true && !current.open) current.showModal()
        })
      }}
      onClick={(event) => event.target === element.current && onClose()}
    >
      <div class="sheet">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
