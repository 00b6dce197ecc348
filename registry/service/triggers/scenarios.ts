import { type EventKind, eventKinds } from '../../kit/event.ts'
import { type ExceptionStateName, exceptionStates } from '../exceptions.ts'
import { eventScenarios } from './event-scenarios.ts'
import { paymentScenarios } from './payment-scenarios.ts'
import { shipmentScenarios } from './shipment-scenarios.ts'
import type { Scenario } from './step.ts'
import { type UntriggeredName, untriggered } from './untriggered.ts'

export type TriggeredException = Exclude<ExceptionStateName, UntriggeredName>

export type TriggerName = EventKind | TriggeredException

export const scenarios: Readonly<Record<TriggerName, Scenario>> = {
  ...eventScenarios,
  ...paymentScenarios,
  ...shipmentScenarios,
}

export const triggeredExceptions = Object.keys(exceptionStates).filter(
  (name): name is TriggeredException => !Object.hasOwn(untriggered, name),
)

export const triggerNames: readonly TriggerName[] = [...eventKinds, ...triggeredExceptions]
