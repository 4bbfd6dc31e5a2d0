import { expect, test } from 'vitest'
import type { Pixels } from '../../../src/cli/pictures/pixels.ts'
import { toSixel } from '../../../src/cli/pictures/sixel.ts'

function picture(width: number, height: number, colourAt: (x: number, y: number) => number[]): Pixels {
  const rgb = new Uint8Array(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rgb.set(colourAt(x, y), (y * width + x) * 3)
  return { width, height, rgb }
}

/** Draws what a terminal would: the colour of each dot in per cent. */
function draw(sixel: string): Map<string, string> {
  const body = sixel.slice(sixel.indexOf('#'), -2)
  const palette = new Map<string, string>()
  const dots = new Map<string, string>()
  let [x, y, colour] = [0, 0, '']
  for (const [token, index, rgb, count, sign] of body.matchAll(
    /#(\d+)(?:;2;(\d+;\d+;\d+))?|!(\d+)([?-~])|[?-~]|[$-]/g,
  )) {
    if (rgb !== undefined) palette.set(index ?? '', rgb)
    else if (index !== undefined) colour = palette.get(index) ?? ''
    else if (token === '$') x = 0
    else if (token === '-') [x, y] = [0, y + 6]
    else {
      const bits = (sign ?? token).charCodeAt(0) - 63
      for (let left = Number(count ?? 1); left > 0; left--, x++)
        for (let row = 0; row < 6; row++) if (bits & (1 << row)) dots.set(`${x},${y + row}`, colour)
    }
  }
  return dots
}

test('draws every dot in its colour, once', () => {
  const chess = picture(13, 15, (x, y) => ((x + y) % 2 === 0 ? [255, 0, 0] : [0, 0, 255]))
  const dots = draw(toSixel(chess))
  expect(dots.size).toBe(13 * 15)
  expect([dots.get('0,0'), dots.get('1,0'), dots.get('12,14')]).toEqual(['100;0;0', '0;0;100', '100;0;0'])
})

test('says long runs shortly', () => {
  expect(toSixel(picture(400, 6, () => [255, 255, 255]))).toContain('#0!400~')
})

test('is no wider than a terminal usually is', () => {
  expect(toSixel(picture(1600, 8, () => [0, 0, 0]))).toContain('"1;1;800;4')
})
