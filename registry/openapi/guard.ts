import { operationFaults } from './guard-operations.ts'
import { oracleFaults } from './guard-oracle.ts'
import { type Contract, partsOf } from './guard-parts.ts'
import { schemaFaults } from './guard-schemas.ts'

export type { Contract } from './guard-parts.ts'

/**
 * Returns the faults that make the OpenAPI document differ from the contract. Three checks find them:
 *
 * - guard-operations.ts: faults that the OpenAPI generator accepts silently, such as duplicate routes, or path
 *   parameters that do not match the path.
 * - guard-schemas.ts: schema constructs that the generator writes incorrectly, each with its remedy.
 * - guard-oracle.ts: all other differences between the document and Zod's own JSON Schema of each part.
 *
 * The third check also detects most faults of the first two but knows no remedy, so it runs only if they find none.
 */
export function faultsOf(contract: Contract, document: object): string[] {
  const parts = partsOf(contract, document)
  const faults = [...operationFaults(contract.endpoints, document), ...schemaFaults(parts)]
  return faults.length > 0 ? faults : oracleFaults(parts, document)
}
