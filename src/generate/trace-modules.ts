/** Preloaded into a run of the program from its sources: writes the modules that it loaded to the file DRAY_TRACE. */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const loaded = new Set<string>()

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) loaded.add(fileURLToPath(url))
    return next(url, context)
  },
})

process.on('exit', () => {
  const { DRAY_TRACE: file } = process.env
  if (file !== undefined) writeFileSync(file, JSON.stringify([...loaded]))
})
