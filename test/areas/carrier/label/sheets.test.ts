/** The place of each label on its paper, in millimetres. */
import { expect, test } from 'vitest'
import { type LabelSize, layOutLabels } from '../../../../src/areas/carrier/label/sheets.ts'
import { makeLabelFields } from '../../../support/labels.ts'

/** Returns the frame of each label of each sheet: its left, top, width and height. */
function framesOf(count: number, size: LabelSize, start?: number): number[][][] {
  const parcels = Array.from({ length: count }, () => makeLabelFields())
  const sheets = layOutLabels(parcels, size, start)
  const frames = [...sheets].map(({ items }) =>
    items.flatMap((item) =>
      item.kind === 'frame'
        ? [[item.x, item.y, item.width, item.height].map((mm) => Math.round(mm * 100) / 100)]
        : [],
    ),
  )
  expect(frames).toHaveLength(sheets.length)
  return frames
}

test('a label is in the middle of its own sheet, in its full size', () => {
  expect(framesOf(2, '4x6', 3)).toEqual([[[2.8, 5.2, 96, 142]], [[2.8, 5.2, 96, 142]]])
  expect(framesOf(1, 'a6')).toEqual([[[4.5, 3, 96, 142]]])
  const [sheet] = layOutLabels([makeLabelFields()], 'a6')
  expect([sheet?.width, sheet?.height]).toEqual([105, 148])
})

test('four labels are in the middle of their stickers on A4, a little smaller, in rows', () => {
  const [left, right, top, bottom] = [8.23, 109.83, 11, 150]
  const size = [91.94, 136]
  expect(framesOf(5, 'a4')).toEqual([
    [
      [left, top, ...size],
      [right, top, ...size],
      [left, bottom, ...size],
      [right, bottom, ...size],
    ],
    [[left, top, ...size]],
  ])
  expect(framesOf(2, 'a4', 4)).toEqual([[[right, bottom, ...size]], [[left, top, ...size]]])
  const [sheet] = layOutLabels([makeLabelFields()], 'a4')
  expect([sheet?.width, sheet?.height]).toEqual([210, 297])
})

test('the text of a smaller label shrinks with it', () => {
  const sizesOf = (size: LabelSize) =>
    [...layOutLabels([makeLabelFields()], size)].flatMap(({ items }) =>
      items.flatMap((item) => (item.kind === 'text' ? [item.size, item.least] : [])),
    )
  const [whole, small] = [sizesOf('4x6'), sizesOf('a4')]
  expect(whole.length).toBeGreaterThan(20)
  expect(small).toHaveLength(whole.length)
  for (const [at, size] of whole.entries()) expect((small[at] ?? 0) / size).toBeCloseTo(136 / 142, 9)
})

test('the content of a smaller label keeps its place', () => {
  const [sheet] = layOutLabels([makeLabelFields()], 'a4', 4)
  const code = sheet?.items.find(({ kind }) => kind === 'code128')
  if (code === undefined) throw new Error('there is no bar code')
  const box = [code.x, code.y, code.width, code.height].map((mm) => Math.round(mm * 100) / 100)
  expect(box).toEqual([111.74, 242.9, 88.11, 19.15])
})
