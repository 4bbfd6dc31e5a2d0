import { render, type ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Draws its children in another place of the document, such as the header that the service wrote. */
export function Elsewhere({ id, children }: { id: string; children: ComponentChildren }) {
  useLayoutEffect(() => {
    const place = document.getElementById(id)
    if (place !== null) render(<>{children}</>, place)
  })
  return null
}
