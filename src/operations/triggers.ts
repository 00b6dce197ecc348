import { endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import { scenarios } from '../../registry/service/triggers/scenarios.ts'
import type { Scenario } from '../../registry/service/triggers/step.ts'
import type { Trigger } from '../../registry/service/triggers.ts'
import { isScope } from '../../registry/values/scopes.ts'
import { randomCode } from '../base/ids.ts'
import { newTriggerId } from '../base/records.ts'
import { isTestTenant, mutate } from '../store/core/mutation.ts'
import { authorize, type Caller } from './execute/caller.ts'
import { implement } from './execute/implement.ts'
import { runSteps } from './trigger-steps.ts'

export const runTrigger = implement('runTrigger', async ({ call, caller, body: { name }, refuse }) => {
  if (!isTestTenant(caller)) {
    return refuse('test_mode_required', 'The token is a token of live mode. Triggers exist in test mode only.')
  }
  const scenario = scenarios[name]
  requireScopes(caller, scenario)
  const { context, tenant, actor, isDryRun } = call
  const started = await mutate(
    context,
    {
      ...{ tenant, actor, isDryRun, action: 'trigger.run' as const, resourceType: 'trigger', emits: [] },
      resourceId: ({ id }: Pick<Trigger, 'id'>) => id,
    },
    async ({ now, nowMs, note }) => {
      note({ name: [null, name] })
      return { id: newTriggerId(nowMs), createdAt: now }
    },
  )
  const ran = isDryRun
    ? { is: 'ran' as const, records: [] }
    : await runSteps(call, scenario.steps, randomCode(runLength))
  if (ran.is === 'rejected') {
    const { operation, refusal } = ran
    // Some errors can be returned by every write operation, for example if the database is unavailable. The trigger
    // operation is a write operation too. If a step fails with such an error, the trigger operation returns the same
    // error.
    if (refusalsOf(shared).includes(refusal.code)) throw refusal
    return refuse('trigger_failed', `${operation} was rejected with ${refusal.code}: ${refusal.message}`, {
      ...{ operation, code: refusal.code },
    })
  }
  const { events, seconds: waitSeconds } = scenario
  return { status: 200, reply: { ...started, name, records: ran.records, events: [...events], waitSeconds } }
})

/**
 * An endpoint that declares no errors of its own, so that refusalsOf() returns only the errors that all writes have in
 * common.
 */
const shared: Endpoint = { ...endpoints.runTrigger, refusals: [] }

/**
 * Length of the code of a trigger run, in letters and digits. All references that the run creates contain this code.
 */
const runLength = 12

/** Throws a refusal if the token lacks the scope of any step of a trigger. No step of the trigger then runs. */
function requireScopes(caller: Caller, { steps }: Scenario): void {
  for (const step of steps) {
    if (!('operation' in step)) continue
    const { access } = endpoints[step.operation]
    if (isScope(access)) authorize(caller, access)
  }
}
