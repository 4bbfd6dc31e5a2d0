#!/usr/bin/env node
'use strict'
// Syntax that Node 20 reads: in a clone it finds the runtime that npm brought and starts again with it.
const path = require('node:path')
const root = path.join(__dirname, '..')
const argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  printVersion()
} else if (Number(process.versions.node.split('.')[0]) < 26) {
  restart()
} else {
  require('node:module').enableCompileCache(cacheFolder())
  // Left to itself, Node would first wait for what compiles and collects garbage in the background.
  void require('../dist/main.js').start().then(process.exit)
}

/** `process.stdout` on a pipe would load all of `node:net`. */
function printVersion() {
  try {
    require('node:fs').writeSync(1, require('../package.json').version + '\n')
  } catch (error) {
    if (error.code !== 'EPIPE') process.exitCode = 1
  }
}

/** The user's own: what lies in the cache is run, and the system's temporary folder belongs to everybody. */
function cacheFolder() {
  const { HOME, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (process.platform === 'win32') return LOCALAPPDATA && path.join(LOCALAPPDATA, 'dray', 'cache')
  if (XDG_CACHE_HOME?.startsWith('/')) return path.join(XDG_CACHE_HOME, 'dray')
  if (!HOME?.startsWith('/')) return undefined
  return path.join(HOME, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'dray')
}

/** Runs this command under the Node 26 that `npm ci` installed; says what to install when there is none. */
function restart() {
  let node
  try {
    node = path.join(
      path.dirname(require.resolve('node/package.json', { paths: [root] })),
      'bin',
      process.platform === 'win32' ? 'node.exe' : 'node',
    )
    require('node:fs').accessSync(node)
  } catch {
    process.stderr.write(
      'dray needs Node 26 or newer; this is ' +
        process.versions.node +
        '.\n' +
        'Install Node 26 and run the same command again. In a clone of dray, `npm ci` brings it.\n',
    )
    process.exitCode = 2
    return
  }
  const child = require('node:child_process').spawn(node, process.execArgv.concat(__filename, argv), {
    stdio: 'inherit',
  })
  // A terminal sends Ctrl-C to both processes; what reaches only this one is passed on.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + require('node:os').constants.signals[signal]
  })
}
