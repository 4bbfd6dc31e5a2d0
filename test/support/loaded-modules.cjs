// Required into the program: at its end, writes to the file DRAY_LOADED_MODULES what the program loaded.
const fs = require('node:fs')
const before = new Set(process.moduleLoadList)
const files = new Set(Object.keys(require.cache))
const intl = new Set()

/** Notes each call; the same thing otherwise. */
function watch(holder, name, label) {
  const original = holder[name]
  holder[name] = new Proxy(original, {
    construct: (target, args, as) => (intl.add(label), Reflect.construct(target, args, as)),
    apply: (target, self, args) => (intl.add(label), Reflect.apply(target, self, args)),
  })
}

for (const name of Object.getOwnPropertyNames(Intl)) {
  if (typeof Intl[name] === 'function') watch(Intl, name, `Intl.${name}`)
}
watch(String.prototype, 'localeCompare', 'localeCompare')
watch(Number.prototype, 'toLocaleString', 'Number.toLocaleString')
for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
  watch(Date.prototype, name, `Date.${name}`)

process.on('exit', () => {
  const loaded = {
    builtins: process.moduleLoadList.filter((name) => !before.has(name)),
    files: Object.keys(require.cache).filter((name) => !files.has(name)),
    intl: [...intl],
  }
  fs.writeFileSync(process.env.DRAY_LOADED_MODULES, JSON.stringify(loaded))
})
