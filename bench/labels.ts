/** Measures how long the labels of a manifest take. */
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median, type FigureTable } from './figures.ts'
import { manifestCsv } from './manifests.ts'
import { dray, runChild } from './program.ts'
import { type Homes, UPLOADED } from './startup.ts'

/** Prints the labels of a whole batch, each round in every form. */
export async function measureLabels({ folder, fresh }: Homes, rounds: number): Promise<FigureTable> {
  const home = join(folder, 'labels')
  rmSync(home, { recursive: true, force: true })
  cpSync(fresh, home, { recursive: true })
  const manifest = join(folder, 'labels.csv')
  const results = join(folder, 'labels.results.csv')
  writeFileSync(manifest, manifestCsv(UPLOADED, 'L'))
  await runChild(dray(home, 'carrier', 'upload', manifest, '--yes', '--json', '--results', results))
  const lines = []
  for (const words of [
    ['--format', 'pdf'],
    ['--format', 'pdf', '--size', 'a4'],
    ['--format', 'zpl'],
  ]) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const out = join(folder, `labels.${words[1] ?? ''}`)
      const command = dray(home, 'carrier', 'label', '--manifest', results, ...words, '--out', out, '--json')
      times.push((await runChild(command)).milliseconds)
    }
    const ms = median(times)
    lines.push({
      what: `dray carrier label ${words.join(' ')}`,
      cells: [(ms / 1000).toFixed(2), (ms / UPLOADED).toFixed(1)],
    })
  }
  return { title: `${UPLOADED} labels, the whole command`, heads: ['s', 'ms a label'], lines }
}
