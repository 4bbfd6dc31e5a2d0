import { type ComponentChild, type ComponentChildren, render } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

/** Renders its children in another place of the document, such as the header that the service wrote. */
export function Portal({ id, children }: { id: string; children: ComponentChildren }) {
  useLayoutEffect(() => {
    renderInto(id, <>{children}</>)
  })
  // The place is no part of the page: what was rendered there would outlive it.
  useLayoutEffect(() => () => renderInto(id, null), [id])
  return null
}

function renderInto(id: string, content: ComponentChild): void {
  const place = document.getElementById(id)
  if (place !== null) render(content, place)
}
