import { expect, test } from 'vitest'
import type { CommandSpec } from '../../src/cli/command.ts'
import type { AnyOperation } from '../../src/core/operation.ts'
import { inHelpOrder } from '../../src/generate/help-order.ts'

const command = (words: string) => ({ spec: { words } as CommandSpec })
const operation = (words: string) => ({ cli: { command: words } }) as AnyOperation

test('help lists commands in the order of operations, and one without a place last in its group', () => {
  const operations = ['rides options', 'rides receipt', 'business orders list', 'business catalog list']
  const others = ['whoami', 'zebra', 'rides share', 'business orders watch']
  const listed = inHelpOrder([...others, ...operations].map(command), operations.map(operation))
  expect(listed.map(({ spec }) => spec.words)).toEqual([
    'rides options',
    'rides receipt',
    'rides share',
    'business orders list',
    'business orders watch',
    'business catalog list',
    'whoami',
    'zebra',
  ])
})
