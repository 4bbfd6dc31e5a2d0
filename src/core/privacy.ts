/** What one side of an order may know of the other. Pure. */

/** `+447700900123` as `+44•••••••123`: enough to recognise a call, not enough to make one. */
export function maskPhone(phone: string): string {
  const [head, tail] = [phone.slice(0, 3), phone.slice(-3)]
  return `${head}${'•'.repeat(Math.max(0, phone.length - head.length - tail.length))}${tail}`
}

export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? ''
}
