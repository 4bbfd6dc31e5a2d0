/** The size of the source code: files, lines, and the number of imports between its rooms. The tests limit the rest. */
import { readSources } from '../test/support/sources.ts'
import { count, median, type Table } from './figures.ts'

export function measureHouse(): Table {
  const sources = readSources('src')
  const lines = sources.map(({ text }) => text.split('\n').length - 1).toSorted((a, b) => a - b)
  const arrows = new Set(
    sources.flatMap(({ file, imports }) =>
      imports
        .filter(
          ({ to }) =>
            to.startsWith('src/') && !to.startsWith('src/generated/') && roomOf(to) !== roomOf(file),
        )
        .map(({ to }) => `${roomOf(file)} → ${roomOf(to)}`),
    ),
  )
  const figures: Record<string, number> = {
    files: sources.length,
    lines: lines.reduce((sum, each) => sum + each, 0),
    'median of a file': median(lines),
    '90th percentile': lines[Math.floor(lines.length * 0.9)] ?? 0,
    'arrows between rooms': arrows.size,
  }
  return {
    title: 'The house (src, without what is generated)',
    heads: [''],
    lines: Object.entries(figures).map(([what, value]) => ({ what, cells: [count(value)] })),
  }
}

/** Returns the room of a file: `src/areas/rides/states.ts` is in areas/rides, `src/cli/main.ts` in cli. */
function roomOf(file: string): string {
  const [, room = '', area = '', rest] = file.split('/')
  return (room === 'areas' || room === 'commands') && rest !== undefined ? `${room}/${area}` : room
}
