import { expect, test } from 'vitest'
import { loadOperation } from '../../../../src/generated/commands.ts'
import { embeddedIn } from '../../../support/embedded-client.ts'
import { makeHome } from '../../../support/home.ts'
import { memoryIo, type MemoryIo } from '../../../support/memory-io.ts'
import { runCommand } from '../../../support/run-command.ts'

const create = await loadOperation('create_catalog_item')
const update = await loadOperation('update_catalog_item')

/** Types once the question is shown. */
async function answer(io: MemoryIo, question: string | RegExp, typed: string): Promise<void> {
  await expect.poll(() => io.asked()).toMatch(question)
  io.type(`${typed}\n`)
}

test('a merchant is asked for an item as by a person, and changes it by choosing what changes', async () => {
  using home = makeHome()
  const terminal = () => memoryIo({ tty: { stdin: true, stderr: true }, columns: 100 })
  const io = terminal()
  const openClient = embeddedIn(home)
  const creating = runCommand(home, create, ['--accessible', '--name', 'Test Laksa'], { openClient, io })
  await answer(io, 'Price in GBP, such as 8.50?', 'nine')
  await answer(io, 'is not an amount', '9.50')
  await answer(io, /Menu category\?[^]*a new one/, '1')
  await answer(io, 'Short description?', 'Hot')
  await answer(io, 'Modifier groups?', 'Size[1-1]: Small=0 | Large=1.50')
  expect((await creating).error).toBeUndefined()
  const second = terminal()
  const argv = ['Test Laksa', '--accessible']
  const changing = runCommand(home, update, argv, { openClient, io: second })
  await answer(second, 'Test Laksa: what changes?', '1')
  await answer(second, 'Price in GBP, such as 8.50?', '10')
  await answer(second, /nothing else[^]*price \(10\)/, '1')
  const { error, out } = await changing
  expect(error).toBeUndefined()
  expect(out).toContain('10.00 GBP')
  expect(second.err()).toContain('price: £9.50 becomes £10.00')

  const third = terminal()
  const choosing = runCommand(home, update, argv, { openClient, io: third })
  await answer(third, 'Test Laksa: what changes?', '5')
  await answer(third, /Groups that you leave out are removed.*Size\[1-1\]: Small=0\.00 \| Large=1\.50/, '')
  await answer(third, 'what else changes?', '1')
  expect((await choosing).error).toBeUndefined()
  expect(third.err()).toContain('Nothing changed: Test Laksa is so already.')
})
