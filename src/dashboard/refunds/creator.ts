import type { ReplyOf } from '../kit/call.ts'

type ActorType = ReplyOf<'getRefund'>['createdBy']['type']

/** Returns the words for an actor that has no name, such as the service itself. */
export function actorText(type: ActorType): string {
  return type === 'system' ? 'this service' : type
}
