import type { ReplyOf } from '../kit/call.ts'

type ActorType = ReplyOf<'getRefund'>['createdBy']['type']

/** Returns the words with which a page names an actor that has no name of its own, such as this service. */
export function actorText(type: ActorType): string {
  return type === 'system' ? 'this service' : type
}
