/**
 * The types of the library, which are generated as text, against those that the compiler derives from the registry. The compiler
 * compares them, which `npm run check` runs: a field of the tuple that is not `never` names the calls that differ.
 */
import { expect, test } from 'vitest'
import type { OperationOutput, OperationInput, ClientOperationName } from '../../src/client/operations.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import type * as calls from '../../src/generated/calls.ts'
import type { ControlAnswer, ControlInput, ControlName } from '../../src/sandbox/control/index.ts'

type Fits<A, B> = [A] extends [B] ? true : false
/** The names at which one type does not fit another. */
type DifferingNames<R> = keyof { [N in keyof R as R[N] extends true ? never : N]: N }
type Operations = calls.Operations
type Controls = calls.Controls

/** Their rows are bodies of another operation, whose type the library knows, and the schema does not. */
type OfRows = 'check_catalog_prices' | 'create_shipments_batch' | 'import_catalog_items'
/** Their types of events derive from the resources, and are text to the compiler. */
type OfEvents = 'create_webhook_endpoint' | 'update_webhook_endpoint'
/** They take nothing, and the compiler would let them take anything. */
type Empty =
  | 'create_approval_link'
  | 'get_clock'
  | 'get_status'
  | 'get_world'
  | 'list_accounts'
  | 'list_faults'

const fits: [
  DifferingNames<{ [N in ClientOperationName]: Fits<Operations[N]['input'], OperationInput<N>> }>,
  Exclude<
    DifferingNames<{ [N in ClientOperationName]: Fits<OperationInput<N>, Operations[N]['input']> }>,
    OfRows | OfEvents
  >,
  DifferingNames<{ [N in ClientOperationName]: Fits<OperationOutput<N>, Operations[N]['answer']> }>,
  DifferingNames<{ [N in ControlName]: Fits<Controls[N]['input'], ControlInput<N>> }>,
  Exclude<DifferingNames<{ [N in ControlName]: Fits<ControlInput<N>, Controls[N]['input']> }>, Empty>,
  DifferingNames<{ [N in ControlName]: Fits<ControlAnswer<N>, Controls[N]['answer']> }>,
  DifferingNames<{ [N in ErrorCode]: Fits<N, calls.ErrorCode> }>,
] extends never[]
  ? true
  : false = true

test('each call has the types of its schemas', () => {
  expect(fits).toBe(true)
})
