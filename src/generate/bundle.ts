/** Builds `dist/` as `rolldown.config.ts` says. The bundler's own command would list two hundred files. */
import { rolldown } from 'rolldown'
import config from '../../rolldown.config.ts'

const { output, ...input } = config
const bundle = await rolldown(input)
await bundle.write(output)
await bundle.close()
