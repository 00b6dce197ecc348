import { clientMethods } from '../clients/methods.ts'
import { operationPath } from './contract.ts'
import { code, link, table } from './markdown.ts'

/** Returns the table of the methods of the TypeScript client, each with a link to its operation. */
export function clientMethodTable(): string {
  const rows = clientMethods.map(({ resource, name, endpoint }) => [
    code(`${resource}.${name}`),
    link(endpoint.summary, operationPath(endpoint)),
  ])
  return table(
    ['Method', 'Operation'],
    rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
}
