import * as Type from 'typebox'
import { Errors } from 'typebox/value'
import { expect, test } from 'vitest'
import { formatSchemaIssue, toFieldName, type SchemaIssue } from '../../src/core/schema-issues.ts'

const schema = Type.Object({
  factor: Type.Integer({ minimum: 1, maximum: 86_400 }),
  handle: Type.String({ pattern: '^[a-z]+$', errorMessage: 'must be a short name' }),
  scopes: Type.Array(Type.Enum(['read', 'write'])),
})
const good = { factor: 1, handle: 'a', scopes: [] }

test.each([
  [{ ...good, factor: 0 }, 'factor must be at least 1'],
  [{ ...good, factor: 1e9 }, 'factor must be at most 86400'],
  [{ ...good, handle: 'B C' }, 'handle must be a short name'],
  [{ ...good, scopes: ['read', 'dream'] }, 'scopes must be one of read, write'],
])('%j: %s', (value, words) => {
  const [issue] = Errors(schema, value) as SchemaIssue[]
  if (issue === undefined) throw new Error('nothing was wrong')
  expect(`${toFieldName(issue.instancePath)} ${formatSchemaIssue(schema, issue)}`).toBe(words)
})

test.each([
  ['', ''],
  ['/rows/1/size', 'size'],
  ['/rows/1', 'rows'],
  ['/a~1b', 'a/b'],
  ['/a~01', 'a~1'],
  [`/${'x'.repeat(100)}`, 'x'.repeat(60)],
])('the place %j is named %j', (pointer, name) => {
  expect(toFieldName(pointer)).toBe(name)
})
