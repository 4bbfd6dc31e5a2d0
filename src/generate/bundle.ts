/** Builds `dist/` by `rolldown.config.ts`, and the notices of the licences of what it holds. The bundler's own command would print two hundred file names. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import config from '../../rolldown.config.ts'
import { traceChunks } from './chunks.ts'
import { buildLibrary } from './library-files.ts'
import { noticesOf, packagesOf } from './notices.ts'

const { output, ...input } = config
const root = join(import.meta.dirname, '../..')
const chunks = await traceChunks(root)
const bundle = await rolldown(input)
const main = await bundle.write({
  ...output,
  codeSplitting: {
    groups: chunks.map(({ name, modules }, at) => ({
      name,
      test: (id) => modules.has(id),
      priority: chunks.length - at,
    })),
  },
})
await bundle.close()

// Alone in one file: with the chunks of the commands it would read all that they share.
const values = await rolldown({ ...input, input: { complete: 'src/complete.ts' } })
const complete = await values.write({ ...output, cleanDir: false, codeSplitting: false })
await values.close()

const client = await buildLibrary(root)
const files = [...main.output, ...complete.output, ...client.output].filter((file) => file.type === 'chunk')
// The launcher compares it with that of the compiled code that it has kept.
writeFileSync(
  join(root, 'dist/build'),
  createHash('sha256')
    .update(JSON.stringify(files.map(({ fileName, code }) => [fileName, code])))
    .digest('hex'),
)

const modules = files.flatMap(({ moduleIds }) => moduleIds)
const ofPages = JSON.parse(readFileSync(join(root, 'src/generated/web-packages.json'), 'utf8')) as string[]
writeFileSync(join(root, 'THIRD_PARTY_NOTICES.txt'), noticesOf(root, [...packagesOf(modules), ...ofPages]))
