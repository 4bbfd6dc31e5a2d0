import type { BuildOptions, OutputOptions, Plugin } from 'rolldown'

// Each group takes with it what its modules import statically: that is loaded with them anyway, and no circle arises.

/** What every command runs through, in one file: finding and reading thirty small ones costs more than what is in them. */
const CORE = [
  // Half a kilobyte, for people and agents alike.
  /src\/domain\/(nearest|test-cards)\.ts$/,
  /src\/runtime\.ts$/,
  /src\/cli\/(main|route|parse|globals|command|input|io|print|settings|config-file|environment|project-file|target|base-url|explain)\.ts$/,
  /src\/cli\/output\/(print|json|hidden)\.ts$/,
  /src\/cli\/commands\/operation\.ts$/,
  /src\/domain\/(hash|sha256|canonical-json|ids)\.ts$/,
  /node_modules\/commander\//,
]

/** What every call within this process runs through. */
const SERVICE = [
  /src\/client\/(client|embedded)\.ts$/,
  /src\/gateway\/(?!validation-details|media|rate-limit)[\w-]+\.ts$/,
  /src\/operation\.ts$/,
  /src\/simulation\/clock\.ts$/,
  /src\/operations\/(schema|proof-schema)\.ts$/,
  /src\/domain\/(geo|bank-holidays)\.ts$/,
  /src\/generate\/lean-typebox\.ts$/,
  /node_modules\/typebox\/.*\.mjs$/,
  /src\/store\/(open|version|sqlite|sqlite-errors|values|lock-timeout|world|accounts|idempotency|timeline|counters|events|lists)\.ts$/,
]

/** What the parcel operations share. */
const PARCELS = [
  /src\/operations\/carrier\/(schema|views|own)\.ts$/,
  /src\/store\/(shipments|shipment-events|hubs)\.ts$/,
  /src\/domain\/(tracking-number|shipment-states)\.ts$/,
]

/** What every call that changes something runs through besides. */
const CALLS = [
  /src\/client\/(intents|log-file|outcome|recent|write-error)\.ts$/,
  /src\/cli\/intents\/(call-once|memory)\.ts$/,
  /src\/cli\/created\.ts$/,
]

/** What speaks to people. */
const PEOPLE = [
  /src\/cli\/(confirm|max-total|prompts|unknown)\.ts$/,
  /src\/cli\/csv\/(numbers|write)\.ts$/,
  /src\/cli\/output\/(colour|errors|formats|notices|shell|text)\.ts$/,
]

/** Where parcels go and what they cost. */
const PRICES = [
  /src\/domain\/(carrier|coverage|postcode|postcode-areas)\.ts$/,
  /src\/lifecycle\/shipment-plan\.ts$/,
  /src\/store\/rate-cards\.ts$/,
]

/** What a store is and what it sells, for customers and for itself. */
const STORES = [
  /src\/operations\/(order-schema|(food|business)\/schema)\.ts$/,
  /src\/store\/(merchants|catalog|assignments|couriers)\.ts$/,
  /src\/domain\/(food|payment|order-states|delivery-states|merchant|opening-hours|fold|catalog|gtin|supply)\.ts$/,
]

/** An order from both sides. */
const ORDERS = [
  /src\/store\/(orders|deliveries|payments)\.ts$/,
  /src\/lifecycle\/order-rules\.ts$/,
  /src\/domain\/(order-view|courier)\.ts$/,
]

/** What its customer reads of an order; so named because other areas have views, too. */
const FOOD_VIEWS = [/src\/operations\/food\/views\.ts$/]

/** From a basket to an order. */
const BUYING = [
  /src\/lifecycle\/(order-creation|payment|slots)\.ts$/,
  /src\/store\/(quotes|slots)\.ts$/,
  /src\/domain\/(basket|membership)\.ts$/,
]

/** What makes parcels. */
const CREATION = [
  /src\/generated\/operations\/create_shipment\w*\.ts$/,
  /src\/lifecycle\/shipment-(creation|scenario)\.ts$/,
]

/** From a file of rows to what is sent. */
const UPLOAD = [
  /src\/cli\/commands\/carrier-upload\.ts$/,
  /src\/cli\/(csv|manifest|upload)\/(?!plan|pricing|ask)/,
]

/** Where each operation is found: for what calls a service, and for what judges calls. */
const ROUTES = [/src\/generated\/routes\.ts$/]

/** What was quoted, what of it a person has approved, and what agents have done: forgotten with their world. */
const QUOTES = [
  /src\/client\/(quotes|approvals|parcel-prices)\.ts$/,
  /src\/(domain|generated)\/spending\.ts$/,
  /src\/mcp\/ledger\.ts$/,
]

/** From a message of an agent's program to a call, and back. */
const AGENTS = [
  /src\/mcp\/(server|stdio|call-tool|guard|buy|record|charges|gate|question|prices|idempotency|audit|next-call|facts|instructions|pictures)\.ts$/,
  /src\/cli\/mcp\/(stdio|guard)\.ts$/,
]

/** What can be chosen of the tools, at their start and when a program of an agent is set up. */
const TOOLS = [/src\/generated\/tools\.ts$/, /src\/mcp\/(toolsets|spend)\.ts$/]

const GROUPS = {
  core: CORE,
  calls: CALLS,
  people: PEOPLE,
  service: SERVICE,
  parcels: PARCELS,
  prices: PRICES,
  creation: CREATION,
  stores: STORES,
  orders: ORDERS,
  'food-views': FOOD_VIEWS,
  buying: BUYING,
  upload: UPLOAD,
  routes: ROUTES,
  quotes: QUOTES,
  tools: TOOLS,
  agents: AGENTS,
}

/** CommonJS, minified, one chunk for each lazily imported part: what a command does not use is never read. */
export default {
  input: { main: 'src/main.ts' },
  platform: 'node',
  // Used by `serve`, by PostgreSQL stores and by logins only, and found in node_modules there.
  external: [/^fastify/, /^@fastify\//, /^pg$/, '@napi-rs/keyring'],
  plugins: [
    commonJs(),
    leanBuiltins(),
    leanCommander(),
    leanUndici(),
    leanMcp(),
    leanSchemas(),
    explainApart(),
  ],
  output: {
    dir: 'dist',
    format: 'cjs',
    minify: true,
    // One character above U+00FF makes V8 keep the whole file in two bytes per character.
    charset: 'ascii',
    sourcemap: 'hidden',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    cleanDir: true,
    codeSplitting: {
      groups: Object.entries(GROUPS).map(([name, patterns]) => ({
        name,
        test: (id: string) => patterns.some((pattern) => pattern.test(id)),
      })),
    },
  },
} satisfies BuildOptions & { output: OutputOptions }

/** The package is of ES modules; what is built is not. */
function commonJs(): Plugin {
  return {
    name: 'dist-is-commonjs',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
    },
  }
}

/** What of a built-in module is used is known; the general form reads all that it has into a new object, 0.1 ms for each. */
function leanBuiltins(): Plugin {
  return {
    name: 'lean-builtins',
    renderChunk: (code) => ({
      code: code.replaceAll(/^(node_\w+) = [\w.]+\(\1, 1\);$/gm, '$1 = { __proto__: $1, default: $1 };'),
      // No line moves, and nothing else stands on those that change.
      map: null,
    }),
  }
}

/** Schemas as plain objects: the operations of the built program do not need what TypeBox hides in them. */
function leanSchemas(): Plugin {
  return {
    name: 'lean-schemas',
    resolveId: (source, importer) =>
      source === 'typebox' && importer?.endsWith('.ts')
        ? `${import.meta.dirname}/src/generate/lean-typebox.ts`
        : undefined,
  }
}

/** commander starts other executables for subcommands; dray has none, and `node:child_process` takes 3 ms to load. */
function leanCommander(): Plugin {
  return {
    name: 'lean-commander',
    resolveId: (source, importer) =>
      source.endsWith('child_process') && importer?.includes('/commander/')
        ? '\0no-child-process'
        : undefined,
    load: (id) => (id === '\0no-child-process' ? 'export default {}' : undefined),
  }
}

/** undici speaks HTTP/1.1 here, and its checks of itself need little of `node:assert`: the two take 8 ms to load. */
function leanUndici(): Plugin {
  const stand: Readonly<Record<string, string>> = {
    'node:http2': 'module.exports = { constants: {} }',
    'node:assert': `
      module.exports = (value, message) => {
        if (!value) throw message instanceof Error ? message : new Error(message)
      }`,
  }
  const mark = '\0undici-'
  return {
    name: 'lean-undici',
    resolveId: (source, importer) =>
      Object.hasOwn(stand, source) && importer?.includes('/undici/') ? mark + source : undefined,
    load: (id) => (id.startsWith(mark) ? stand[id.slice(mark.length)] : undefined),
  }
}

/** What comes in is validated by the gateway: the compiler of JSON Schemas that the MCP library brings is half of it. */
function leanMcp(): Plugin {
  const shims = '@modelcontextprotocol/server/_shims'
  const mark = '\0lean-mcp'
  return {
    name: 'lean-mcp',
    resolveId: (source) => (source === shims ? mark : undefined),
    load: (id) =>
      id === mark
        ? `
      export { default as process } from 'node:process'
      export class DefaultJsonSchemaValidator {
        getValidator() {
          throw new Error('nothing is validated here')
        }
      }`
        : undefined,
  }
}

/**
 * The library that explains a bad value shares its modules with the one that makes schemas. Left together, every
 * operation would load all of it; a copy of its own for the explanation leaves the operations the 3 kB they use.
 */
function explainApart(): Plugin {
  const mark = '?explain'
  return {
    name: 'explain-apart',
    async resolveId(source, importer, options) {
      const apart = importer?.endsWith(mark) || /^typebox\/(?!guard)/.test(source)
      if (!apart || source.startsWith('\0')) return undefined
      const resolved = await this.resolve(source, importer?.replace(mark, ''), { ...options, skipSelf: true })
      return resolved && !resolved.external ? `${resolved.id}${mark}` : resolved
    },
    async load(id) {
      return id.endsWith(mark)
        ? (await import('node:fs')).readFileSync(id.slice(0, -mark.length), 'utf8')
        : undefined
    },
  }
}
