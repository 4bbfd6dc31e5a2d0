import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** The first sentence of a step. It takes the focus, so that a screen reader says it. */
export function Begun({ kind = 'said', children }: { kind?: 'said' | 'wrong'; children: ComponentChildren }) {
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => element.current?.focus(), [])
  return (
    <p ref={element} class={kind} tabIndex={-1}>
      {children}
    </p>
  )
}
