import { orderStatuses, orderTransitions } from './order-states.ts'

/** What each status means, in the words of the reference. */
const meanings: Readonly<Record<(typeof orderStatuses)[number], string>> = {
  pending: 'Created. Its stock is promised; money, or your word to go on without it, is awaited.',
  on_hold: 'Held for a look by a person. Its stock stays promised, and it does not expire.',
  processing: 'Confirmed and being prepared.',
  shipped: 'Every piece has been handed over for delivery.',
  delivered: 'Every piece has been received or collected.',
  returned: 'Every piece that was handed over has come back.',
  cancelled: 'Over before anything was handed over. Its stock went back.',
}

/** The life of an order as a page with a drawing, from the very table the code runs by. */
export function orderLifePage(): string {
  const final = orderStatuses.filter((status) => orderTransitions[status].length === 0)
  const drawing = [
    'stateDiagram-v2',
    '  [*] --> pending',
    '  [*] --> processing: nothing to pay, or trusted to pay on delivery',
    ...orderStatuses.flatMap((from) => orderTransitions[from].map((to) => `  ${from} --> ${to}`)),
    ...final.map((status) => `  ${status} --> [*]`),
  ]
  const rows = orderStatuses.map((status) => {
    const next = orderTransitions[status].map((to) => `\`${to}\``).join(', ') || 'final'
    return `| \`${status}\` | ${meanings[status]} | ${next} |`
  })
  return [
    '<!-- DO NOT EDIT. Written by `npm run generate` from registry/order-states.ts. -->',
    '',
    '# The life of an order',
    '',
    '```mermaid',
    ...drawing,
    '```',
    '',
    '| status | meaning | can move to |',
    '|---|---|---|',
    ...rows,
    '',
    'An order on hold is released only to where it was held. Of an order that has been handed over in part, what is out comes',
    'back as a return: it cannot be cancelled. One whose pieces were all taken back by refunds before they left cannot be handed',
    'over any more. `allowedTransitions` of each order says what it can do now.',
    '',
  ].join('\n')
}
