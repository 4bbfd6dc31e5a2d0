import { defineCommand } from '../../cli/define-command.ts'
import { printValue } from '../../cli/output/print.ts'
import { load, NAMES } from '../../generated/registry.ts'
import { openapiDocument } from '../../server/openapi.ts'

/** `dray openapi`: prints the same document as `GET /openapi.json` of a service, or with --sandbox `/sandbox/openapi.json`. */
export const openapi = defineCommand({
  words: 'openapi',
  summary: 'Print the OpenAPI 3.1 document',
  description:
    'Prints JSON, or YAML with --output yaml. A running `dray serve` has the same document at /openapi.json, and that of the sandbox’s control calls at /sandbox/openapi.json.',
  flags: [
    { flag: 'sandbox', kind: 'boolean', description: 'document of the sandbox’s control calls instead' },
  ],
  examples: [
    'dray openapi > openapi.json',
    'dray openapi --sandbox > openapi-sandbox.json',
    'dray openapi --output yaml',
    "dray openapi --query 'keys(paths)'",
  ],
  async run({ io, settings, globals, runtime: { version } }, { sandbox }) {
    const { fields, query } = globals
    const document = await (sandbox === true ? describeSandbox(version) : describeInterface(version))
    await printValue(io, document, { format: settings.format === 'yaml' ? 'yaml' : 'json', fields, query })
    return undefined
  },
})

async function describeInterface(version: string) {
  const loaded = await Promise.all(NAMES.map((name) => load(name)))
  const operations = loaded.flatMap((entry) => (entry === undefined ? [] : [entry.operation]))
  const { EXAMPLES } = await import('../../generated/examples.ts')
  return openapiDocument(operations, version, EXAMPLES)
}

async function describeSandbox(version: string) {
  const [{ sandboxDocument }, { listControls }, { CONTROL_EXAMPLES }] = await Promise.all([
    import('../../server/openapi-sandbox.ts'),
    import('../../sandbox/control/index.ts'),
    import('../../generated/control-examples.ts'),
  ])
  return sandboxDocument(await listControls(), { version, examples: CONTROL_EXAMPLES })
}
