import type { BuildOptions, OutputOptions, Plugin, PluginContext } from 'rolldown'

/** Fastify loads these for logs, schemas and injected requests, and the service has none of them. */
const OF_FASTIFY = [/^pino$/, /^light-my-request$/, /^@fastify\/(?:ajv|fast-json-stringify)-compiler$/]

/** By package: modules that it imports and that dray does not need, with the code that stands in for each. */
const STAND_INS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // It starts other executables for subcommands; dray has none, and the module takes 3 ms to load.
  commander: { 'node:child_process': 'export default {}' },
  // It speaks HTTP/1.1 with its older parser here, reads one number of `node:http`, and its checks of itself need little of
  // `node:assert`: these take 10 ms to load. The rest is 180 of 480 kB, which every remote command would read.
  undici: {
    'node:http': 'module.exports = { maxHeaderSize: 16_384, IncomingMessage: class {} }',
    './client-h2.js': 'module.exports = undefined',
    './parser-h1.js': 'module.exports = { getMiloEnabled: () => false }',
    'node:assert': `
      module.exports = (value, message) => {
        if (!value) throw message instanceof Error ? message : new Error(message)
      }`,
  },
  // The service speaks HTTP/1.1 behind a proxy, and the build decides which versions meet: the three take 25 ms to load.
  fastify: {
    'node:http2': 'module.exports = {}',
    'node:https': 'module.exports = {}',
    semver: 'module.exports = { satisfies: () => true }',
    // The package comes without the text of its licence.
    'abstract-logging': `
      const noop = () => {}
      module.exports = { fatal: noop, error: noop, warn: noop, info: noop, debug: noop, trace: noop }`,
  },
  // A service counts, and others collect: nothing is pushed, summed up in digests or measured of Node itself.
  'prom-client': {
    './lib/pushgateway': 'module.exports = {}',
    './lib/summary': 'module.exports = {}',
    './lib/defaultMetrics': 'module.exports = {}',
  },
  // These packages come without the text of their licence. Each picture of a ticket comes in the size in which it is printed.
  '@point-of-sale/receipt-printer-encoder': {
    '@canvas/image-data': `
      export default class ImageData {
        constructor(width, height) {
          Object.assign(this, { width, height, data: new Uint8ClampedArray(width * height * 4) })
        }
      }`,
    'resize-image-data': `
      export default () => {
        throw new Error('no picture is scaled here')
      }`,
  },
  // The gateway validates what comes in: the compiler of JSON Schemas that the library brings is half of it.
  '@modelcontextprotocol/server': {
    '@modelcontextprotocol/server/_shims': `
      export { default as process } from 'node:process'
      export class DefaultJsonSchemaValidator {
        getValidator() {
          throw new Error('nothing is validated here')
        }
      }`,
  },
}

/** CommonJS, minified, one chunk for each lazily imported part, and those of `generate/chunks.ts`: what a command does not use is never read. */
export default {
  input: {
    main: 'src/main.ts',
    replace: 'src/replace.ts',
    thread: 'src/thread.ts',
    testing: 'src/library/testing.ts',
  },
  platform: 'node',
  // One command loads a module at once, another loads it late: `generate/chunks.ts` sees to both.
  checks: { ineffectiveDynamicImport: false },
  // A stand-in lacks what a source takes from the library: the program would find that only when it runs.
  onLog(level, log, handle) {
    if (log.code === 'IMPORT_IS_UNDEFINED') throw new Error(log.message)
    handle(level, log)
  },
  // Its other form loads its parts by names that no bundler can read.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  // Used by PostgreSQL stores, by logins and by labels only, and found in node_modules there.
  external: [/^pg$/, '@napi-rs/keyring', '@napi-rs/canvas', ...OF_FASTIFY],
  plugins: [commonJs(), leanBuiltins(), standIns(), leanMcp(), leanSchemas(), explainApart()],
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

/**
 * The code that the bundler writes for a built-in module reads all that it has into a new object, 0.1 ms for each; what is used is
 * known. Fails the build where the bundler writes it in another form.
 */
function leanBuiltins(): Plugin {
  const copying = /^(node_\w+) = [\w.]+\(\1, 1\);$/gm
  let copies = 0
  return {
    name: 'lean-builtins',
    renderChunk: (code) => ({
      code: code.replaceAll(
        copying,
        (_, name: string) => (copies++, `${name} = { __proto__: ${name}, default: ${name} };`),
      ),
      // No line moves, and nothing else stands on those that change.
      map: null,
    }),
    generateBundle() {
      if (copies === 0)
        this.error('the bundler no longer copies built-in modules by `node_x = toESM(node_x, 1);`')
    },
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

/** Replaces modules of libraries. Fails the build at a module that its library no longer imports. */
function standIns(): Plugin {
  const mark = '\0stand-in:'
  const codes = new Map<string, string>()
  const moved = new Set<string>()
  for (const [library, modules] of Object.entries(STAND_INS)) {
    for (const [source, code] of Object.entries(modules)) {
      codes.set(`${library} ${source}`, code)
      moved.add(`${library} ${source}`)
    }
  }
  return {
    name: 'stand-ins',
    resolveId(source, importer) {
      const library = Object.keys(STAND_INS).find(
        (name) =>
          importer?.includes(`/node_modules/${name}/`) && Object.hasOwn(STAND_INS[name] ?? {}, source),
      )
      if (library === undefined) return undefined
      moved.delete(`${library} ${source}`)
      return `${mark}${library} ${source}`
    },
    load: (id) => (id.startsWith(mark) ? codes.get(id.slice(mark.length)) : undefined),
    buildEnd() {
      if (moved.size > 0)
        this.error(`STAND_INS replaces what no library imports any more: ${[...moved].join(', ')}`)
    },
  }
}

/**
 * The MCP library makes a schema of each message, for a map that nothing here reads: most are used nowhere else, and to make
 * them takes 14 ms. Fails the build where the library no longer fills the map.
 */
function leanMcp(): Plugin {
  const filling = /^for \(const .* register\(key, .*\);$/gm
  let fillings = 0
  return {
    name: 'lean-mcp',
    transform(code, id) {
      const [, part] = /\/@modelcontextprotocol\/(core|server)\//.exec(id) ?? []
      if (part === 'core') return { code: onlyIfUsed(code, this.parse(code)), map: null }
      if (part !== 'server') return undefined
      return { code: code.replaceAll(filling, () => (fillings++, '')), map: null }
    },
    buildEnd() {
      if (fillings === 0)
        this.error('@modelcontextprotocol/server no longer fills its map of schemas in one line')
    },
  }
}

/** Marks each constant that a call makes as one that may be left out where nothing uses it. */
function onlyIfUsed(code: string, { body }: ReturnType<PluginContext['parse']>): string {
  const calls = body
    .flatMap((statement) => (statement.type === 'VariableDeclaration' ? statement.declarations : []))
    .flatMap(({ init }) => (init?.type === 'CallExpression' ? init : []))
  return calls.reduceRight(
    (text, { start, end }) =>
      `${text.slice(0, start)}/* @__PURE__ */ (() => ${text.slice(start, end)})()${text.slice(end)}`,
    code,
  )
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
