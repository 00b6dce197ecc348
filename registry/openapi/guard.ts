import { operationFaults } from './guard-operations.ts'
import { oracleFaults } from './guard-oracle.ts'
import { type Contract, partsOf } from './guard-parts.ts'
import { schemaFaults } from './guard-schemas.ts'

export type { Contract } from './guard-parts.ts'

/**
 * Returns the faults of the contract that the OpenAPI generator writes incorrectly, each with its remedy.
 *
 *   operations   faults that the generator accepts silently: duplicate routes, path parameters that do not match the path
 *   schemas      constructs that the generator writes incorrectly, with a known remedy
 *   oracle       everything else: the document must equal Zod's own JSON Schema of each part
 *
 * The oracle also detects most faults of the other two checks but knows no remedy, so it runs only if they find none.
 */
export function faultsOf(contract: Contract, document: object): string[] {
  const parts = partsOf(contract, document)
  const faults = [...operationFaults(contract.endpoints, document), ...schemaFaults(parts)]
  return faults.length > 0 ? faults : oracleFaults(parts, document)
}
