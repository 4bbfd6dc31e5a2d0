/**
 * `npm run mutate`: changes the sources of some parts in one place at a time, in a copy, and runs the tests of the part
 * against each change. A change that no test notices is a missing test. `npm run mutate -- quotes gates` takes these parts
 * alone, and `--changed` tries again only the changes that the last run missed, or whose code or tests are new. Prints a
 * line for each part and one for each change that was missed. The exit code is 1 when a part notices less than its
 * share.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { type MutantChange, EQUAL_MUTANTS } from './equal-mutants.ts'
import { ROOT } from './sources.ts'

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number]
type Part = {
  sources: readonly string[]
  tests: readonly string[]
  /** The least share of its changes that its tests notice. */
  least?: number
}

/** The least share of a part without one of its own. */
const MIN_NOTICED_SHARE = 0.9

/** The parts, each with the tests that must notice a change of it: tests in this process, which alone has the change. */
const PARTS: Readonly<Record<string, Part>> = {
  payments: {
    // A schema is loaded by the first call of a process, and stays as it was: snapshots show each change of it.
    sources: ['src/areas/payments/**/*.ts', '!src/areas/payments/schema.ts'],
    tests: ['areas/payments/**', 'areas/orders/rules/**', 'areas/rides/lifecycle/balance'],
  },
  quotes: {
    sources: ['src/areas/quotes/*.ts'],
    tests: [
      'areas/quotes/**',
      'areas/delivery/*_delivery',
      'areas/food/{quote,place}_food_order',
      'areas/rides/{quote,request}_ride',
      'areas/services/{quote,book}_service',
      'areas/tasks/{quote,create}_task',
    ],
  },
  gateway: {
    // Counters of several processes have their own tests, on PostgreSQL.
    sources: ['src/gateway/*.ts', '!src/gateway/rate-limit.ts'],
    tests: [
      'gateway/{attempt,credential,cursor,fields,forwarded-writes,gateway,hidden,media,nulls,replay}',
      'gateway/{normalize-input,public-error,request,requirements,scenario,validation,validation-details}',
    ],
  },
  gates: {
    sources: ['src/mcp/{gate,spend,price-gate}.ts'],
    tests: ['mcp/{gate,spend,price-gate,final-gate,consent,guard,parcels}'],
  },
  store: {
    sources: ['src/db/{read-cache,connection-queue}.ts'],
    tests: ['db/{read-cache,connection-queue}'],
  },
  oauth: {
    sources: ['src/oauth/**/*.ts'],
    tests: ['oauth/**'],
  },
  numbers: {
    sources: ['src/tabular/csv/numbers.ts'],
    tests: ['tabular/csv/numbers', 'tabular/manifest/{cells,units}'],
  },
  label: {
    sources: ['src/areas/carrier/label/*.ts'],
    tests: ['areas/carrier/label/**'],
  },
  orders: {
    // Views and schemas are shown by snapshots; slots are tried by races.
    sources: [
      'src/areas/orders/rules/{adjust,allergens,allowed,losses,problems,shares,store-entries,substitution}.ts',
      'src/areas/orders/lifecycle/{adjust,adjust-order,books,check,problem,questions,replacements}.ts',
    ],
    tests: [
      'areas/orders/{lifecycle,rules}/**',
      'areas/food/{answer_substitution,appeal_order_problem,report_order_problem}',
      'areas/business/{adjust_business_order,answer_order_problem,books,mishaps,reject_business_order,statement}',
    ],
    least: 0.95,
  },
  webhooks: {
    sources: [
      'src/areas/account/{create,delete,get,rotate,test,update}_webhook_*.ts',
      'src/areas/account/{list_webhook_deliveries,list_webhook_endpoints,resend_webhooks,webhooks}.ts',
      'src/areas/account/rules/webhooks.ts',
      'src/host/webhooks/*.ts',
    ],
    tests: ['areas/account/*webhook*', 'areas/account/rules/**', 'host/webhooks/**'],
    least: 0.95,
  },
  carrier: {
    sources: [
      'src/areas/carrier/rules/{claims,invoice,lateness,returns,tracking-number}.ts',
      'src/areas/carrier/lifecycle/{cancel,change,claim,places,return}.ts',
      'src/areas/carrier/{create_claim,create_return,redirect_shipment,report,states}.ts',
    ],
    tests: [
      'areas/carrier/{cancel_shipment,correct_recipient,create_claim,create_return,get_carrier_invoice}',
      'areas/carrier/{redirect_shipment,report,states}',
      'areas/carrier/{lifecycle,rules}/**',
      'commands/carrier/claims',
    ],
    least: 0.95,
  },
  faults: {
    sources: [
      'src/core/fault.ts',
      'src/gateway/faults.ts',
      'src/sandbox/control/{add_fault,clear_faults}.ts',
    ],
    tests: ['core/fault', 'server/faults'],
    least: 0.95,
  },
  sets: {
    sources: ['src/commands/carrier/bulk/*.ts'],
    tests: ['commands/carrier/{claims,set}'],
    least: 0.95,
  },
}

/**
 * The compiler rejects nearly all of these: codes and kinds are closed lists, and a value that may be missing cannot be read
 * without a check. Other strings are sentences.
 */
const UNCHANGED = ['StringLiteral', 'OptionalChaining']
/** The element of a list that had none, which no type allows. */
const NO_VALUE = 'Stryker was here'
const MISSED: ReadonlySet<string> = new Set(['Survived', 'NoCoverage'])
const NEVER_RUN: ReadonlySet<string> = new Set(['CompileError', 'Ignored'])

const { values, positionals: asked } = parseArgs({
  options: { changed: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name))
if (unknown.length > 0) {
  const names = Object.keys(PARTS).join(', ')
  process.stderr.write(`There is no part ${unknown.join(', ')}. These are: ${names}\n`)
  process.exit(2)
}
// Read by `test/support/stores.ts`, in the process of the tests.
process.env['DRAY_MUTANTS'] = '1'
const lines: string[] = []
for (const [name, part] of Object.entries(PARTS)) {
  if (asked.length === 0 || asked.includes(name)) lines.push(...(await mutate(name, part)))
}
process.stdout.write(`\n${lines.join('\n')}\n`)

/** Runs the tests of a part against each change. Returns the line of the part, and those of its survivors. */
async function mutate(name: string, { sources, tests, least = MIN_NOTICED_SHARE }: Part): Promise<string[]> {
  const work = mkdtempSync(join(tmpdir(), 'dray-mutants-'))
  const begun = Date.now()
  try {
    const mutants = await new Stryker({
      mutate: [...sources],
      testFiles: tests.map((test) => `test/${test}${test.endsWith('**') ? '/*' : ''}.test.ts`),
      testRunner: 'vitest',
      plugins: [fileURLToPath(import.meta.resolve('@stryker-mutator/vitest-runner'))],
      vitest: { related: false, pool: 'forks' },
      // It would rewrite the paths in this file with functions that the compiler no longer has.
      tsconfigFile: 'none',
      coverageAnalysis: 'perTest',
      // Test files share a process here, where a module that is loaded keeps its constants: changes of those are not tried.
      ignoreStatic: true,
      concurrency: 1,
      tempDirName: work,
      ignorePatterns: ['/dist', '/bench', '/completions'],
      mutator: { excludedMutations: UNCHANGED },
      incremental: true,
      incrementalFile: join(ROOT, `node_modules/.cache/mutants/${name}.json`),
      force: !values.changed,
      timeoutMS: 8000,
      reporters: ['progress-append-only'],
      allowConsoleColors: false,
    }).runMutationTest()
    const minutes = Math.round((Date.now() - begun) / 6000) / 10
    return report(name, mutants, { least, minutes })
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Returns the line of a part, those of its survivors, and those of equal changes that no longer exist. */
function report(
  name: string,
  mutants: readonly Mutant[],
  { least, minutes }: { least: number; minutes: number },
): string[] {
  const ran = mutants.filter(
    ({ status, replacement, static: isConstant }) =>
      !NEVER_RUN.has(status) && !replacement.includes(NO_VALUE) && isConstant !== true,
  )
  const isEqual = (change: MutantChange): boolean => EQUAL_MUTANTS.some((equal) => isSame(equal, change))
  const equal = ran.filter((mutant) => isEqual(changeOf(mutant)))
  const missed = ran.filter((mutant) => MISSED.has(mutant.status) && !isEqual(changeOf(mutant)))
  const files = new Set(mutants.map(({ fileName }) => relative(ROOT, fileName)))
  const gone = EQUAL_MUTANTS.filter(
    (each) => files.has(each.file) && !equal.some((mutant) => isSame(each, changeOf(mutant))),
  )
  const counted = ran.length - equal.length
  const share = (counted - missed.length) / counted
  if (!(share >= least) || gone.length > 0) process.exitCode = 1
  return [
    `${name.padEnd(9)} ${(share * 100).toFixed(1)} % of ${counted} changes noticed, ${equal.length} equal; ${minutes} min`,
    ...missed.map((mutant) => {
      const { file, was, becomes } = changeOf(mutant)
      return `  ${file}:${mutant.location.start.line}  ${was}  →  ${becomes}`
    }),
    ...gone.map(({ file, line }) => `  ${file}  is listed as equal and no longer there: ${line}`),
  ]
}

function changeOf({ fileName, location: { start, end }, replacement }: Mutant): MutantChange {
  const file = relative(ROOT, fileName)
  const rows = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  const [line = ''] = rows
  const last = (rows.pop() ?? '').slice(0, end.column - 1)
  const was = [...rows, last].join('\n').slice(start.column - 1)
  return { file, line: line.trim(), was: oneLine(was), becomes: oneLine(replacement) }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function isSame(one: MutantChange, other: MutantChange): boolean {
  return (
    one.file === other.file &&
    one.line === other.line &&
    one.was === other.was &&
    one.becomes === other.becomes
  )
}
