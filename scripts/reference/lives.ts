import type { EndpointId, Endpoints } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { operations } from './contract.ts'

/** The state machines of the registry, with what their states mean in words. */

/** The operations that publish the states of what they answer. */
type LifeId = { [Id in EndpointId]: Endpoints[Id] extends { readonly stateMachine: object } ? Id : never }[EndpointId]

type StateOf<Id extends LifeId> = Extract<keyof Endpoints[Id]['stateMachine']['transitions'], string>

interface Words<State extends string> {
  /** The name of the page. */
  readonly noun: string
  readonly start: readonly State[]
  readonly meanings: Readonly<Record<State, string>>
  /** What the table alone does not tell. */
  readonly notes: string
}

/** A state without a meaning, or a machine without words, is a compile error. */
const words: { readonly [Id in LifeId]: Words<StateOf<Id>> } = {
  getOrder: {
    noun: 'order',
    start: ['pending', 'processing'],
    meanings: {
      pending: 'Created. Its stock is promised; money, or your word to go on without it, is awaited.',
      on_hold: 'Held for a look by a person. Its stock stays promised, and it does not expire.',
      processing: 'Confirmed and being prepared.',
      shipped: 'Every piece has been handed over for delivery.',
      delivered: 'Every piece has been received or collected.',
      returned: 'Every piece that was handed over has come back.',
      cancelled: 'Over before anything was handed over. Its stock went back.',
    },
    notes:
      'An order begins as `pending`, or as `processing` when there is nothing to pay or the merchant trusts payment on delivery. An order on hold is released only to where it was held. Of an order that has been handed over in part, what is out comes back as a return: it cannot be cancelled. One whose pieces were all taken back by refunds before they left cannot be handed over any more. `allowedTransitions` of each order says what it can do now.',
  },
  getProduct: {
    noun: 'product',
    start: ['draft', 'active'],
    meanings: {
      draft: 'Being prepared. It cannot be ordered yet.',
      active: 'For sale.',
      archived: 'No longer for sale. Orders that name it keep it, and its SKUs are free for other products.',
    },
    notes: 'What was once for sale is never a draft again, because orders may name it. Only a draft can be deleted.',
  },
  getRefund: {
    noun: 'refund',
    start: ['pending', 'succeeded'],
    meanings: {
      pending: 'Recorded; its provider was not asked yet. The amount counts as gone already.',
      processing: 'Its provider was asked and is giving the money back.',
      needs_attention: 'The money cannot go back to where it came from: the provider waits for a bank account.',
      succeeded: 'The money went back.',
      failed: 'The money did not go back, or came back again. The amount can be refunded anew.',
      cancelled: 'Taken back before its provider was asked. The amount can be refunded anew.',
    },
    notes:
      'What was paid by hand is refunded by hand, so such a refund begins as `succeeded`. A provider may pass over a state, or tell of it late. A refund that succeeded fails only when the money comes back.',
  },
  getShipment: {
    noun: 'shipment',
    start: ['scheduled', 'dispatching'],
    meanings: {
      scheduled: 'Waits for the time at which a carrier is called.',
      dispatching: 'Carriers are being asked, one after the other.',
      awaiting_courier: 'A carrier took it and looks for a rider.',
      courier_assigned: 'A rider is on the way to the pickup.',
      at_pickup: 'The rider is at the pickup.',
      picked_up: 'The rider has the parcel. From here it can come back, but not be cancelled.',
      in_transit: 'On the way to the recipient.',
      at_dropoff: 'The rider is at the recipient’s door.',
      delivered: 'The recipient has it.',
      delivery_failed: 'It could not be handed over. It is tried again or comes back.',
      returning: 'On the way back.',
      returned: 'Back at the pickup.',
      cancelling: 'The carrier has been asked to cancel and has not confirmed yet.',
      cancelled: 'Over before it was picked up.',
      failed: 'No carrier took it, or none could carry it.',
      lost: 'The carrier cannot find it.',
    },
    notes:
      'Carriers skip states, so a later one may follow at once. What they tell late or twice moves nothing back; it stands in the shipment’s `timeline`. While a shipment is being cancelled the carrier may still refuse, or deliver.',
  },
}

export interface Life {
  /** The operation that answers with it. */
  readonly id: EndpointId
  readonly noun: string
  readonly path: string
  readonly title: string
  readonly field: string
  readonly states: readonly State[]
  readonly start: readonly string[]
  readonly transitions: Readonly<Record<string, readonly string[]>>
  readonly notes: string
}

interface State {
  readonly name: string
  readonly meaning: string
  readonly next: readonly string[]
}

export const lives: readonly Life[] = operations.flatMap((endpoint) => {
  const { stateMachine } = endpoint
  return stateMachine === undefined ? [] : [lifeFrom(endpoint.id, stateMachine)]
})

function lifeFrom(id: EndpointId, { field, transitions }: NonNullable<Endpoint['stateMachine']>): Life {
  const said = isLife(id) ? words[id] : undefined
  if (said === undefined) throw new Error(`The states of ${id} have no words in scripts/reference/lives.ts.`)
  const meanings = new Map(Object.entries<string>(said.meanings))
  const states = Object.entries(transitions).map(([name, next]) => ({ name, next, meaning: meanings.get(name) ?? '' }))
  const { noun, start, notes } = said
  return {
    id,
    noun,
    start,
    notes,
    field,
    transitions,
    states,
    path: `states/${noun}`,
    title: `The states of ${article(noun)}`,
  }
}

function isLife(id: EndpointId): id is LifeId {
  return Object.hasOwn(words, id)
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`
}

/** The life of what an operation answers with, if it has one. */
export function lifeOf(endpoint: Endpoint): Life | undefined {
  return lives.find(({ id }) => operations.some((each) => each.id === id && each.reply.body === endpoint.reply.body))
}
