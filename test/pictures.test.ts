/** The pictures of the README show what stands beside them. `npm run pictures` records the words of each page as it takes it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256Hex } from '../src/core/hash.ts'
import { ROOT } from './support/sources.ts'

const read = (path: string): Buffer => readFileSync(join(ROOT, path))
const RECORD = JSON.parse(read('test/support/pictures.json').toString()) as Record<
  'kitchen' | 'world',
  { sha256: string; words: string[] }
>

test.each(Object.entries(RECORD))(
  'the picture %s is the one whose words were recorded',
  (page, { sha256, words }) => {
    expect(sha256Hex(read(`docs/pictures/${page}.png`))).toBe(sha256)
    expect(words.join('\n')).not.toMatch(/Loading|cannot be shown|does not respond/)
  },
)

test('the map has couriers and drivers on their way', () => {
  const words = RECORD.world.words.join('\n')
  const [, atWork = 0] = /Map of London: \d+ people, (\d+) of them at work/.exec(words) ?? []
  expect(Number(atWork)).toBeGreaterThanOrEqual(4)
  for (const kind of ['courier', 'driver']) expect(words.toLowerCase()).toContain(kind)
})

test('the kitchen is in a rush, with different dishes at every step', () => {
  const { words } = RECORD.kitchen
  const dishes = ['Khao Soi', 'Pad Thai', 'Green Curry', 'Drunken Noodles', 'Chicken Satay', 'Summer Rolls']
  expect(dishes.filter((dish) => words.some((line) => line.includes(dish)))).toEqual(dishes)
  for (const state of ['New', 'To make', 'Cooking'])
    expect(words.some((line) => line.includes(`, ${state}, `))).toBe(true)
})

test('README names each picture', () => {
  const readme = read('README.md').toString()
  for (const page of Object.keys(RECORD)) expect(readme).toContain(`docs/pictures/${page}.png`)
})
