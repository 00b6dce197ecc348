import type { ApiResponse } from '../client.ts'
import type { Operation } from '../document.ts'
import { note } from '../ledger.ts'
import { isDryRun, type Run } from '../observe.ts'

/** Checks that the `Location` header leads to the created record. Checks it once for each operation. */
export async function checkLocation(run: Run, operation: Operation, response: ApiResponse): Promise<void> {
  const location = response.headers.get('location')
  if (location === null || run.located.has(operation) || isDryRun(response.request)) return
  run.located.add(operation)
  const found = await run.client.follow(location)
  note(run.ledger, { operation, check: 'location', response }, faultsOfLocation(response, location, found))
}

function faultsOfLocation(created: ApiResponse, location: string, found: ApiResponse | undefined): string[] {
  if (found === undefined) return [`Location is ${location}, which is outside the API.`]
  if (found.status !== 200) return [`Location is ${location}, which returns ${found.status}.`]
  const id: unknown = Reflect.get(Object(found.body), 'id')
  // The `Location` of a nested record may be the path of its parent record. The response must therefore contain the id
  // of the record at this path.
  const isNamed = typeof id !== 'string' || created.text.includes(id)
  return isNamed ? [] : [`Location is ${location}, which is ${id} and not the created record.`]
}
