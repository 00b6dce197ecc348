import type { Answered } from '../client.ts'
import type { Operation } from '../document.ts'
import { note } from '../ledger.ts'
import { isDryRun, type Run } from '../observe.ts'

/** What is created is where its answer says it is. Once for each operation is enough: the address is made the same way. */
export async function checkLocation(run: Run, operation: Operation, answered: Answered): Promise<void> {
  const location = answered.headers.get('location')
  if (location === null || run.located.has(operation) || isDryRun(answered.asked)) return
  run.located.add(operation)
  const found = await run.client.follow(location)
  note(run.ledger, { operation, check: 'location', answered }, faultsOfLocation(answered, location, found))
}

function faultsOfLocation(created: Answered, location: string, found: Answered | undefined): string[] {
  if (found === undefined) return [`Location is ${location}, which is not in the API.`]
  if (found.status !== 200) return [`Location is ${location}, which answers ${found.status}.`]
  const id: unknown = Reflect.get(Object(found.body), 'id')
  // What is created below a record is read with it, and names it.
  const isNamed = typeof id !== 'string' || created.text.includes(id)
  return isNamed ? [] : [`Location is ${location}, which is ${id}: not what was created.`]
}
