import { operationFaults } from './guard-operations.ts'
import { oracleFaults } from './guard-oracle.ts'
import { type Contract, partsOf } from './guard-parts.ts'
import { schemaFaults } from './guard-schemas.ts'

export type { Contract } from './guard-parts.ts'

/**
 * What in the contract the generator would write wrongly, or wrote wrongly, each as a sentence that says how to mend it.
 *
 *   operations   what it takes without a word: two operations at one place, a path that lies about its parameters
 *   schemas      what it misreads in a way that has one well-known remedy
 *   oracle       everything else: Zod's own JSON Schema of each part must say what the document says
 *
 * The oracle would also see what the first two see, but could name no remedy, so it speaks when they are silent.
 */
export function faultsOf(contract: Contract, document: object): string[] {
  const parts = partsOf(contract, document)
  const faults = [...operationFaults(contract.endpoints, document), ...schemaFaults(parts)]
  return faults.length > 0 ? faults : oracleFaults(parts, document)
}
