/** Preloaded into a run of the program from its sources: writes the paths of loaded modules to the file after `?`. */
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
  writeFileSync(decodeURIComponent(new URL(import.meta.url).search.slice(1)), JSON.stringify([...loaded]))
})
