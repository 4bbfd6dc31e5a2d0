#!/usr/bin/env node
'use strict'
// This file uses syntax of Node 20: in a clone it finds the Node that npm installed and starts again with it.
const path = require('node:path')
const root = path.join(__dirname, '..')
const argv = takeArguments()
// After `--` every word is a value.
const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv

if (argv[0] === '-V' || (argv[0] !== '__complete' && options.includes('--version'))) {
  const { version } = require('../package.json')
  print((options.includes('--json') ? JSON.stringify({ version }, null, 2) : version) + '\n')
} else if (process.env.DRAY_LAUNCHER_FD === undefined && Number(process.versions.node.split('.')[0]) < 26) {
  restart()
} else if (argv[0] === '__complete') {
  const { load, keep } = require('./load.js')
  print(load('complete.js').complete(argv.slice(1), process))
  keep()
} else {
  endWithLauncher()
  void run()
}

async function run() {
  const { load, keep } = require('./load.js')
  // A service keeps what starting it compiled: V8 later forgets functions that are not called again.
  setTimeout(keep, 2000).unref()
  const code = await load('main.js').start()
  // A signal ends a command at once.
  if (code < 128) keep()
  // Node would first wait for background compilation and garbage collection.
  process.exit(code)
}

/**
 * Returns the arguments, and hides a password among them from the list of processes. A process passes them on in
 * DRAY_HANDED_ARGV, because no other user can read its environment.
 */
function takeArguments() {
  const { DRAY_HANDED_ARGV: handed } = process.env
  if (handed !== undefined) {
    delete process.env.DRAY_HANDED_ARGV
    process.argv.splice(2, Infinity, ...JSON.parse(handed))
    return process.argv.slice(2)
  }
  const given = process.argv.slice(2)
  const shown = given.map(withoutPassword)
  if (shown.some((word, at) => word !== given[at]))
    process.title = [process.argv0, ...process.execArgv, __filename, ...shown].join(' ')
  return given
}

/** Replaces the password of a database address by `***`. */
function withoutPassword(word) {
  return word
    .replace(/^((?:--[\w-]+=)?postgres(?:ql)?:\/\/[^/@:]*:).*@/i, '$1***@')
    .replace(/^((?:--[\w-]+=)?postgres(?:ql)?:.*[?&](?:ssl)?password=)[^&#]*/i, '$1***')
}

/** Ends this process like SIGTERM when the launcher is gone: its end of the pipe closes, however it dies. */
function endWithLauncher() {
  const { DRAY_LAUNCHER_FD: fd } = process.env
  if (fd === undefined) return
  delete process.env.DRAY_LAUNCHER_FD
  new (require('node:net').Socket)({ fd: Number(fd), readable: true, writable: false })
    .on('error', () => undefined)
    .on('close', () => process.kill(process.pid, 'SIGTERM'))
    .resume()
    .unref()
}

/** Prints a short text without `process.stdout`, which would load all of `node:net` for a pipe. */
function print(text) {
  try {
    require('node:fs').writeSync(1, text)
  } catch (error) {
    if (error.code !== 'EPIPE') process.exitCode = 1
  }
}

/** Runs this command under the Node 26 that `npm ci` installed. Reports what to install when there is none. */
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
  const shown = argv.map(withoutPassword)
  const isHidden = shown.some((word, at) => word !== argv[at])
  const child = require('node:child_process').spawn(node, process.execArgv.concat(__filename, shown), {
    stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    env: {
      ...process.env,
      DRAY_LAUNCHER_FD: '3',
      ...(isHidden && { DRAY_HANDED_ARGV: JSON.stringify(argv) }),
    },
  })
  // A terminal sends Ctrl-C to both processes; a signal to this one alone is passed on.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + require('node:os').constants.signals[signal]
  })
}
