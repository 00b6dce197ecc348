import { scopes } from '../../registry/values/scopes.ts'
import { operationPath, operations } from './contract.ts'
import { code, link, table } from './markdown.ts'
import type { Page } from './page.ts'

export function scopesPage(): Page {
  const all = Object.entries(scopes)
  return {
    path: 'scopes',
    title: 'Scopes',
    summary: 'The scopes of API tokens and the operations that each scope allows.',
    kind: 'page',
    words: all.flat(),
    parts: [
      `Each operation requires exactly one scope, except ${publicOperations()}, which need no token. \`write\` does not imply \`read\`: give a token only the scopes of the operations it calls. A request without the scope is rejected with ` +
        `${link('`insufficient_scope`', 'errors/insufficient_scope')}, which names the scope.`,
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

function operationsOf(scope: string): string {
  return operations
    .filter(({ access }) => access === scope)
    .map((endpoint) => link(code(endpoint.id), operationPath(endpoint)))
    .join(', ')
}
