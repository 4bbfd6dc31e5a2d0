import { defineCases } from '../../support/cases.ts'

export const cases = defineCases({
  stranger: 'member',
  ids: {},
  operations: { get_membership_status: { tool: 'reads' } },
})
