/** The cases of operations: the facts that loops over all operations need, and cannot derive from an operation itself. */
import type { ClientOperationName } from '../../src/client/operations.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import type { Spending } from '../../src/core/spending.ts'
import type { TestSandbox } from './world.ts'

export type CaseInput = Record<string, unknown>
/** Makes fields of an input in a world, for an account. */
export type CaseInputMaker = (world: TestSandbox, as: string) => Promise<CaseInput>

/** The situation of an error. `example` makes an input of the operation that succeeds. */
export type CaseContext = { world: TestSandbox; operation: AnyOperation; example(): Promise<CaseInput> }
/** Fields that are changed in the operation's example, or a function that makes the whole input. */
export type CaseChange = CaseInput | ((given: CaseContext) => CaseInput | Promise<CaseInput>)
export type CaseRefusals = Partial<Record<ErrorCode, CaseChange>>

/** The cases of one operation. A read of a resource by its id, in any state, needs no more than `tool`. */
type OperationCases = {
  /** The hints of its tool, by the interface: `removes` undoes or removes a thing that somebody counts on. */
  tool?: 'reads' | 'writes' | 'removes'
  /** Its effect on money, unless it has none. */
  spends?: Spending['how']
  /**
   * Fields of its example that must be the caller's own. The id in its path is made without it, as a new resource; one in a
   * later state is made here.
   */
  needs?: CaseInputMaker
  /** Its whole input, instead of its example. */
  input?: CaseInputMaker
  /** For each code that it declares, an input that is rejected so. `USUAL` of `refusals.ts` has those that many declare. */
  refusals?: CaseRefusals
  /** Codes that it declares and these tests do not cause, with the reason. */
  unreachableErrors?: Partial<Record<ErrorCode, string>>
  /** Rules that its schema cannot express: places whose value is rejected although it fits, as `/item_ids required`. */
  rules?: Readonly<Record<string, RegExp>>
  /**
   * Fields that make its example another call, or a function that makes both, for an operation that takes a key. One with a
   * quote or a note derives it: another quote, another note.
   */
  secondInput?: CaseInput | (() => InputPair)
  /** The error of a new call after all memberships and agreements ended, where it asks for none. */
  afterEntitlementEnds?: ErrorCode
}

/** Two inputs of an operation, which differ. */
export type InputPair = { input: CaseInput; other: CaseInput }

/** An id that inputs name. */
type IdCases = {
  /** A valid id of nobody. */
  nobodys: string
  /** The error of an id of nobody. */
  missing: ErrorCode
  /** Makes a resource of the account, for every call again; without it, anybody may read the resource. */
  make?: CaseInputMaker
}

export type AreaCases = {
  /** An account that may use the area's operations and has no resource in common with `everything`. */
  stranger: string
  /** The ids of the area's resources. */
  ids: Readonly<Record<string, IdCases>>
  operations: Readonly<Partial<Record<ClientOperationName, OperationCases>>>
}

/** Declares the cases of an area, in `test/areas/<area>/cases.ts`. */
export function defineCases(cases: AreaCases): AreaCases {
  return cases
}

/** The file with the cases of an operation. */
export function toCaseFile({ area }: Pick<AnyOperation, 'area'>): string {
  return `test/areas/${area}/cases.ts`
}

/**
 * Returns a line for each operation that has no case in a loop, and for each case without an operation. It names the operation and
 * `place`, the file and field to add to: "rules of test/areas/rides/cases.ts".
 */
export function listCaseProblems(
  operations: readonly string[],
  cases: Iterable<string>,
  place: string | ((name: string) => string),
): string[] {
  const given = new Set(cases)
  const at = (name: string): string => (typeof place === 'string' ? place : place(name))
  const missing = operations.filter((name) => !given.has(name))
  const over = [...given].filter((name) => !operations.includes(name))
  return [
    ...missing.map((name) => `${name} has no case: add one to ${at(name)}`),
    ...over.map((name) => `${name} needs no case: take it out of ${at(name)}`),
  ]
}
