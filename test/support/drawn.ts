/** A drawing as text, to compare what stands where. */
import type { DrawingItem } from '../../src/core/drawing.ts'

/** Returns a line for each item: its kind, its box in millimetres, and for text its look and its lines. */
export function describeItems(items: readonly DrawingItem[]): string[] {
  return items.map((item) => {
    const [x, y, width, height] = [item.x, item.y, item.width, item.height].map(
      (mm) => Math.round(mm * 100) / 100,
    )
    const box = `${item.kind} ${x},${y} ${width}×${height}`
    if (item.kind === 'frame') return `${box} line ${item.line}`
    if (item.kind === 'fill') return box
    if (item.kind !== 'text') return `${box} ${item.value}`
    const { size, least, bold, white, align, stands, country, lines } = item
    const look = [bold && 'bold', white && 'white', align, stands, country].filter(
      (each) => typeof each === 'string',
    )
    return [box, `${size}–${least}`, ...look, JSON.stringify(lines)].join(' ')
  })
}
