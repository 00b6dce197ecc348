import { clientMethods } from '../clients/methods.ts'
import { operationPath } from './contract.ts'
import { code, link, table } from './markdown.ts'

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
