import { operationPath, operations } from './contract.ts'
import { isShortened } from './drawing.ts'
import { type Lifecycle, lifecycleOf } from './lifecycles.ts'
import { code, link, listed, table } from './markdown.ts'
import type { Page } from './page.ts'

export function lifecyclePage(lifecycle: Lifecycle): Page {
  const returning = operations.filter((endpoint) => lifecycleOf(endpoint) === lifecycle)
  return {
    path: lifecycle.path,
    title: lifecycle.title,
    summary: `The values of a ${lifecycle.noun}’s ${lifecycle.field} and the allowed transitions.`,
    kind: 'lifecycle',
    words: ['state machine', ...lifecycle.statuses.flatMap(({ name, meaning }) => [name, meaning])],
    parts: [
      `![${lifecycle.title}: the statuses and their transitions. The table below lists them all.](/drawings/${lifecycle.noun}.svg)`,
      'Grey boxes are final statuses. Dashed lines lead back to an earlier status.' +
        (isShortened(lifecycle)
          ? ' A status may be skipped: the drawing shows the next steps, the table every transition.'
          : ''),
      table(
        ['Status', 'Meaning', 'Next status'],
        lifecycle.statuses.map(({ name, meaning, next }) => [
          code(name),
          meaning,
          next.map(code).join(', ') || 'final',
        ]),
      ),
      lifecycle.notes,
      `Returned by ${listed(returning.map((endpoint) => link(code(endpoint.id), operationPath(endpoint))))}.`,
    ],
  }
}
