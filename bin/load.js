'use strict'
/**
 * Loads the files of `dist/` with the code that earlier commands compiled. All of it is in one file: Node's own cache has
 * one for each, with the functions that the first command called and no others.
 */
const fs = require('node:fs')
const path = require('node:path')
const { constants, Script } = require('node:vm')

const dist = path.join(__dirname, '../dist')
/** The same as Node's own, so that the positions in a stack are the same. */
const HEAD = '(function (exports, require, module, __filename, __dirname) { '
/** The first bytes of the file: the length of the list that follows. */
const LENGTH_BYTES = 4
/** The size of what is compared at once. */
const PART_BYTES = 65_536
/** So long, in milliseconds, others wait for the file of a command that was killed while it wrote. */
const STALE_MS = 60_000
/** After so long V8 may have forgotten functions that were called only once. */
const OLD_SECONDS = 60

// The scripts import packages by the loader that Node calls experimental since a release that has it as it is: no user can act on that.
const { emitWarning } = process
process.emitWarning = (warning, ...options) => {
  if (!String(warning).includes('USE_MAIN_CONTEXT_DEFAULT_LOADER'))
    emitWarning.call(process, warning, ...options)
}

const folder = cacheFolder()
const file = folder && path.join(folder, `${process.version}-${process.arch}-${shorten(dist)}`)
/** The scripts that this process loaded, by their names in `dist/`. */
const scripts = new Map()
const kept = open()
/** True if something was compiled that no earlier command had kept. */
let isNew = false

/** Returns the exports of a file of `dist/`. */
function load(name) {
  const filename = path.join(dist, name)
  // Node's list of loaded files.
  const known = require.cache[filename]
  if (known !== undefined) return known.exports
  const cachedData = kept?.read(name)
  const script = new Script(`${HEAD}${fs.readFileSync(filename, 'utf8')}\n})`, {
    filename,
    columnOffset: -HEAD.length,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  // V8 takes only code of its own version and options, and for a source of the same length.
  if (cachedData === undefined || script.cachedDataRejected) isNew = true
  scripts.set(name, script)
  const module = (require.cache[filename] = { exports: {}, filename, loaded: true })
  const folderName = path.dirname(name)
  const requireFrom = (id) => (id.startsWith('.') ? load(path.join(folderName, id)) : require(id))
  try {
    script.runInThisContext()(module.exports, requireFrom, module, filename, path.dirname(filename))
  } catch (error) {
    delete require.cache[filename]
    throw error
  }
  return module.exports
}

/**
 * Keeps what was compiled, with all functions that were called, for later commands. Where that fails they compile it
 * again. Of two commands that end at the same time one does it.
 */
function keep() {
  if (!isNew || process.uptime() > OLD_SECONDS || !makeFolder()) return
  isNew = false
  const temporary = `${file}.new`
  let fd
  try {
    fd = fs.openSync(temporary, 'wx', 0o600)
  } catch {
    removeStale(temporary)
    return
  }
  try {
    fs.writeFileSync(fd, pack())
    fs.closeSync(fd)
    fs.renameSync(temporary, file)
  } catch {
    fs.rmSync(temporary, { force: true })
  }
}

/**
 * Returns the content of the file: a list of names and places, then the code of each name. V8 does not see that code is
 * damaged, and a sum of it takes a tenth of a short command, so it stands there twice.
 */
function pack() {
  const others = open()
  const code = new Map()
  for (const name of others?.names ?? []) code.set(name, scripts.has(name) ? undefined : others.read(name))
  for (const [name, script] of scripts) code.set(name, script.createCachedData())
  const places = {}
  const parts = []
  let at = 0
  for (const [name, bytes] of code) {
    if (bytes === undefined) continue
    places[name] = [at, bytes.length]
    parts.push(bytes, bytes)
    at += 2 * bytes.length
  }
  const list = Buffer.from(JSON.stringify({ build: readBuild(), places }))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(list.length)
  return Buffer.concat([length, list, ...parts])
}

/** Returns a reader of what earlier commands kept; undefined when there is nothing, or it is of another build. */
function open() {
  try {
    if (!isOwn()) return undefined
    const fd = fs.openSync(file)
    const part = Buffer.allocUnsafeSlow(PART_BYTES)
    const readAt = (position, length) => {
      const bytes = Buffer.allocUnsafeSlow(length)
      return fs.readSync(fd, bytes, 0, length, position) === length ? bytes : undefined
    }
    const length = readAt(0, LENGTH_BYTES).readUInt32LE()
    const { build, places } = JSON.parse(readAt(LENGTH_BYTES, length).toString())
    return build === readBuild() ? { names: Object.keys(places), read } : undefined

    function read(name) {
      try {
        const [at, size] = places[name]
        const start = LENGTH_BYTES + length + at
        const bytes = readAt(start, size)
        return isRepeated(bytes, start + size) ? bytes : undefined
      } catch {
        // The file has no code of it, or the list is damaged.
        return undefined
      }
    }

    /** Compares the second copy in parts, because new memory costs more than reading does. */
    function isRepeated(bytes, position) {
      for (let done = 0; done < bytes.length; done += part.length) {
        const most = Math.min(part.length, bytes.length - done)
        if (fs.readSync(fd, part, 0, most, position + done) !== most) return false
        if (part.compare(bytes, done, done + most, 0, most) !== 0) return false
      }
      return true
    }
  } catch {
    return undefined
  }
}

/** Returns the mark of this build: V8 compares only the length of a source. */
function readBuild() {
  return fs.readFileSync(path.join(dist, 'build'), 'utf8')
}

/**
 * Returns a folder of the user's own: cached code is executed, and the system's temporary folder belongs to
 * everybody.
 */
function cacheFolder() {
  const { HOME, XDG_CACHE_HOME, LOCALAPPDATA } = process.env
  if (process.platform === 'win32') return LOCALAPPDATA && path.join(LOCALAPPDATA, 'dray', 'cache', 'code')
  if (XDG_CACHE_HOME?.startsWith('/')) return path.join(XDG_CACHE_HOME, 'dray', 'code')
  if (!HOME?.startsWith('/')) return undefined
  return path.join(HOME, process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'dray', 'code')
}

/** Returns whether nobody else can write into the folder. One that is missing is nobody's. */
function isOwn() {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false })
  if (stat === undefined || !stat.isDirectory()) return false
  return process.platform === 'win32' || (stat.uid === process.geteuid() && (stat.mode & 0o022) === 0)
}

/** Makes the folder. Returns false where that cannot be done, or where it belongs to somebody else. */
function makeFolder() {
  if (folder === undefined) return false
  const [dray, cache] = [path.dirname(folder), path.dirname(path.dirname(folder))]
  for (const each of [cache, dray, folder]) {
    try {
      // Not `recursive`: where no folder can be made, as in /proc, Node would try for ever.
      fs.mkdirSync(each, { mode: each === folder ? 0o700 : 0o777 })
    } catch (error) {
      if (error.code !== 'EEXIST') return false
    }
  }
  return isOwn()
}

function removeStale(temporary) {
  const stat = fs.statSync(temporary, { throwIfNoEntry: false })
  if (stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS) fs.rmSync(temporary, { force: true })
}

/** Returns a short name for a place: two installed programs do not share a file. */
function shorten(text) {
  let sum = 0
  for (const character of text) sum = (Math.imul(sum, 31) + character.codePointAt(0)) | 0
  return (sum >>> 0).toString(36)
}

module.exports = { load, keep }
