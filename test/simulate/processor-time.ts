/** Returns the processor time of this process in milliseconds, which other work on the machine does not lengthen. */
export function readProcessorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
