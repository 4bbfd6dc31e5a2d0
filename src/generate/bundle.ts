/** Builds `dist/` by `rolldown.config.ts`. The bundler's own command would print two hundred file names. */
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import config from '../../rolldown.config.ts'
import { traceChunks } from './chunks.ts'

const { output, ...input } = config
const chunks = await traceChunks(join(import.meta.dirname, '../..'))
const bundle = await rolldown(input)
await bundle.write({
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
await values.write({ ...output, cleanDir: false, codeSplitting: false })
await values.close()
