/** Names the functions of a CPU profile by their files in `src`, and adds up the time of each layer. */
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CpuProfile } from './inspected.ts'

/** The layers in the order of a request, each with its files; the first that fits counts. */
const LAYERS: readonly [layer: string, files: RegExp][] = [
  ['Node: http, sockets, timers', /^node:/],
  ['Fastify', /^node_modules\/(?!pg)/],
  ['log lines', /^src\/(server\/log|host\/request-log)\.ts/],
  ['our server', /^src\/(server|oauth|commands)\//],
  ['validation', /^src\/(gateway\/(validation|countries|formats)|generated\/)/],
  ['gateway', /^src\/(gateway|host)\//],
  ['store', /^src\/db\/(?!sqlite|postgres)/],
  ['store driver', /^(src\/db\/|node_modules\/pg)/],
  ['operation', /^src\/(areas|sandbox)\//],
]
const SQLITE = 'SQLite itself'
const JSON_LAYER = 'JSON'
const COLLECTOR = 'garbage collector'
const OTHER = 'engine and system'

/** All layers, in the order of a table. */
export const LAYER_NAMES: readonly string[] = [
  ...LAYERS.map(([layer]) => layer),
  SQLITE,
  JSON_LAYER,
  COLLECTOR,
  OTHER,
]

/** The first samples are those of the profiler, which starts on the same thread. */
const SKIPPED_SAMPLES = 20

type Node = CpuProfile['nodes'][number]

export type LayerShares = {
  /** The share of each layer in the working time, from 0 to 1. */
  layers: Map<string, number>
  /** The functions with the largest own shares, largest first. */
  functions: { name: string; share: number }[]
}

/** A node of a profile. `json` is the share of its own time in which it reads or writes JSON. */
type NamedNode = Node & { json: number }

export type NamedProfile = Omit<CpuProfile, 'nodes'> & { nodes: NamedNode[] }

/** Gives each frame of a profile its file in `src`, by the source maps of the bundle in `root`. */
export function nameFrames(profile: CpuProfile, root: string): NamedProfile {
  const chunks = new Map<string, Chunk>()
  const chunkOf = (file: string): Chunk => {
    const chunk = chunks.get(file) ?? readChunk(file)
    chunks.set(file, chunk)
    return chunk
  }
  const nodes = profile.nodes.map((node): NamedNode => {
    const { callFrame, positionTicks = [] } = node
    const { url, lineNumber, columnNumber } = callFrame
    const file = url.startsWith('file:') ? fileURLToPath(url) : url
    if (!file.startsWith(join(root, 'dist')))
      return { ...node, json: 0, callFrame: { ...callFrame, url: cut(file) } }
    const { map, lines } = chunkOf(file)
    const origin = map.findOrigin(lineNumber + 1, columnNumber + 1)
    const named =
      'fileName' in origin
        ? { ...callFrame, url: cut(origin.fileName), lineNumber: origin.lineNumber - 1 }
        : callFrame
    // The engine's own functions have no frames; their time belongs to the line that calls them.
    const onJson = positionTicks.filter(({ line }) =>
      /\bJSON\.(parse|stringify)\(/.test(lines[line - 1] ?? ''),
    )
    return { ...node, json: sumTicks(onJson) / (sumTicks(positionTicks) || 1), callFrame: named }
  })
  return { ...profile, nodes }
}

type Chunk = { map: SourceMap; lines: string[] }

function readChunk(file: string): Chunk {
  const payload = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as ConstructorParameters<
    typeof SourceMap
  >[0]
  return { map: new SourceMap(payload), lines: readFileSync(file, 'utf8').split('\n') }
}

function sumTicks(ticks: readonly { ticks: number }[]): number {
  return ticks.reduce((sum, each) => sum + each.ticks, 0)
}

/** Returns a path from `src` or `node_modules` on. */
function cut(path: string): string {
  return /(?:src|node_modules)\/(?!.*node_modules\/).*$/.exec(path)?.[0] ?? path
}

/** Adds up the samples of a profile in which the service worked. */
export function computeLayerShares({ nodes, samples = [], timeDeltas = [] }: NamedProfile): LayerShares {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])))
  const layers = new Map<string, number>()
  const functions = new Map<string, number>()
  let whole = 0
  samples.forEach((id, index) => {
    const node = byId.get(id)
    if (index < SKIPPED_SAMPLES || node === undefined || node.callFrame.functionName === '(idle)') return
    const time = timeDeltas[index] ?? 0
    whole += time
    add(layers, JSON_LAYER, time * node.json)
    add(layers, layerOf(node, parents), time * (1 - node.json))
    add(functions, titleOf(node, parents), time)
  })
  const ofWhole = (sums: Map<string, number>): [string, number][] =>
    [...sums].map(([name, time]) => [name, time / whole])
  return {
    layers: new Map(ofWhole(layers)),
    functions: ofWhole(functions)
      .map(([name, share]) => ({ name, share }))
      .toSorted((a, b) => b.share - a.share),
  }
}

function add(sums: Map<string, number>, name: string, time: number): void {
  sums.set(name, (sums.get(name) ?? 0) + time)
}

type Parents = ReadonlyMap<number, Node>

/** Functions of `core` and of the engine work for the layer that calls them. */
function layerOf(node: Node, parents: Parents): string {
  const { functionName, url } = node.callFrame
  if (functionName === '(garbage collector)') return COLLECTOR
  const own = LAYERS.find(([, files]) => files.test(url))?.[0]
  if (own !== undefined) return own
  const parent = parents.get(node.id)
  if (parent === undefined) return OTHER
  if (url === '' && parent.callFrame.url.startsWith('src/db/sqlite')) return SQLITE
  return layerOf(parent, parents)
}

/** Returns a function's name with its file, and a function of the engine with its caller. */
function titleOf(node: Node, parents: Parents): string {
  const { functionName, url, lineNumber } = node.callFrame
  const name = functionName === '' ? '(anonymous)' : functionName
  if (url !== '') return `${name} ${url.replace(/^src\//, '')}:${lineNumber + 1}`
  const caller = parents.get(node.id)?.callFrame
  return caller === undefined || caller.url === '' ? name : `${name} < ${caller.functionName} ${caller.url}`
}
