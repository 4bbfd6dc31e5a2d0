import type { BuildOptions, OutputOptions, Plugin, PluginContext } from 'rolldown'

/** Fastify loads these for logs, schemas and injected requests, and the service has none of them. */
const OF_FASTIFY = [/^pino$/, /^light-my-request$/, /^@fastify\/(?:ajv|fast-json-stringify)-compiler$/]

/** CommonJS, minified, one chunk for each lazily imported part, and those of `generate/chunks.ts`: what a command does not use is never read. */
export default {
  input: { main: 'src/main.ts', replace: 'src/replace.ts', thread: 'src/thread.ts' },
  platform: 'node',
  // One command loads a module at once, another loads it late: `generate/chunks.ts` sees to both.
  checks: { ineffectiveDynamicImport: false },
  // Its other form loads its parts by names that no bundler can read.
  resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
  // Used by PostgreSQL stores, by logins and by labels only, and found in node_modules there.
  external: [/^pg$/, '@napi-rs/keyring', '@napi-rs/canvas', ...OF_FASTIFY],
  plugins: [
    commonJs(),
    leanBuiltins(),
    leanCommander(),
    leanUndici(),
    leanFastify(),
    leanPromClient(),
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

/**
 * undici speaks HTTP/1.1 with its older parser here, reads one number of `node:http`, and its checks of itself need little
 * of `node:assert`: these and `node:http2` take 10 ms to load. The rest is 180 of 480 kB, which every remote command would
 * read.
 */
function leanUndici(): Plugin {
  const stand: Readonly<Record<string, string>> = {
    'node:http2': 'module.exports = { constants: {} }',
    'node:http': 'module.exports = { maxHeaderSize: 16_384, IncomingMessage: class {} }',
    './client-h2.js': 'module.exports = undefined',
    './parser-h1.js': 'module.exports = { getMiloEnabled: () => false }',
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

/** The service speaks HTTP/1.1 behind a proxy, and the build decides which versions meet: the three take 25 ms to load. */
function leanFastify(): Plugin {
  const stand: Readonly<Record<string, string>> = {
    'node:http2': 'module.exports = {}',
    'node:https': 'module.exports = {}',
    semver: 'module.exports = { satisfies: () => true }',
    // The package comes without the text of its licence.
    'abstract-logging': `
      const noop = () => {}
      module.exports = { fatal: noop, error: noop, warn: noop, info: noop, debug: noop, trace: noop }`,
  }
  const mark = '\0fastify-'
  return {
    name: 'lean-fastify',
    resolveId: (source, importer) =>
      Object.hasOwn(stand, source) && importer?.includes('/fastify/') ? mark + source : undefined,
    load: (id) => (id.startsWith(mark) ? stand[id.slice(mark.length)] : undefined),
  }
}

/** A service counts, and others collect: nothing is pushed, summed up in digests or measured of Node itself. */
function leanPromClient(): Plugin {
  const mark = '\0prom-client-none'
  const unused = ['./lib/pushgateway', './lib/summary', './lib/defaultMetrics']
  return {
    name: 'lean-prom-client',
    resolveId: (source, importer) =>
      unused.includes(source) && importer?.includes('/prom-client/') ? mark : undefined,
    load: (id) => (id === mark ? 'module.exports = {}' : undefined),
  }
}

/**
 * The gateway validates what comes in: the compiler of JSON Schemas that the MCP library brings is half of it.
 * The library also makes a schema of each message, for a map that nothing here reads: most are used nowhere else, and to
 * make them takes 14 ms.
 */
function leanMcp(): Plugin {
  const shims = '@modelcontextprotocol/server/_shims'
  const mark = '\0lean-mcp'
  const filling = /^for \(const .* register\(key, .*\);$/gm
  return {
    name: 'lean-mcp',
    transform(code, id) {
      const [, part] = /\/@modelcontextprotocol\/(core|server)\//.exec(id) ?? []
      if (part === 'core') return { code: onlyIfUsed(code, this.parse(code)), map: null }
      return part === 'server' ? { code: code.replaceAll(filling, ''), map: null } : undefined
    },
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
