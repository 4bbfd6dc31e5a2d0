import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PRESENTERS } from '../src/areas/presenters.ts'
import { GLOBAL_FLAGS } from '../src/cli/globals.ts'
import { formatFieldLabel } from '../src/cli/output/cell.ts'
import { parseArgs } from '../src/cli/parse.ts'
import { parseCommandRoute, type CommandRoute } from '../src/cli/route.ts'
import { apiCommand } from '../src/commands/api.command.ts'
import { trackWords } from '../src/commands/track.ts'
import { SCOPES } from '../src/core/account.ts'
import { AREAS } from '../src/core/areas.ts'
import { ERRORS } from '../src/core/errors.ts'
import { type AnyOperation, isExtension, isRead } from '../src/core/operation.ts'
import { purchasingOf } from '../src/core/spending.ts'
import { labelColumns } from '../src/generate/columns.ts'
import { COMMANDS } from '../src/generated/commands.ts'
import { OPERATIONS } from '../src/generated/operation-list.ts'
import { load } from '../src/generated/registry.ts'
import type { LivingName } from '../src/generated/resources.ts'
import { TOOLS } from '../src/generated/tools.ts'
import { listControls } from '../src/sandbox/control/index.ts'
import { sandboxDocument } from '../src/server/openapi-sandbox.ts'
import { openapiDocument } from '../src/server/openapi.ts'
import interfaceOperations from './operations.json' with { type: 'json' }
import { exampleInput } from './support/example-input.ts'
import { ROOT } from './support/sources.ts'

type Schema = {
  type?: string | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  additionalProperties?: unknown
  items?: Schema | undefined
  anyOf?: Schema[] | undefined
}

const SPEC = join(ROOT, '../shared/spec/operations.json')
const FOLDER = join(ROOT, 'src/areas')

const operations: AnyOperation[] = await Promise.all(Object.values(OPERATIONS).map((find) => find()))
const commands = await Promise.all(Object.values(COMMANDS).map((entry) => entry.load()))
const named = operations.map((operation) => [operation.name, operation] as const)
const own = operations.filter((operation) => !isExtension(operation))

describe('the registry', () => {
  test('has first the operations of the interface, then the calls beside it, each with its toolset', () => {
    const where = operations.map(({ name, toolset }) =>
      toolset === undefined ? name : `${name} beside the interface`,
    )
    const known = interfaceOperations.map(({ operation }) => operation)
    const expected = operations.map(({ name }) =>
      known.includes(name) ? name : `${name} beside the interface`,
    )
    expect(where, 'a call beside the interface declares its toolset').toEqual(expected)
    expect(operations.slice(0, known.length).map(({ name }) => name)).toEqual(known)
    const taken = operations.filter(
      ({ area, toolset }) => toolset === area || Object.hasOwn(AREAS, toolset ?? ''),
    )
    expect(taken.map(({ name }) => name)).toEqual([])
  })

  test('is that of the interface, field by field', () => {
    const rows = own.map(
      ({ name, area, method, path, scope, entitlement, createsTransaction, idempotency }) => {
        return {
          operation: name,
          area,
          method,
          path,
          scope,
          entitlement,
          creates_transaction: createsTransaction,
          idempotency,
        }
      },
    )
    expect(rows).toEqual(interfaceOperations)
  })

  test('has all areas of the interface', () => {
    const areas = new Set(interfaceOperations.map(({ area }) => area))
    expect([...new Set(own.map(({ area }) => area))]).toEqual([...areas])
  })

  test('is checked against the list of all operations, which is the interface itself where it is at hand', () => {
    expect(interfaceOperations.length).toBeGreaterThan(0)
    const spec: unknown = existsSync(SPEC) ? JSON.parse(readFileSync(SPEC, 'utf8')) : interfaceOperations
    expect(interfaceOperations).toEqual(spec)
  })

  test('names every file, and each file is named as its operation', async () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.includes('_'),
    )
    expect(files.toSorted()).toEqual(operations.map(({ area, name }) => join(area, `${name}.ts`)).toSorted())
    expect(Object.keys(OPERATIONS)).toEqual(operations.map(({ name }) => name))
    for (const { area, name } of operations) {
      const module = (await import(join(FOLDER, area, `${name}.ts`))) as Record<string, unknown>
      const constant = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      expect(Object.keys(module), name).toEqual([constant])
      expect(module[constant], name).toBe(operations.find((operation) => operation.name === name))
    }
  })

  test('has a test for each operation, at the place of its file', () => {
    const missing = operations
      .map(({ area, name }) => `test/areas/${area}/${name}.test.ts`)
      .filter((file) => !existsSync(join(ROOT, file)))
    expect(missing, 'write these files').toEqual([])
  })
})

describe.each(named)('%s', (name, operation) => {
  const input: Schema = operation.input
  const output: Schema = operation.output
  const { cli } = operation

  test('has a scope and gives only errors that there are', () => {
    expect(SCOPES).toContain(operation.scope)
    expect(
      operation.errors.filter((code) => !Object.hasOwn(ERRORS, code) || ERRORS[code].status === null),
    ).toEqual([])
    expect(new Set(operation.errors).size).toBe(operation.errors.length)
  })

  test('takes a closed object, every object in it closed too', () => {
    expect(input.type).toBe('object')
    expect(input.anyOf).toBeUndefined()
    expect(openObjects(input, '')).toEqual([])
  })

  test('takes its path parameters as required members', () => {
    expect(input.required ?? []).toEqual(expect.arrayContaining([...operation.pathParameters]))
    expect([...operation.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)).toEqual(
      operation.pathParameters,
    )
  })

  test('has an example that its own schema takes', async () => {
    const loaded = await load(name)
    expect(loaded?.operation).toBe(operation)
    expect(loaded?.check(exampleInput(operation))).toBe(true)
    expect(loaded?.check({ ...exampleInput(operation), nobody_knows_this: 1 })).toBe(false)
  })

  test('hints only at members that it has', () => {
    const row = output.properties?.['data']?.items ?? output
    const columns = [...(cli.columns ?? []), ...(cli.details ?? [])].map((hint) =>
      typeof hint === 'string' ? hint : hint.field,
    )
    const template = [cli.done, cli.next, operation.location].join(' ')
    const filled = [...template.matchAll(/\{([\w.]+)\}/g)].map(([, field]) => field ?? '')
    const given = [
      ...(cli.positionals ?? []).map((field) => field.replace('...', '')),
      ...Object.keys(cli.flags ?? {}).flatMap((fields) => fields.split(',')),
    ]
    expect(given.filter((field) => !has(input, field))).toEqual([])
    expect(columns.filter((field) => !has(row, field))).toEqual([])
    expect(filled.filter((field) => !has(output, field))).toEqual([])
  })

  test('says a label only where the schema of its field has another one', () => {
    const said = [...(cli.columns ?? []), ...(cli.details ?? [])].filter((hint) => typeof hint !== 'string')
    const plain = labelColumns(
      operation,
      said.map(({ field }) => field),
    )
    const repeated = said.filter(
      ({ field, label }, i) => label === (plain[i]?.label ?? formatFieldLabel(field)),
    )
    expect(repeated).toEqual([])
  })

  test('heads no two columns with the same word', () => {
    for (const hints of [cli.columns ?? [], cli.details ?? []]) {
      const heads = labelColumns(operation, hints).map(({ field, label }) => label ?? formatFieldLabel(field))
      expect(heads.filter((head, at) => heads.indexOf(head) !== at)).toEqual([])
    }
  })

  test('asks for care exactly where it changes something', () => {
    expect(cli.danger === 'read').toBe(isRead(operation))
    expect(operation.spends === undefined).toBe(isRead(operation))
    const buys = purchasingOf(operation) !== undefined
    expect(operation.createsTransaction).toBe(operation.spends?.how === 'quote')
    // A batch of anything is `bulk`; the registry says whether it costs money.
    expect(cli.danger === 'spend').toBe(buys && cli.danger !== 'bulk')
    expect(operation.status === 201).toBe(operation.location !== undefined)
  })
})

/** Words that begin a question or omit the subject; the text of a field is a noun phrase instead. */
const NO_NOUN = /^(?:how|nobody|nothing|of|such|what|when|where|whether|which|who|whoever|whose|why)\b/i

/** Returns the texts of a schema and of everything in it. */
function textsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    typeof value === 'string' && ['description', 'meaning', 'summary', 'title', 'label'].includes(key)
      ? [value]
      : textsOf(value),
  )
}

test('the text of a field, flag or heading is a noun phrase: none begins with a question word', async () => {
  const controls = await listControls()
  const documents = [openapiDocument(operations, '1.2.3'), sandboxDocument(controls, { version: '1.2.3' })]
  const ofSchemas = [...documents, TOOLS, operations, controls].flatMap(textsOf)
  const ofCommands = commands.flatMap(({ summary, description, flags, positionals }) => [
    summary,
    description ?? '',
    ...textsOf(flags),
    ...textsOf(positionals),
  ])
  expect([...new Set([...ofSchemas, ...ofCommands])].filter((text) => NO_NOUN.test(text))).toEqual([])
})

describe('the commands', () => {
  test('are reached by words of their own', async () => {
    const own = readdirSync(join(ROOT, 'src/commands'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.command.ts'))
      .map((file) => file.slice(0, -'.command.ts'.length).replaceAll(/[/\\-]/g, ' '))
    const declared = [...operations, ...(await listControls())]
    const ofDeclared = declared.map(({ cli }) => cli.command)
    const tracks = (Object.keys(PRESENTERS) as LivingName[]).flatMap((kind) => trackWords(kind) ?? [])
    // An area without a command group names no word of its commands.
    const typed = new Set(commands.map(({ words }) => words.replaceAll('-', ' ')))
    const byHand = own.map((path) => (typed.has(path) ? path : path.replace(/^\w+ /, '')))
    const same = (text: string): string => text.replaceAll('-', ' ')
    const words = [...new Set([...ofDeclared, ...tracks, ...byHand].map(same))]
    expect(commands.map((command) => same(command.words)).toSorted()).toEqual(words.toSorted())
    // A call without a tool may do a part of another's command, and a command manually may make several calls.
    const byItself = operations.filter(({ toolset, cli }) => toolset !== null && !own.includes(cli.command))
    const wholes = byItself.map(({ cli }) => cli.command)
    expect(wholes.filter((word, index) => wholes.indexOf(word) !== index)).toEqual([])
    expect(words.filter((text) => !/^[a-z]+(?: [a-z-]+)*$/.test(text))).toEqual([])
  })

  test('take what is needed before what is not, and many only at the end', () => {
    const wrong = commands.flatMap(({ words, positionals }) =>
      positionals
        .filter(({ required, repeat }, index) => {
          return (
            (required && index > 0 && !positionals[index - 1]?.required) ||
            (repeat && index < positionals.length - 1)
          )
        })
        .map(({ name }) => `${words}: ${name}`),
    )
    expect(wrong).toEqual([])
  })

  test('have flags in kebab case, each once, each explained, with choices when it is one of several', () => {
    const wrong = commands.flatMap(({ words, flags }) => {
      const names = flags.map(({ flag }) => flag)
      return flags.flatMap(({ flag, kind, choices, description }, index) => {
        const checks = {
          'is not in kebab case': /^[a-z]+(?:-[a-z0-9]+)*$/.test(flag),
          'is there twice': names.indexOf(flag) === index,
          'is an enum without choices, or has choices and is no enum':
            (kind === 'enum') === (choices !== undefined),
          'has no description': description !== '',
          'has a description that ends with a full stop': !description.endsWith('.'),
        }
        return Object.entries(checks).flatMap(([what, fine]) => (fine ? [] : [`${words}: --${flag} ${what}`]))
      })
    })
    expect(
      wrong,
      'an operation that takes a place needs a command by hand: src/commands/tasks/quote.command.ts',
    ).toEqual([])
  })

  test('take the flags of pages only where their operation takes these, too', () => {
    const wrong = commands.flatMap(({ words, takes, operation }) => {
      const { input } = operations.find(({ name }) => name === operation?.name) ?? {}
      const members = Object.keys(input?.properties ?? {})
      const flags = input === undefined ? [] : takes.filter((flag) => flag === 'limit' || flag === 'cursor')
      return flags.filter((flag) => !members.includes(flag)).map((flag) => `${words} --${flag}`)
    })
    expect(wrong).toEqual([])
  })

  test('have short flags that no other flag has', () => {
    const shared = GLOBAL_FLAGS.flatMap(({ short }) => short ?? [])
    for (const { words, flags } of commands) {
      const all = [...shared, ...flags.flatMap(({ short }) => short ?? []), 'h', 'V']
      expect(new Set(all).size, words).toBe(all.length)
    }
  })

  test('have a summary of one line and an example at least', () => {
    const wrong = commands.filter(
      ({ summary, examples }) => !/^[^\n]{3,90}[^.\s]$/.test(summary) || examples.length === 0,
    )
    expect(wrong.map(({ words }) => words)).toEqual([])
  })

  test('have examples that dray understands, one of itself at least', async () => {
    const faults: string[] = []
    for (const { words, examples } of commands) {
      const routes = examples.flatMap(readShell).map((argv) => parseCommandRoute(argv))
      if (!routes.some((route) => route.words === words)) faults.push(`${words} has no example of itself`)
      for (const route of routes) {
        const fault = await parse(route).then(
          (args) => (route.kind !== 'command' || args === undefined ? 'no command' : ''),
          (error: Error) => `${error.message} test/snapshots/help/ lists the flags of ${route.words}.`,
        )
        if (fault !== '') faults.push(`${words}: dray ${route.words}: ${fault}`)
      }
    }
    expect(faults).toEqual([])
  })
})

/** Parses the rest of a line with the command of a route. `dray api` takes the flags of its operation. */
async function parse(route: CommandRoute): Promise<unknown> {
  const rest = route.kind === 'command' ? route.rest : []
  const [name = ''] = rest
  const isRaw = route.words === 'api' && Object.hasOwn(OPERATIONS, name)
  const command = isRaw ? await apiCommand(name) : commands.find(({ words }) => words === route.words)
  return command && parseArgs(command, isRaw ? rest.slice(1) : rest)
}

/** Returns the paths where a schema allows unnamed fields. Rows of a batch are checked separately. */
function openObjects(schema: Schema, at: string): string[] {
  const names = Object.keys(schema.properties ?? {})
  const here = names.length > 0 && schema.additionalProperties !== false ? [at === '' ? '/' : at] : []
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    openObjects(member, `${at}/${name}`),
  )
  const inner = [...(schema.anyOf ?? []), ...(schema.items === undefined ? [] : [schema.items])]
  return [...here, ...members, ...inner.flatMap((part) => openObjects(part, at))]
}

/** Returns whether a dotted field exists in the schema. */
function has(schema: Schema | undefined, field: string): boolean {
  if (schema === undefined) return false
  if (schema.anyOf?.some((form) => has(form, field))) return true
  // A column of a list within a row shows the field of each of its objects.
  if (schema.items !== undefined) return has(schema.items, field)
  const [name = '', ...rest] = field.split('.')
  const member = schema.properties?.[name]
  return member !== undefined && (rest.length === 0 || has(member, rest.join('.')))
}

/** Returns the words after each `dray` of an example, as a shell passes them. */
function readShell(example: string): string[][] {
  return [...example.matchAll(/(?:^|[|(;&] *)dray ((?:[^\s'"|><)]+|'[^']*'|"[^"]*"| )*)/g)].map(
    ([, line = '']) =>
      [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replaceAll(/['"]/g, '')),
  )
}
