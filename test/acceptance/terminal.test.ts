import { expect } from 'vitest'
import type { Shipment, Shipments } from '../support/answers.ts'
import { createCommand, makeManifestCsv } from '../support/clerk.ts'
import { acceptanceTest, type AcceptanceContext } from '../support/story.ts'
import { KEY_BYTES } from '../support/terminal.ts'

async function makeOne(told: AcceptanceContext): Promise<string> {
  return (await told.dray(createCommand('A-1', '--json'))).json<Shipment>().tracking_number
}

async function statusOf(told: AcceptanceContext, number: string): Promise<string> {
  return (await told.dray(`carrier show ${number} --json`)).json<Shipment>().status
}

acceptanceTest('a parcel is cancelled by typing its number', async (told) => {
  const number = await makeOne(told)
  const terminal = told.terminal(`carrier cancel ${number}`)
  await terminal.shows(`Type ${number} to confirm`)
  terminal.type(`${number}${KEY_BYTES.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(terminal.screen()).toContain(`Without questions: dray carrier cancel ${number} --confirm ${number}`)
  expect(await statusOf(told, number)).toBe('cancelled')
})

acceptanceTest('a no is an answer and no error, wherever it is asked', async (told) => {
  const number = await makeOne(told)
  told.write('parcels.csv', makeManifestCsv(3))
  for (const [line, question, answer, end] of [
    [
      `carrier cancel ${number}`,
      `Type ${number} to confirm`,
      'ZC1',
      `The name does not match ${number}; nothing changed.`,
    ],
    ['sandbox reset', 'to confirm', '', 'Not confirmed; nothing changed.'],
    ['carrier upload parcels.csv', '(y/N)', 'n', 'Not confirmed; nothing changed.'],
    [createCommand('A-2').replace(/ --yes.*/, ''), '(y/N)', 'n', 'Not confirmed; nothing was bought.'],
    ['rides request --from kings-cross --to bank --tier economy', '(y/N', 'n', '--quote-id quo_'],
  ] as const) {
    const terminal = told.terminal(line)
    await terminal.shows(question)
    terminal.type(`${answer}${KEY_BYTES.enter}`)
    expect(await terminal.ended()).toMatchObject({ exitCode: 3 })
    expect(terminal.transcript()).toContain(end)
    expect(terminal.transcript()).not.toContain('error:')
  }
  expect(await statusOf(told, number)).not.toBe('cancelled')
})

acceptanceTest('Ctrl-C at the question cancels no parcel', async (told) => {
  const number = await makeOne(told)
  const terminal = told.terminal(`carrier cancel ${number}`)
  await terminal.shows(`Type ${number} to confirm`)
  terminal.type(KEY_BYTES.ctrlC)
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 })
  expect(await statusOf(told, number)).not.toBe('cancelled')
})

acceptanceTest('Ctrl-C at the question of an upload creates no parcel', async (told) => {
  told.write('parcels.csv', makeManifestCsv(3))
  const terminal = told.terminal('carrier upload parcels.csv')
  await terminal.shows('(y/N)')
  terminal.type(KEY_BYTES.ctrlC)
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 })
  expect((await told.dray('carrier list --json')).json<Shipments>().data).toEqual([])
  expect(told.exists('parcels.csv.results.csv')).toBe(false)
})

acceptanceTest('an upload asks in the width of a narrow terminal', async (told) => {
  told.write('parcels.csv', makeManifestCsv(3))
  const terminal = told.terminal('carrier upload parcels.csv', { columns: 40 })
  await terminal.shows('(y/N)')
  terminal.type(`y${KEY_BYTES.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect((await told.dray('carrier list --json')).json<Shipments>().data).toHaveLength(3)
})

acceptanceTest('a question without drawing takes the same answers', async (told) => {
  const number = await makeOne(told)
  const terminal = told.terminal(`carrier cancel ${number}`, { env: { DRAY_ACCESSIBLE: '1' } })
  await terminal.shows(`Type ${number} to confirm`)
  expect(terminal.raw()).not.toContain('\x1b')
  terminal.type(KEY_BYTES.ctrlC)
  expect(await terminal.ended()).toMatchObject({ signal: 2 })
  expect(await statusOf(told, number)).not.toBe('cancelled')
})
