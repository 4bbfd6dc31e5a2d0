/** The page for agents: one text in two forms, whose names are those of the registry. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { skill } from '../../src/commands/skill/skill.command.ts'
import { LLMS, SKILL } from '../../src/generated/guide.ts'
import { TOOLS } from '../../src/generated/tools.ts'
import { TOOLSETS } from '../../src/generated/toolsets.ts'
import { makeHome } from '../support/home.ts'
import { runCommand } from '../support/run-command.ts'
import { ROOT } from '../support/sources.ts'

const bodyOf = (text: string): string => /## Rules\n[^]*?(?=\n## More|$)/.exec(text)?.[0].trimEnd() ?? ''

test('both forms have the same rules, commands and tools', () => {
  expect(bodyOf(SKILL)).toBe(bodyOf(LLMS))
  expect(bodyOf(SKILL).length).toBeGreaterThan(1000)
})

test('each tool stands in the line of its toolset, and no other does', () => {
  for (const each of TOOLSETS) {
    const line = LLMS.split('\n').find((text) => text.startsWith(`- \`${each}\`: `)) ?? ''
    const names = /Tools: (.*)$/.exec(line)?.[1]?.split(', ')
    expect({ each, names }).toEqual({
      each,
      names: TOOLS.filter(({ area, toolset = area }) => toolset === each).map(({ name }) => name),
    })
  }
})

test('it is one page', () => {
  expect(LLMS.split('\n').length).toBeLessThan(70)
  expect(countTokens(LLMS)).toBeLessThan(2500)
})

test('the skill begins with its name and its description, as YAML', () => {
  const [, head = ''] = /^---\n([^]*?)\n---\n\n# dray\n/.exec(SKILL) ?? []
  const { name, description, ...others } = parse(head) as Record<string, string>
  expect({ name, others }).toEqual({ name: 'dray', others: {} })
  expect(description?.length).toBeLessThan(1024)
})

test('`dray skill` prints the file that packages hold, and as JSON a document', async () => {
  using home = makeHome()
  const file = readFileSync(join(ROOT, 'skills/dray/SKILL.md'), 'utf8')
  expect((await runCommand(home, skill, [])).out).toBe(file)
  expect((await runCommand(home, skill, ['--json'])).json()).toEqual({ skill: file })
  expect(readFileSync(join(ROOT, 'llms.txt'), 'utf8')).toBe(LLMS)
})
