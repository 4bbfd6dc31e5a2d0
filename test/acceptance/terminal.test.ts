import { expect } from 'vitest'
import type { Shipment, Shipments } from '../support/answers.ts'
import { createCommand, manifestOf } from '../support/clerk.ts'
import { story, type Story } from '../support/story.ts'
import { KEYS } from '../support/terminal.ts'

async function makeOne(told: Story): Promise<string> {
  return (await told.dray(createCommand('A-1', '--json'))).json<Shipment>().tracking_number
}

async function statusOf(told: Story, number: string): Promise<string> {
  return (await told.dray(`carrier show ${number} --json`)).json<Shipment>().status
}

story('a parcel is cancelled by typing its number', async (told) => {
  const number = await makeOne(told)
  const terminal = told.terminal(`carrier cancel ${number}`)
  await terminal.shows(`Type ${number} to confirm`)
  terminal.type(`${number}${KEYS.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(terminal.screen()).toContain(`Without questions: dray carrier cancel ${number} --confirm ${number}`)
  expect(await statusOf(told, number)).toBe('cancelled')
})

story('a no is an answer and no error, wherever it is asked', async (told) => {
  const number = await makeOne(told)
  told.write('parcels.csv', manifestOf(3))
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
    terminal.type(`${answer}${KEYS.enter}`)
    expect(await terminal.ended()).toMatchObject({ exitCode: 3 })
    expect(terminal.transcript()).toContain(end)
    expect(terminal.transcript()).not.toContain('error:')
  }
  expect(await statusOf(told, number)).not.toBe('cancelled')
})

story('Ctrl-C at the question cancels no parcel', async (told) => {
  const number = await makeOne(told)
  const terminal = told.terminal(`carrier cancel ${number}`)
  await terminal.shows(`Type ${number} to confirm`)
  terminal.type(KEYS.ctrlC)
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 })
  expect(await statusOf(told, number)).not.toBe('cancelled')
})

story('Ctrl-C at the question of an upload creates no parcel', async (told) => {
  told.write('parcels.csv', manifestOf(3))
  const terminal = told.terminal('carrier upload parcels.csv')
  await terminal.shows('(y/N)')
  terminal.type(KEYS.ctrlC)
  expect(await terminal.ended()).toMatchObject({ exitCode: 130 })
  expect((await told.dray('carrier list --json')).json<Shipments>().data).toEqual([])
  expect(told.exists('parcels.csv.results.csv')).toBe(false)
})

story('an upload asks in the width of a narrow terminal', async (told) => {
  told.write('parcels.csv', manifestOf(3))
  const terminal = told.terminal('carrier upload parcels.csv', { columns: 40 })
  await terminal.shows('(y/N)')
  terminal.type(`y${KEYS.enter}`)
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect((await told.dray('carrier list --json')).json<Shipments>().data).toHaveLength(3)
})

story('a question without drawing takes the same answers', async (told) => {
  const number = await makeOne(told)
  const terminal = told.terminal(`carrier cancel ${number}`, { env: { DRAY_ACCESSIBLE: '1' } })
  await terminal.shows(`Type ${number} to confirm`)
  expect(terminal.raw()).not.toContain('\x1b')
  terminal.type(KEYS.ctrlC)
  expect(await terminal.ended()).toMatchObject({ signal: 2 })
  expect(await statusOf(told, number)).not.toBe('cancelled')
})
