// Required into a service: on SIGUSR2 writes, to the file that BENCH_BLOCKS names, for how long one turn of the event
// loop lasted at most since the last SIGUSR2, its processor time, both in milliseconds, and by how many MB the resident memory grew.
const fs = require('node:fs')
const none = { milliseconds: 0, processor: 0, memory: 0 }
let longest = { ...none }
let last = performance.now()
let used = processorTime()
let resident = process.memoryUsage.rss()
function processorTime() {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
setInterval(() => {
  const now = performance.now()
  const cpu = processorTime()
  longest.milliseconds = Math.max(longest.milliseconds, now - last)
  longest.processor = Math.max(longest.processor, cpu - used)
  longest.memory = Math.max(longest.memory, (process.memoryUsage.rss() - resident) / 1e6)
  last = now
  used = cpu
}, 1).unref()
process.on('SIGUSR2', () => {
  const file = process.env.BENCH_BLOCKS
  fs.writeFileSync(`${file}.new`, JSON.stringify(longest))
  fs.renameSync(`${file}.new`, file)
  longest = { ...none }
  resident = process.memoryUsage.rss()
})
