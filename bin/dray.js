#!/usr/bin/env node
'use strict'
// Syntax that Node 20 reads: in a clone it finds the runtime that npm brought and starts again with it.
var path = require('node:path')
var root = path.join(__dirname, '..')
var argv = process.argv.slice(2)

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(require('../package.json').version + '\n')
} else if (Number(process.versions.node.split('.')[0]) < 26) {
  process.exitCode = restart()
} else {
  require('node:module').enableCompileCache()
  require('../dist/main.js').start()
}

/** Runs this command under the Node 26 that `npm ci` installed; says what to install when there is none. */
function restart() {
  var node
  try {
    node = path.join(path.dirname(require.resolve('node/package.json', { paths: [root] })), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    require('node:fs').accessSync(node)
  } catch {
    process.stderr.write(
      'dray needs Node 26 or newer; this is ' + process.versions.node + '.\n' +
        'Install Node 26 and run the same command again. In a clone of dray, `npm ci` brings it.\n',
    )
    return 2
  }
  var child = require('node:child_process')
  // The child sits on the same terminal and hears the same signals; this process only waits for it.
  var ignore = function () {}
  for (var signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, ignore)
  var result = child.spawnSync(node, process.execArgv.concat(__filename, argv), { stdio: 'inherit' })
  if (result.error) throw result.error
  if (result.signal) {
    for (var other of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeListener(other, ignore)
    process.kill(process.pid, result.signal)
  }
  return result.status
}
