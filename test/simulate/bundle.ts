/** Builds the service for simulated processes: one module, in which `import()` is a plain promise. */
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import config from '../../rolldown.config.ts'

/** Bundles the sources under `root` into the file at `path`. */
export async function bundleService(root: string, path: string): Promise<void> {
  const { output: _, plugins: _plugins, external: _external, ...input } = config
  const disk = join(root, 'test/simulate/disk.ts')
  const bundle = await rolldown({
    ...input,
    cwd: root,
    input: join(root, 'test/simulate/service.ts'),
    plugins: [
      {
        name: 'simulated-disk',
        resolveId(source, importer) {
          if (source === 'node:sqlite' && importer !== disk) return disk
          return source === 'pg' ? '\0no-postgresql' : undefined
        },
        load: (id) => (id === '\0no-postgresql' ? 'export default {}' : undefined),
      },
    ],
  })
  await bundle.write({ file: path, format: 'esm', codeSplitting: false })
  await bundle.close()
}
