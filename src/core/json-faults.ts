/** Finds the place of what `parseStrictJson` refuses, in text that it rejected. Slower, and needed only then. */
import { inWhole, MAX_DEPTH, problemOfNumber, problemOfText, TOO_DEEP, type Whole } from './strict-json.ts'

export type JsonFault = {
  /** The names and positions that lead to the value. */
  path: string[]
  /** A sentence without any of the content. */
  problem: string
}

/** Thrown to leave the text at its first fault; undefined where the syntax ends. */
class FirstFaultError extends Error {
  readonly fault: JsonFault | undefined

  constructor(fault: JsonFault | undefined) {
    super('found')
    this.fault = fault
  }
}

/** Returns the first fault that is no fault of syntax; undefined when there is none, or when the syntax is wrong before it. */
export function findJsonFault(bytes: Uint8Array, whole: Whole): JsonFault | undefined {
  // Each character is one byte, so that a string that is no UTF-8 is found where it stands.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  try {
    readValue({ text, at: 0 }, [])
    return undefined
  } catch (error) {
    if (!(error instanceof FirstFaultError)) throw error
    return error.fault && { ...error.fault, problem: inWhole(error.fault.problem, whole) }
  }
}

type Reader = { text: string; at: number }

function readValue(reader: Reader, path: string[]): void {
  if (path.length > MAX_DEPTH) throw new FirstFaultError({ path, problem: TOO_DEEP })
  const first = skipSpace(reader)
  if (first === '{') readMembers(reader, path)
  else if (first === '[') readItems(reader, path)
  else if (first === '"') readString(reader, path)
  else readScalar(reader, path)
}

function readMembers(reader: Reader, path: string[]): void {
  const names = new Set<string>()
  reader.at += 1
  if (skipSpace(reader) === '}') return void (reader.at += 1)
  do {
    skipSpace(reader)
    const name = readString(reader, path)
    const here = [...path, name]
    if (name === '__proto__')
      throw new FirstFaultError({ path: here, problem: 'A member cannot be named __proto__.' })
    if (names.has(name))
      throw new FirstFaultError({
        path: here,
        problem: 'An object of the {whole} has the same member twice.',
      })
    names.add(name)
    skipSpace(reader)
    expect(reader, ':')
    readValue(reader, here)
  } while (goesOn(reader, '}'))
}

function readItems(reader: Reader, path: string[]): void {
  reader.at += 1
  if (skipSpace(reader) === ']') return void (reader.at += 1)
  let position = 0
  do readValue(reader, [...path, String(position++)])
  while (goesOn(reader, ']'))
}

/** Steps over a comma, or over the end of an object or list. */
function goesOn(reader: Reader, end: string): boolean {
  if (skipSpace(reader) !== end) return expect(reader, ',')
  reader.at += 1
  return false
}

function readString(reader: Reader, path: string[]): string {
  const start = reader.at
  expect(reader, '"')
  while (reader.at < reader.text.length && reader.text[reader.at] !== '"')
    reader.at += reader.text[reader.at] === '\\' ? 2 : 1
  expect(reader, '"')
  const value = decode(reader.text.slice(start, reader.at), path)
  const problem = problemOfText(value)
  if (problem !== undefined) throw new FirstFaultError({ path, problem })
  return value
}

function decode(token: string, path: string[]): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(token, 'latin1'))
  } catch {
    throw new FirstFaultError({ path, problem: 'The {whole} is not valid UTF-8.' })
  }
  try {
    return JSON.parse(text) as string
  } catch {
    throw new FirstFaultError(undefined)
  }
}

function readScalar(reader: Reader, path: string[]): void {
  const start = reader.at
  while (/[-+\w.]/.test(reader.text[reader.at] ?? '')) reader.at += 1
  const token = reader.text.slice(start, reader.at)
  if (token === '') throw new FirstFaultError(undefined)
  if (['true', 'false', 'null'].includes(token)) return
  const problem = problemOfNumber(Number(token))
  if (problem !== undefined) throw new FirstFaultError({ path, problem })
}

/** Returns the next character that is no white space. */
function skipSpace(reader: Reader): string | undefined {
  while (/[ \t\r\n]/.test(reader.text[reader.at] ?? '')) reader.at += 1
  return reader.text[reader.at]
}

function expect(reader: Reader, character: string): true {
  if (reader.text[reader.at] !== character) throw new FirstFaultError(undefined)
  reader.at += 1
  return true
}
