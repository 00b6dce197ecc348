import { operationPath, operations } from './contract.ts'
import { isShortened } from './drawing.ts'
import { type Life, lifeOf } from './lives.ts'
import { code, link, listed, table } from './markdown.ts'
import type { Page } from './page.ts'

/** The states of one kind of record, drawn and told. */
export function lifePage(life: Life): Page {
  const answering = operations.filter((endpoint) => lifeOf(endpoint) === life)
  return {
    path: life.path,
    title: life.title,
    summary: `What each \`${life.field}\` of ${life.noun}s means, and what can follow it.`.replaceAll('`', ''),
    kind: 'state',
    words: [...life.states.flatMap(({ name, meaning }) => [name, meaning])],
    parts: [
      `![${life.title} and the moves between them; the table below lists them all.](/drawings/${life.noun}.svg)`,
      'Grey boxes are final. Dashed lines lead back.' +
        (isShortened(life)
          ? ' A state on the way can be passed over: the drawing shows the next steps, the table every move.'
          : ''),
      table(
        ['Status', 'Meaning', 'Can move to'],
        life.states.map(({ name, meaning, next }) => [code(name), meaning, next.map(code).join(', ') || 'final']),
      ),
      life.notes,
      `Answered by ${listed(answering.map((endpoint) => link(code(endpoint.id), operationPath(endpoint))))}.`,
    ],
  }
}
