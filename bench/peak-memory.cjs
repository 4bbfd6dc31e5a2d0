// Required into a child: at its end, writes its peak resident size in kB to descriptor 3.
const fs = require('node:fs')
process.on('exit', () => {
  // `getrusage` would count what the parent held when it forked.
  const peak = /VmHWM:\s+(\d+)/.exec(
    process.platform === 'linux' ? fs.readFileSync('/proc/self/status', 'utf8') : '',
  )
  fs.writeSync(3, peak === null ? String(process.resourceUsage().maxRSS) : peak[1])
})
