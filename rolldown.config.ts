import { defineConfig } from 'rolldown'

/** CommonJS, minified, one chunk for each lazily imported part: what a command does not use is never read. */
export default defineConfig({
  input: { main: 'src/main.ts' },
  platform: 'node',
  // Used by `serve` and by PostgreSQL stores only, and found in node_modules there.
  external: [/^fastify/, /^@fastify\//, /^pg$/],
  plugins: [
    {
      name: 'commonjs',
      // The package is of ES modules; what is built is not.
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
      },
    },
  ],
  output: {
    dir: 'dist',
    format: 'cjs',
    minify: true,
    sourcemap: 'hidden',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    cleanDir: true,
  },
})
