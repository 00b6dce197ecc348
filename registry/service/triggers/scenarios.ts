import { type EventKind, eventKinds } from '../../kit/event.ts'
import { type ExceptionStateName, exceptionStates } from '../exceptions.ts'
import { eventScenarios } from './event-scenarios.ts'
import { paymentScenarios } from './payment-scenarios.ts'
import { shipmentScenarios } from './shipment-scenarios.ts'
import type { Scenario } from './step.ts'
import { type UntriggeredName, untriggered } from './untriggered.ts'

export type TriggeredException = Exclude<ExceptionStateName, UntriggeredName>

/** Name of a trigger: an event kind, or the name of an exceptional state. */
export type TriggerName = EventKind | TriggeredException

/** The triggers of test mode: one for each event kind and for each exceptional state. */
export const scenarios: Readonly<Record<TriggerName, Scenario>> = {
  ...eventScenarios,
  ...paymentScenarios,
  ...shipmentScenarios,
}

/** The exceptional states that a trigger of test mode can cause. */
export const triggeredExceptions = Object.keys(exceptionStates).filter(
  (name): name is TriggeredException => !Object.hasOwn(untriggered, name),
)

export const triggerNames: readonly TriggerName[] = [...eventKinds, ...triggeredExceptions]
