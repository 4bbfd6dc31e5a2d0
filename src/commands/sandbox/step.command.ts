import { isTrackingNumber } from '../../areas/carrier/rules/tracking-number.ts'
import type { Command } from '../../cli/define-command.ts'
import { findResourceByIdPrefix } from '../../core/resource.ts'
import { loadSpec } from '../../generated/registry.ts'
import { RESOURCES } from '../../generated/resources.ts'
import { spec } from '../../generated/specs/step_resource.ts'
import { readControlInput } from './arguments.ts'
import { callControl } from './call-control.ts'

/** The declared command, with the next command of the resource's kind. */
export const sandboxStep: Command = {
  ...spec,
  async run(cli, args) {
    const { resource_id = '' } = await readControlInput<'step_resource'>(cli, args)
    return callControl(cli, 'step_resource', { resource_id }, async (answer) => ({
      next: await nextOf(answer.resource_id),
    }))
  },
}

async function nextOf(id: string): Promise<string> {
  const resource = isTrackingNumber(id) ? RESOURCES.shipment : findResourceByIdPrefix(RESOURCES, id)
  const shown = await loadSpec(resource?.show ?? '')
  return shown === undefined
    ? 'dray sandbox account list'
    : `dray ${shown.words} {resource_id} --as {account}`
}
