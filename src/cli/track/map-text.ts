/** Renders a route and the person on it with characters. Pure. */
import { haversineMetres, type Point } from '../../core/geometry.ts'
import type { RouteMap } from '../../core/presenter.ts'
import { makePaint, type Paint } from '../output/colour.ts'
import type { RenderOptions } from '../output/render-options.ts'
import { sanitizeForTerminal, truncateToWidth, measureTextWidth } from '../output/text.ts'
import { type Frame, riverIn, type Spot, stationsIn } from './map-background.ts'

/** The route, and the worker on it, if any. */
export type Sketch = Pick<RouteMap, 'places'> & { mover: RouteMap['mover'] | null }

const MAX_MAP_COLUMNS = 56
const MAX_MAP_ROWS = 11
/** The fewest rows of a map: fewer show no shape. */
const MIN_MAP_ROWS = 3
/** The rows around the map: two of the frame, two of the legend. */
const AROUND = 4
/** A terminal cell is about twice as high as wide. */
const CELL_RATIO = 2
const METRES_PER_DEGREE = 111_195
const ARROWS = ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'] as const

/**
 * Returns the map in a frame with its legend, in at most `room` lines. Without redrawing or room it returns only the
 * legend.
 */
export function mapText(sketch: Sketch, renderOptions: RenderOptions, room: number = Infinity): string[] {
  const columns = Math.min(renderOptions.width, MAX_MAP_COLUMNS) - 2
  const legend = legendLines(sketch).map((line) => truncateToWidth(line, renderOptions.width))
  const most = Math.min(MAX_MAP_ROWS, room - AROUND)
  if (most < MIN_MAP_ROWS || renderOptions.accessible === true || columns < 20 || sketch.places.length === 0)
    return legend
  const style = makePaint(renderOptions.colour)
  const { cells, foot } = renderCells(sketch, columns, most)
  const side = style.dim('│')
  return [
    style.dim(`┌${'─'.repeat(columns)}┐`),
    ...cells.map((row) => `${side}${decorate(row, style)}${side}`),
    style.dim(`└${foot}${'─'.repeat(columns - measureTextWidth(foot))}┘`),
    ...legend,
  ]
}

/** One character of the map; `ground` lies below the route. */
type Cell = { mark: string; ground: boolean }

const BLANK: Cell = { mark: ' ', ground: true }
const WATER = '~'
const STATION = '▫'

/** Returns a row; neighbours of one style share it. */
function decorate(row: readonly Cell[], style: Paint): string {
  let text = ''
  for (let from = 0, to; from < row.length; from = to) {
    const name = styleOf(row[from])
    to = from + 1
    while (to < row.length && styleOf(row[to]) === name) to += 1
    const part = row.slice(from, to).map(({ mark }) => mark)
    text += name === undefined ? part.join('') : style[name](part.join(''))
  }
  return text
}

function styleOf({ mark, ground }: Cell = BLANK): 'dim' | 'cyan' | 'bold' | undefined {
  if (mark === ' ') return undefined
  if (ground || mark === '·') return 'dim'
  return ARROWS.some((arrow) => arrow === mark) || mark === '●' ? 'cyan' : 'bold'
}

function legendLines({ places: way, mover: vehicle }: Sketch): string[] {
  const places = way.map(({ mark, label }) => `${mark} ${sanitizeForTerminal(label)}`).join('   ')
  if (vehicle === null) return [places]
  const target = way.find(({ mark }) => mark === vehicle.to)
  const left = target === undefined ? '' : `, ${distance(vehicle.point, target.point)} from ${target.mark}`
  return [places, `${arrowOf(vehicle.bearing)} ${sanitizeForTerminal(vehicle.label)}${left}`]
}

/** Returns the straight distance: `1.2 km`. */
function distance(from: Point, to: Point): string {
  const metres = haversineMetres(from, to)
  return metres < 1000 ? `${Math.round(metres / 10) * 10} m` : `${(metres / 1000).toFixed(1)} km`
}

function arrowOf(bearing: number | null): string {
  return bearing === null ? '●' : (ARROWS[Math.round(bearing / 45) % ARROWS.length] ?? '●')
}

function renderCells(
  { places: way, mover: vehicle }: Sketch,
  columns: number,
  most: number,
): { cells: Cell[][]; foot: string } {
  const points = [...way.map(({ point }) => point), ...(vehicle === null ? [] : [vehicle.point])]
  const frame = project(points, columns, most)
  const { rows, place } = frame
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => BLANK))
  const put = ([x, y]: Spot, mark: string, ground = false): void => {
    const row = cells[y]
    if (row !== undefined && x >= 0 && x < columns) row[x] = { mark, ground }
  }
  const river = riverIn(frame)
  for (const [from, to] of river) {
    for (const cell of between(from, to)) put(cell, WATER, true)
  }
  const target = way.find(({ mark }) => mark === vehicle?.to)
  const lines = way.slice(1).map(({ point }, index) => [way[index]?.point ?? point, point] as const)
  if (vehicle !== null && target !== undefined) lines.push([vehicle.point, target.point])
  for (const [from, to] of lines) {
    for (const cell of between(place(from), place(to))) put(cell, '·')
  }
  for (const { point, mark } of way) put(place(point), mark)
  if (vehicle !== null) put(place(vehicle.point), arrowOf(vehicle.bearing))
  const stations = putStations(cells, frame, put)
  const shown = cells.flat().some(({ mark, ground }) => ground && mark === WATER)
  const foot = [...(shown ? [`${WATER} the Thames`] : []), ...(stations > 0 ? [`${STATION} station`] : [])]
  return { cells, foot: foot.map((text) => `─ ${text} `).join('') }
}

/** Puts the stations where the route leaves room, with their names where there is room for those; returns how many. */
function putStations(
  cells: readonly (readonly Cell[])[],
  frame: Frame,
  put: (spot: Spot, mark: string, ground: boolean) => void,
): number {
  const isFree = ([x, y]: Spot): boolean => {
    const cell = cells[y]?.[x]
    return cell !== undefined && cell.ground && (cell.mark === ' ' || cell.mark === WATER)
  }
  const stations = stationsIn(frame).filter(({ spot }) => isFree(spot))
  for (const { spot } of stations) put(spot, STATION, true)
  for (const {
    spot: [x, y],
    name,
  } of stations) {
    const letters = Array.from(` ${name} `)
    if (!letters.every((_, at) => isFree([x + 1 + at, y]))) continue
    for (const [at, letter] of letters.slice(0, -1).entries()) put([x + 1 + at, y], letter, true)
  }
  return stations.length
}

/** Maps points to cells: all of these inside, north up, true to shape. */
function project(points: readonly Point[], columns: number, most: number): Frame {
  const north = Math.max(...points.map(({ latitude }) => latitude))
  const south = Math.min(...points.map(({ latitude }) => latitude))
  const west = Math.min(...points.map(({ longitude }) => longitude))
  const east = Math.max(...points.map(({ longitude }) => longitude))
  const narrowing = Math.cos((((north + south) / 2) * Math.PI) / 180)
  const [width, height] = [(east - west) * narrowing, north - south]
  // Degrees per cell width, by the tighter of the two sides.
  const scale = Math.max(width / (columns - 1), height / ((most - 1) * CELL_RATIO), 1e-6)
  const rows = Math.min(most, Math.round(height / scale / CELL_RATIO) + 1)
  const margin = Math.floor((columns - 1 - Math.round(width / scale)) / 2)
  return {
    columns,
    rows,
    metresPerCell: scale * METRES_PER_DEGREE,
    place: ({ latitude, longitude }) => [
      margin + Math.round(((longitude - west) * narrowing) / scale),
      Math.round((north - latitude) / scale / CELL_RATIO),
    ],
  }
}

/** Returns the cells of a straight line, with both ends. */
function between([fromX, fromY]: Spot, [toX, toY]: Spot): Spot[] {
  const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1)
  return Array.from({ length: steps + 1 }, (_, index) => [
    Math.round(fromX + ((toX - fromX) * index) / steps),
    Math.round(fromY + ((toY - fromY) * index) / steps),
  ])
}
