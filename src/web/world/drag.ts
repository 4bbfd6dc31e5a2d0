/** Moves the map under a finger or the mouse. */
import { useRef } from 'preact/hooks'
import type { MapPoint } from './draw.ts'

/** A finger that trembles so far, in pixels, still clicks. */
const TREMBLE = 6

type DragState = { x: number; y: number; moved: boolean }

/** Returns the handlers of an element. `onDrag` hears by how many pixels the finger moved. */
export function useDrag(onDrag: (by: MapPoint) => void) {
  const held = useRef<DragState | undefined>(undefined)
  return {
    onPointerDown({ clientX: x, clientY: y, isPrimary, button }: PointerEvent) {
      if (isPrimary && button === 0) held.current = { x, y, moved: false }
    },
    onPointerMove({ clientX, clientY, pointerId, currentTarget }: PointerEvent) {
      const { current } = held
      if (current === undefined) return
      const by = { x: clientX - current.x, y: clientY - current.y }
      if (!current.moved && Math.hypot(by.x, by.y) < TREMBLE) return
      // The finger clicks no worker under it when it lifts.
      if (!current.moved && currentTarget instanceof Element) currentTarget.setPointerCapture(pointerId)
      held.current = { x: clientX, y: clientY, moved: true }
      onDrag(by)
    },
    onPointerUp() {
      held.current = undefined
    },
    onPointerCancel() {
      held.current = undefined
    },
  }
}
