import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseScenario, formatProblemLines, readScenarioFile } from '../../../src/commands/scenario/file.ts'
import { memoryIo } from '../../support/memory-io.ts'
import { scenarioOf } from '../../support/scenarios.ts'
import { makeTempFolder } from '../../support/stores.ts'

function problemsOf(text: string): string[] {
  const read = parseScenario(text, 'a.yaml')
  return 'problems' in read ? formatProblemLines(read) : []
}

const problemOf = (text: string): string => problemsOf(text).join('\n')

describe('a scenario file', () => {
  test('is YAML or JSON, and every step knows its line', () => {
    const yaml = scenarioOf('name: Two\nsteps:\n  - advance: 2h\n\n  - call: list_hubs\n', 'a.yaml')
    expect(yaml.steps.map(({ line }) => line)).toEqual([3, 5])
    const json = scenarioOf('{"steps": [{"call": "list_hubs", "as": "shipper"}]}', 'a.json')
    expect(json).toMatchObject({ name: 'a.json', steps: [{ call: 'list_hubs', as: 'shipper', line: 1 }] })
  })

  test.each([
    ['', 'a.yaml:1:1: a scenario is an object with the member steps.'],
    ['- 1', 'a.yaml:1:1: a scenario is an object with the member steps.'],
    ['steps: []', 'a.yaml:1:8: steps must'],
    ['name: x', 'a.yaml:1:1: steps is missing.'],
    ['steps:\n  - call: [', 'a.yaml:2:'],
    ['steps:\n  - call: list_hubs\n    colour: red', 'a.yaml:3:13: colour is unknown.'],
    ['steps:\n  - call: list_hubs\n    expect: { status: soon }', 'a.yaml:3:23: status must be integer'],
    [
      'steps:\n  - name: nothing',
      'a.yaml:2:5: a step has exactly one of call, control, advance, advance_to, include, for_each.',
    ],
    ['steps:\n  - call: list_hubs\n    advance: 2h', 'a.yaml:2:5: a step has exactly one of'],
    ['steps:\n  - call: list_hub', 'a.yaml:2:11: unknown operation list_hub; did you mean list_hubs?'],
    ['steps:\n  - call: constructor', 'a.yaml:2:11: unknown operation constructor'],
    ['steps:\n  - advance: soon', 'a.yaml:2:14: advance must be a duration such as 90s, 30m, 2h or 3d.'],
    [
      'steps:\n  - advance_to: Friday',
      'a.yaml:2:17: advance_to must be a time with its UTC offset, such as 2026-11-20T12:00:00Z.',
    ],
    ['at: noon\nsteps:\n  - advance: 1s', 'a.yaml:1:5: at must be a time with its UTC offset'],
    ['steps:\n  - id: a-b\n    advance: 1s', 'a.yaml:2:9: id must be small letters, digits and _'],
    [
      'steps:\n  - { id: a, advance: 1s }\n  - { id: a, advance: 1s }',
      'a.yaml:3:11: another step is called a already',
    ],
    [
      'steps:\n  - { id: var, advance: 1s }',
      'a.yaml:2:11: another step is called var already, or the name is reserved.',
    ],
    [
      'steps:\n  - call: list_hubs\n    input: { limit: "${later.x}" }\n  - { id: later, advance: 1s }',
      'a.yaml:3:12: ${later.x}: no earlier step has the id later.',
    ],
    [
      'steps:\n  - call: list_hubs\n    input: { limit: "${var.none}" }',
      '${var.none}: no such variable is declared',
    ],
    [
      'steps:\n  - call: list_hubs\n    input: { limit: "${var.toString}" }',
      '${var.toString}: no such variable is declared',
    ],
    ['steps:\n  - call: list_hubs\n    input: { limit: "${a b}" }', '${a b} is not a reference such as'],
    [
      'steps:\n  - call: list_hubs\n    expect: { fields: { "data[": 1 } }',
      'a.yaml:3:34: "data[" is not a JMESPath expression',
    ],
    [
      'steps:\n  - call: list_hubs\n    expect: { fields: { a: { matches: "(" } } }',
      'Invalid regular expression',
    ],
    ['steps:\n  - advance: 1s\n    input: {}', 'input belongs to a step with call or control'],
    ['steps:\n  - advance: 1s\n    as: shipper', 'as belongs to a step with call'],
    [
      'steps:\n  - call: list_hubs\n    input: { __proto__: { limit: 3 } }',
      'no member can be named __proto__',
    ],
    ['steps:\n  - call: list_hubs\n    input: { limit: .nan }', 'this is not a JSON number'],
    [
      'steps:\n  - call: list_hubs\n    input: &a { again: *a }',
      'it is nested too deeply, or refers to itself.',
    ],
    ['steps:\n  - call: list_hubs\n    call: list_hubs', 'a.yaml:3:5:'],
    [
      'variables: { list: [1] }\nsteps:\n  - advance: 1s',
      'list must be a text, a number, true, false or null',
    ],
    [`steps:\n  - call: list_hubs\n    input: ${'['.repeat(60)}${']'.repeat(60)}`, 'a.yaml:3:'],
  ])('%j is refused with its place', (text, problem) => {
    const message = problemOf(text)
    expect(message).toContain(problem)
    expect(message).toMatch(/^a\.yaml:\d+:\d+: /)
  })

  test('cannot grow by names for parts of itself', () => {
    const lines = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 9; level++) {
      const before = `*${'a'.repeat(level)}`
      lines.push(`${'a'.repeat(level + 1)}: &${'a'.repeat(level + 1)} [${Array(10).fill(before).join(', ')}]`)
    }
    expect(problemOf(`${lines.join('\n')}\nsteps: []`)).toMatch(
      /^a\.yaml:\d+:\d+: it refers to itself, or to too many values/,
    )
  })

  test('cannot be nested without end', () => {
    const text = `steps:\n  - call: list_hubs\n    input: ${'['.repeat(200_000)}${']'.repeat(200_000)}`
    expect(problemOf(text)).toMatch(/^a\.yaml:3:\d+: it is nested too deeply\.$/)
  })

  test('has at most a mebibyte, and must be there', async () => {
    const folder = await makeTempFolder()
    const large = join(folder, 'large.yaml')
    writeFileSync(large, `steps:\n  - advance: 1s\n#${'x'.repeat(1_048_576)}`)
    const io = memoryIo()
    expect(await readScenarioFile({ io }, large)).toMatchObject({
      problems: [{ text: expect.stringContaining('it is larger than 1 MiB') }],
    })
    expect(await readScenarioFile({ io }, join(folder, 'none.yaml'))).toMatchObject({
      problems: [{ text: expect.stringContaining('cannot be read') }],
    })
    const typed = memoryIo({ stdin: 'steps:\n  - advance: 1s\n' })
    expect(await readScenarioFile({ io: typed }, '-')).toMatchObject({ scenario: { file: 'standard input' } })
  })

  test('reports all its mistakes at once', () => {
    const text = 'at: noon\nsteps:\n  - call: list_hub\n  - advance: soon\n  - advance: 1s\n    input: {}\n'
    expect(problemsOf(text).map((line) => line.replace(/^a\.yaml:/, ''))).toEqual([
      '1:5: at must be a time with its UTC offset, such as 2026-11-20T12:00:00Z.',
      '3:11: unknown operation list_hub; did you mean list_hubs?',
      '4:14: advance must be a duration such as 90s, 30m, 2h or 3d.',
      '6:12: input belongs to a step with call or control.',
    ])
    const form = 'colour: red\nsteps:\n  - call: 7\n  - advance: 1s\n    expect: { status: soon }\n'
    expect(problemsOf(form).map((line) => line.split(':')[1])).toEqual(['1', '3', '5'])
  })

  test('reports every mistake of its YAML with its place', () => {
    expect(problemsOf('steps:\n  - call: %a\n  - call: "b" c\n')).toEqual([
      expect.stringMatching(/^a\.yaml:2:11: Plain value cannot start with directive indicator/) as string,
      'a.yaml:3:15: Unexpected scalar at node end.',
    ])
  })

  test('that says a member twice, or two scenarios, is checked to its end', () => {
    const twice = 'steps:\n  - call: list_hubs\n    call: list_hubs\n  - call: list_hub\n---\nname: B\n'
    expect(problemsOf(twice)).toEqual([
      'a.yaml:3:5: Map keys must be unique.',
      'a.yaml:4:11: unknown operation list_hub; did you mean list_hubs?',
      'a.yaml:5:1: a file has one scenario only, but --- begins a second one.',
    ])
  })

  test('reports mistakes of form, of names and of references in one round', async () => {
    const stdin = [
      'colour: red',
      'steps:',
      '  - call: list_hub',
      '  - call: 7',
      '    as: shipper',
      '  - id: Late',
      '    advance: soon',
      '    expect: { status: soon }',
      '  - control: nothing_such',
      '    input: { a: "${nobody.x}", b: "${Late.x}" }',
      '  - 5',
    ].join('\n')
    const read = await readScenarioFile({ io: memoryIo({ stdin }) }, '-')
    expect(
      'problems' in read ? formatProblemLines(read).map((line) => line.replace('standard input:', '')) : [],
    ).toEqual([
      '1:9: colour is unknown.',
      '3:11: unknown operation list_hub; did you mean list_hubs?',
      '4:11: call must be string.',
      '6:9: id must be small letters, digits and _, a letter first, at most 40.',
      '7:14: advance must be a duration such as 90s, 30m, 2h or 3d.',
      '8:23: status must be integer.',
      '9:14: unknown control call nothing_such.',
      '10:12: ${nobody.x}: no earlier step has the id nobody.',
      '10:12: ${Late.x} is not a reference such as ${step.field} or ${var.name}.',
      '11:5: steps must be object.',
    ])
  })

  test('names control calls that there are', async () => {
    const stdin = 'steps:\n  - control: advance_clock\n    input: { by: 1s }\n  - control: hasOwnProperty\n'
    expect(await readScenarioFile({ io: memoryIo({ stdin }) }, '-')).toMatchObject({
      problems: [{ place: { line: 4 }, text: 'unknown control call hasOwnProperty' }],
    })
  })
})
