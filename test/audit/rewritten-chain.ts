import pg from 'pg'
import { entryHash, firstPrevious } from '../../src/audit/chain-hash.ts'
import { type ChainHead, type ChainId, listEntries, listHeads } from '../../src/store/audit/chain.ts'
import type { TestDatabase } from '../support/database.ts'

/** Runs SQL statements as a superuser with disabled triggers, as an intruder with full access to the database could. */
export async function tamperWith(superuserConnectionString: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: superuserConnectionString })
  await client.connect()
  const tables = ['audit_log', 'audit_chain', 'audit_heads']
  try {
    for (const table of tables) await client.query(`alter table ${table} disable trigger user`)
    for (const statement of statements) await client.query(statement)
    for (const table of tables)
      await client.query(`alter table ${table} enable always trigger ${table}_rows_never_change`)
    await client.query('alter table audit_log enable trigger audit_log_rows_are_queued')
  } finally {
    await client.end()
  }
}

interface Rewriting {
  readonly chain: ChainId
  readonly auditId: string
  /**
   * Returns the SQL expressions of the key id and the signature that the intruder stores in a chain head (a signed
   * position of the hash chain). Undefined deletes the head.
   */
  readonly sign: (head: ChainHead) => { readonly keyId: string; readonly signature: string } | undefined
}

/**
 * Changes an audit row and recomputes all hashes after it, as a superuser can. A superuser cannot sign the chain heads,
 * because this needs the key of the service.
 */
export async function rewriteChain(
  { database, superuserConnectionString }: TestDatabase,
  { chain, auditId, sign }: Rewriting,
): Promise<void> {
  const tamper = (...statements: string[]) => tamperWith(superuserConnectionString, statements)
  await tamper(`update audit_log set actor_label = 'someone else' where id = '${auditId}'`)
  const heads = new Map((await listHeads(database, chain, { after: 0, limit: 100 })).map((head) => [head.number, head]))
  let hash: Buffer = firstPrevious
  const statements: string[] = []
  for (const { number, text } of await listEntries(database, chain, { after: 0, limit: 100 })) {
    hash = entryHash(hash, text)
    const at = `where merchant_id = '${chain}' and number = ${number}`
    const hex = `decode('${hash.toString('hex')}', 'hex')`
    statements.push(`update audit_chain set hash = ${hex} ${at}`)
    const head = heads.get(number)
    if (head === undefined) continue
    const signed = sign(head)
    statements.push(
      signed === undefined
        ? `delete from audit_heads ${at}`
        : `update audit_heads set hash = ${hex}, key_id = ${signed.keyId}, signature = ${signed.signature} ${at}`,
    )
  }
  await tamper(...statements)
}

/** Signatures that an intruder without the key can store in the signed heads of the hash chain. */
export const forgedSignatures = {
  none: () => ({ keyId: 'null', signature: 'null' }),
  unknownKey: () => ({ keyId: "'00000000deadbeef'", signature: "decode(repeat('ab', 64), 'hex')" }),
  /** Copies the signatures from the signed chain heads of another merchant's audit log. */
  ofMerchant: (merchantId: string) => () => ({
    keyId: `(select key_id from audit_heads as other where other.merchant_id = '${merchantId}' order by number limit 1)`,
    signature: `(select signature from audit_heads as other where other.merchant_id = '${merchantId}' order by number limit 1)`,
  }),
} as const
