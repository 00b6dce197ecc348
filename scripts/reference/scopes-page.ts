import { scopes } from '../../registry/values/scopes.ts'
import { operationPath, operations } from './contract.ts'
import { code, link, table } from './markdown.ts'
import type { Page } from './page.ts'

/** What a token may do, scope by scope. */
export function scopesPage(): Page {
  const all = Object.entries(scopes)
  return {
    path: 'scopes',
    title: 'Scopes',
    summary: 'What each scope of a token allows, and the operations it opens.',
    kind: 'page',
    words: all.flat(),
    parts: [
      `Each operation needs exactly one scope, but for those that need no token: ${publicOperations()}. \`write\` does not imply \`read\`: give a token the scopes of the operations it calls and no others. A call without the scope is refused with ` +
        `${link('`insufficient_scope`', 'errors/insufficient_scope')}, which names it.`,
      table(
        ['Scope', 'Allows', 'Operations'],
        all.map(([scope, allows]) => [code(scope), allows, operationsOf(scope)]),
      ),
    ],
  }
}

function publicOperations(): string {
  return operationsOf('public').replace(/, (?=[^,]*$)/, ' and ')
}

function operationsOf(opened: string): string {
  return operations
    .filter(({ access }) => access === opened)
    .map((endpoint) => link(code(endpoint.id), operationPath(endpoint)))
    .join(', ')
}
