/** Keeps the place of the keyboard: without it a Tab starts again at the top of the page. */

/** An element of the page, and what surrounds it, the nearest first. */
export type Place = readonly HTMLElement[]

/** Returns where the focus is. */
export function placeOfFocus(): Place {
  const place: HTMLElement[] = []
  for (let at = document.activeElement; at instanceof HTMLElement; at = at.parentElement) place.push(at)
  return place
}

/** Focuses an element again. Where it is gone, its nearest surroundings with a name take the focus. */
export function focusPlace([element, ...around]: Place): void {
  if (element?.isConnected === true) return element.focus()
  const next = around.find(
    (each) => each.isConnected && each.matches('[aria-label], [aria-labelledby], main'),
  )
  if (next === undefined) return
  if (!next.hasAttribute('tabindex')) {
    next.tabIndex = -1
    // A click into it takes the focus no more than before.
    next.addEventListener('blur', () => next.removeAttribute('tabindex'), { once: true })
  }
  next.focus({ preventScroll: true })
}

/** Watches over the focus while the page is open: an element that has it may be taken away. */
export function restoreLostFocus(): void {
  let place = placeOfFocus()
  document.addEventListener('focusin', () => (place = placeOfFocus()))
  new MutationObserver(() => {
    const [element] = place
    if (element?.isConnected === false && document.activeElement === document.body) focusPlace(place)
  }).observe(document.body, { childList: true, subtree: true })
}
