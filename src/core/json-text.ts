/** A value as JSON text that travels as it is. An operation returns it when the text is known already. */
export class JsonText<T> {
  readonly text: string
  declare private readonly value: T

  constructor(text: string) {
    this.text = text
  }
}

/** Writes a value once, for the answers that follow. */
export function toJsonText<T>(value: T): JsonText<T> {
  return new JsonText(JSON.stringify(value))
}
