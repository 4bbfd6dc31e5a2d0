/** Included files, and steps for each row of a table. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Scenario, parseScenario, formatProblemLines } from '../../../src/commands/scenario/file.ts'
import { scenarioRun } from '../../../src/commands/scenario/run.command.ts'
import { embeddedIn } from '../../support/embedded-client.ts'
import { makeHome } from '../../support/home.ts'
import { runCommand } from '../../support/run-command.ts'
import { makeTempFolder } from '../../support/stores.ts'

/** Writes files, and reads the first one. */
async function read(files: Readonly<Record<string, string>>) {
  const folder = await makeTempFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const [[name, text] = ['', '']] = Object.entries(files)
  const found = parseScenario(text, join(folder, name))
  const problems = 'problems' in found ? formatProblemLines(found) : []
  return {
    steps: 'scenario' in found ? stepsOf(found.scenario, folder) : [],
    problems: problems.map((line) => line.replaceAll(`${folder}/`, '')),
  }
}

function stepsOf({ steps }: Scenario, folder: string) {
  return steps.map(({ included_at, ...step }) =>
    included_at === undefined ? step : { ...step, included_at: included_at.replace(`${folder}/`, '') },
  )
}

const ONE = 'steps:\n  - '

test('the steps of an included file run at its place, with values for its variables', async () => {
  const { steps, problems } = await read({
    'a.yaml': `variables: { limit: 2 }
steps:
  - { id: hubs, call: list_hubs }
  - { id: part, include: parts/b.yaml, with: { limit: '\${var.limit}', hub: '\${hubs.data[0].hub_id}' } }
  - { call: get_shipment, input: { tracking_number: '\${part.found.data[0].tracking_number}' } }
  - { id: again, include: parts/b.yaml, with: { limit: 5, hub: LON1 } }
  - { call: get_shipment, input: { tracking_number: '\${again.found.tracking_number}' } }`,
    'parts/b.yaml': `as: shipper
variables: { limit: null, hub: null, q: '\${not.one}' }
steps:
  - id: found
    call: list_shipments
    input: { limit: '\${var.limit}', q: 'at \${var.hub} \${var.q}' }
  - { call: get_shipment, as: member, input: { tracking_number: '\${found.data[0].tracking_number}' } }`,
  })
  expect(problems).toEqual([])
  const [, list, show, after, second, , last] = steps
  expect(list).toEqual({
    id: '~1.found',
    call: 'list_shipments',
    as: 'shipper',
    input: { limit: '${var.limit}', q: 'at ${hubs.data[0].hub_id} $${not.one}' },
    line: 4,
    included_at: 'parts/b.yaml:4',
  })
  expect(show).toMatchObject({
    as: 'member',
    input: { tracking_number: '${~1.found.data[0].tracking_number}' },
    included_at: 'parts/b.yaml:7',
  })
  expect(after).toMatchObject({ input: { tracking_number: '${~1.found.data[0].tracking_number}' }, line: 5 })
  expect(second).toMatchObject({ id: '~2.found', input: { limit: 5, q: 'at LON1 $${not.one}' } })
  expect(last).toMatchObject({ input: { tracking_number: '${~2.found.tracking_number}' } })
})

test('steps run for each row of a CSV file, with numbers, truths, texts and empty cells', async () => {
  const { steps, problems } = await read({
    'a.yaml': `steps:
  - for_each: rows.csv
    steps:
      - { id: one, call: '\${row.call}', input: { limit: '\${row.limit}', q: '\${row.q}', code: 'x\${row.code}' } }
      - { call: list_hubs, input: { active: '\${row.active}', cursor: '\${one.next}' }, expect: { status: '\${row.status}' } }`,
    'rows.csv':
      '\uFEFFcall,limit,q:text,code,active,status\nlist_hubs,3,0017,007,true,200\n\nlist_shipments,,"a ${b}, c",,false,404\n',
  })
  expect(problems).toEqual([])
  expect(steps).toMatchObject([
    { id: '~1.one', call: 'list_hubs', input: { limit: 3, q: '0017', code: 'x007' }, row: 'row 2' },
    {
      call: 'list_hubs',
      input: { active: true, cursor: '${~1.one.next}' },
      expect: { status: 200 },
      row: 'row 2',
    },
    { id: '~2.one', call: 'list_shipments', input: { q: 'a $${b}, c', code: 'x' }, row: 'row 4' },
    {
      call: 'list_hubs',
      input: { active: false, cursor: '${~2.one.next}' },
      expect: { status: 404 },
      row: 'row 4',
    },
  ])
})

test('rows in the file may refer to earlier steps, and include a file each', async () => {
  const { steps, problems } = await read({
    'a.yaml': `steps:
  - { id: hubs, call: list_hubs }
  - for_each: [{ span: 1h, hub: '\${hubs.data[0]}' }, { span: 2h }]
    steps:
      - { advance: '\${row.span}' }
      - { include: b.yaml, with: { hub: '\${row.hub}' } }`,
    'b.yaml': `variables: { hub: LON1 }\n${ONE}{ call: list_hubs, input: { q: '\${var.hub}' } }`,
  })
  expect(problems).toEqual([])
  expect(steps.slice(1).map(({ advance, input, row }) => [row, advance ?? input])).toEqual([
    ['row 1', '1h'],
    ['row 1', { q: '${hubs.data[0]}' }],
    ['row 2', '2h'],
    ['row 2', { q: 'LON1' }],
  ])
})

test.each<[string, Record<string, string>, string[]]>([
  [
    'a file that includes itself',
    { 'a.yaml': `${ONE}include: b.yaml`, 'b.yaml': `${ONE}include: ./a.yaml` },
    ['b.yaml:2:14: the file includes itself: a.yaml, b.yaml, a.yaml.'],
  ],
  [
    'a missing file',
    { 'a.yaml': `${ONE}include: none.yaml` },
    ['a.yaml:2:14: none.yaml cannot be read: there is no such file.'],
  ],
  [
    'a fault of an included file, after its own',
    { 'a.yaml': `${ONE}include: b.yaml\n  - advance: soon`, 'b.yaml': `${ONE}call: list_hub` },
    [
      'a.yaml:3:14: advance must be a duration such as 90s, 30m, 2h or 3d.',
      'b.yaml:2:11: unknown operation list_hub; did you mean list_hubs?',
    ],
  ],
  [
    'variables that are not declared, or have no value',
    {
      'a.yaml': `${ONE}{ include: b.yaml, with: { x: 1 } }`,
      'b.yaml': `variables: { y: null }\n${ONE}advance: 1s`,
    },
    [
      'a.yaml:2:35: b.yaml declares no variable x.',
      'a.yaml:2:30: b.yaml needs a value for y: name it under with.',
    ],
  ],
  [
    'a step that an included file lacks',
    {
      'a.yaml': `${ONE}{ id: b, include: b.yaml }\n  - { call: list_hubs, input: { q: '\${b.two.x}' } }\n  - { call: list_hubs, input: { q: '\${one.x}' } }`,
      'b.yaml': `${ONE}{ id: one, call: list_hubs }`,
    },
    [
      'a.yaml:3:31: ${b.two.x}: the included file has no step two; its steps with ids: one.',
      'a.yaml:4:31: ${one.x}: no earlier step has the id one.',
    ],
  ],
  [
    'an included file that refers to steps of the other one',
    {
      'a.yaml': `${ONE}{ id: hubs, call: list_hubs }\n  - include: b.yaml`,
      'b.yaml': `${ONE}{ call: list_hubs, input: { q: '\${hubs.x}', r: '\${row.x}' } }`,
    },
    [
      'b.yaml:2:31: ${hubs.x}: no earlier step has the id hubs.',
      'b.yaml:2:31: ${row.x}: no earlier step has the id row.',
    ],
  ],
  [
    'a column that is not there, an id of another row, and a reference by a mark',
    {
      'a.yaml': `steps:\n  - for_each: [{ a: 1 }, { a: 2 }]\n    steps:\n      - { id: one, call: list_hubs, input: { q: '\${row.b}' } }\n  - { call: list_hubs, input: { q: '\${one.x}', r: '\${~1.one.x}' } }`,
    },
    [
      'a.yaml:4:44: ${row.b}: no such column; there are a (row 1).',
      'a.yaml:5:31: ${one.x}: no earlier step has the id one.',
      'a.yaml:5:31: ${~1.one.x} is not a reference such as ${step.field} or ${var.name}.',
    ],
  ],
  [
    'a row whose values no step may have',
    {
      'a.yaml': `steps:\n  - for_each: rows.csv\n    steps:\n      - { call: '\${row.call}', expect: { status: '\${row.status}' } }`,
      'rows.csv': 'call,status\nlist_hubs,200\nlist_hub,soon\n',
    },
    [
      'a.yaml:4:50: status must be a whole number from 200 to 599, not "200" (row 2).',
      'a.yaml:4:17: unknown operation list_hub; did you mean list_hubs? (row 3).',
      'a.yaml:4:50: status must be a whole number from 200 to 599, not "soon" (row 3).',
    ],
  ],
  [
    'members of another kind of step',
    {
      'a.yaml': `steps:\n  - { include: b.yaml, expect: { status: 200 }, as: member }\n  - { call: list_hubs, with: { a: 1 } }\n  - for_each: [{ a: 1 }]\n  - { for_each: [{ a: 1 }], steps: [{ for_each: [{ b: 1 }] }] }`,
      'b.yaml': `${ONE}advance: 1s`,
    },
    [
      'a.yaml:2:53: as belongs to a step with call.',
      'a.yaml:2:32: expect belongs to a step with call, control, advance or advance_to.',
      'a.yaml:3:30: with belongs to a step with include.',
      'a.yaml:4:5: steps is missing.',
      'a.yaml:5:49: for_each is unknown.',
      'a.yaml:5:37: steps is missing (row 1).',
    ],
  ],
  [
    'more steps than may run',
    {
      'a.yaml': `steps:\n  - for_each: rows.csv\n    steps: [{ advance: 1s }]`,
      'rows.csv': `a\n${'1\n'.repeat(5001)}`,
    },
    ['a.yaml:3:13: more than 5000 steps would run (row 5002).'],
  ],
])('%s is refused with its place', async (_, files, lines) => {
  expect((await read(files)).problems).toEqual(lines)
})

test.each([
  ['', 'The file is empty: it needs a header and at least one row below it'],
  ['a,b\n', 'The file has a header but no rows'],
  ['a,b\n1\n', 'row 2 has fewer cells than the header, or repeats it'],
  ['a,b\n1,2\na,b\n3,4\n', 'row 3 has fewer cells than the header, or repeats it'],
  ['a,b\n1,"=""007"""\n', 'row 2 has a formula; write its value in its place'],
  ['a b,c\n1,2\n', '"a b" is no name of a column; use letters, digits and _, a letter first'],
  ['a,a:text\n1,2\n', 'two columns are called a'],
  ['a,b\n1,2,3\n', 'The header has 2 cells, but row 2 has 3'],
])('a table %j is refused', async (rows, problem) => {
  const { problems } = await read({
    'a.yaml': `steps:\n  - for_each: rows.csv\n    steps: [{ advance: 1s }]`,
    'rows.csv': rows,
  })
  expect(problems).toEqual([expect.stringContaining(`a.yaml:2:15: rows.csv: ${problem}`)])
})

test('a failure names the row, the step and the line of the included file; other rows go on', async () => {
  using home = makeHome({ DRAY_NOW: '2026-11-20T12:00:00Z', NO_COLOR: '1' })
  const file = join(home.cwd, 'a.yaml')
  writeFileSync(
    file,
    `as: shipper\nsteps:\n  - for_each: [{ q: ZZ123456785GB }, { q: ZZ123456785GB, code: shipment_not_found }]\n    steps:\n      - { id: b, include: b.yaml, with: { q: '\${row.q}' } }\n      - { call: get_shipment, input: { tracking_number: '\${b.gone.tracking_number}' } }\n      - { call: get_shipment, input: { tracking_number: '\${row.q}' }, expect: { code: '\${row.code}' } }`,
  )
  writeFileSync(
    join(home.cwd, 'b.yaml'),
    `variables: { q: null }\nsteps:\n  - { id: gone, call: get_shipment, input: { tracking_number: '\${var.q}' } }`,
  )
  const options = { openClient: embeddedIn(home) }
  const { code, out } = await runCommand(home, scenarioRun, [file, '--ephemeral'], options)
  expect(code).toBe(6)
  expect(out).toContain(`  FAIL  1 gone, row 1 (get_shipment) at ${file}:5, ${join(home.cwd, 'b.yaml')}:3\n`)
  expect(out).toContain('  skip  2 get_shipment, row 1')
  expect(out).toContain('the step gone did not do what it should')
  expect(out).toContain('  ok    6 get_shipment, row 2 (get_shipment)\n')
})

test('a scenario reads no file outside of its folder or repository, unless that is allowed', async () => {
  const folder = await makeTempFolder()
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  write('secrets.csv', 'name\nhunter2\n')
  write('part.yaml', `${ONE}call: list_hubs\n`)
  write('own/here.yaml', `${ONE}call: list_hubs\n`)
  symlinkSync(join(folder, 'secrets.csv'), join(folder, 'own/rows.csv'))
  const problemsOf = (text: string, options = {}): string[] => {
    const found = parseScenario(text, join(folder, 'own/a.yaml'), options)
    return 'problems' in found ? formatProblemLines(found) : []
  }
  const rowsOf = (file: string) =>
    `steps:\n  - { for_each: ${file}, steps: [{ call: list_hubs, input: { q: '\${row.name}' } }] }`
  const outside = [`${ONE}include: ../part.yaml`, rowsOf('../secrets.csv'), rowsOf('rows.csv')]
  for (const text of [...outside, rowsOf(join(folder, 'secrets.csv')), rowsOf('/etc/passwd')])
    expect(problemsOf(text).join()).toContain('--allow-outside')
  expect(problemsOf(`${ONE}include: here.yaml`)).toEqual([])
  expect(problemsOf(`${ONE}include: missing.yaml`).join()).not.toContain('--allow-outside')
  expect(problemsOf(`${ONE}include: ../part.yaml`, { allowOutside: true })).toEqual([])
  // Within one repository, files of other folders are read as before.
  mkdirSync(join(folder, '.git'))
  expect(problemsOf(`${ONE}include: ../part.yaml`)).toEqual([])
})
