/** Personal data that one party of an order may see of the other. Pure. */

/** Masks a phone number: `+44•••••••123` is enough to recognise a call, but not to make one. */
export function maskPhone(phone: string): string {
  const [head, tail] = [phone.slice(0, 3), phone.slice(-3)]
  return `${head}${'•'.repeat(Math.max(0, phone.length - head.length - tail.length))}${tail}`
}

/** Returns the first word of a name. */
export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? ''
}
