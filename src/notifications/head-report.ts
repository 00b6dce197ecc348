import type { MerchantId } from '../../registry/values/vocabulary.ts'
import type { Facts } from './facts.ts'

const purpose =
  'Store this e-mail outside of the service. A later verification with the heads in this e-mail detects rows of the audit log that were changed or deleted, even by an administrator of the database. The service has not verified any rows for this e-mail.'

const chains = [
  ['live', 'Live mode'],
  ['test', 'Test mode'],
  ['shared', 'Data that belongs to no merchant'],
] as const

/**
 * Returns the text of a notification that reports the heads (last hashes) of the audit log's hash chains. For each
 * chain, the text contains the command that verifies the log against the chain's head.
 */
export function headReportOf(facts: Facts, merchantId: MerchantId): string {
  const testMerchantId = facts.id('mer', 'testMerchantId')
  const targets = {
    live: `--merchant ${merchantId}`,
    test: testMerchantId === undefined ? undefined : `--merchant ${testMerchantId}`,
    shared: '--shared',
  }
  const parts = chains.flatMap(([chain, name]) => {
    const [head, target] = [facts.text(`${chain}Head`), targets[chain]]
    if (head === undefined || target === undefined) return []
    const warning =
      facts.text(`${chain}Signature`) === 'valid'
        ? ''
        : '\nThis head has no valid signature, so the service cannot prove that it linked the rows. Verify the log now.'
    return [`${name}:\ncommerce audit verify ${target} --head ${head}${warning}`]
  })
  return [purpose, ...parts].join('\n\n')
}
