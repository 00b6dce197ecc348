import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { SearchStatement, Statement } from './statement.ts'

/**
 * The merchants whose records a process can read and write now. On a database of one server, these are all merchants.
 * On a distributed database, a node that does not respond makes the merchants on it unreachable. Requests and jobs of
 * these merchants fail at once, and searches over all merchants skip these merchants. The other merchants are served as
 * usual.
 */
export interface Reachability {
  /** Returns the ids of the reachable merchants; null while all merchants are reachable. */
  reachable(): readonly MerchantId[] | null
  isReachable(merchantId: string): boolean
  /** Throws MerchantUnreachable if the merchant is on a node that does not respond. */
  requireReachable(merchantId: string): void
  /** Whether the database is distributed over several nodes, each of which may fail alone. */
  isDistributed(): boolean
  /**
   * Returns the name of the database node that stores the merchant's rows. Undefined on a database of one server, and
   * for a merchant that was created since the nodes were last listed.
   */
  nodeOf(merchantId: MerchantId): string | undefined
  /** Returns the nodes whose merchants are all reachable. Empty on a database of one server. */
  reachableNodes(): readonly NodeOfMerchants[]
  set(merchants: NodeMerchants): void
}

export interface NodeMerchants {
  readonly reachable: readonly MerchantId[]
  readonly unreachable: readonly MerchantId[]
  /**
   * All database nodes with their merchants. Two `NodeMerchants` with the same list object come from the same read of
   * the nodes.
   */
  readonly nodes?: readonly NodeOfMerchants[]
}

interface NodeOfMerchants {
  readonly name: string
  readonly merchants: readonly MerchantId[]
}

/** The database node of the merchant does not respond. The code marks this error as a connection failure. */
export class MerchantUnreachable extends Error {
  /** The SQLSTATE connection_failure. */
  readonly code = '08006'
}

/**
 * Returns a function that runs searches with `run`. On a distributed database, the function restricts a search to
 * certain merchants in two cases: the caller names the merchants, or some merchants are unreachable.
 */
export function searchingAmong(
  { reachable: listReachable, isReachable, isDistributed }: Reachability,
  run: <Args, Row>(statement: Statement<Args, Row>, args: Args) => Promise<readonly Row[]>,
) {
  return <Args, Row>(
    statement: SearchStatement<Args, Row>,
    args: Args,
    among?: readonly MerchantId[],
  ): Promise<readonly Row[]> => {
    const reachable = isDistributed() && among !== undefined ? among.filter(isReachable) : listReachable()
    return reachable === null ? run(statement, args) : run(statement.amongReachable, { ...args, reachable })
  }
}

export function openReachability(): Reachability {
  let reachable: readonly MerchantId[] | null = null
  let unreachable: ReadonlySet<string> = new Set()
  let isDistributed = false
  let listed: NodeMerchants['nodes']
  let nodeNames: ReadonlyMap<MerchantId, string> = new Map()
  const isReachable = (merchantId: string) => !unreachable.has(merchantId)
  return {
    reachable: () => reachable,
    isReachable,
    requireReachable: (merchantId) => {
      if (!isReachable(merchantId))
        throw new MerchantUnreachable(`The database node of merchant ${merchantId} does not respond.`)
    },
    isDistributed: () => isDistributed,
    nodeOf: (merchantId) => nodeNames.get(merchantId),
    reachableNodes: () => listed?.filter(({ merchants }) => merchants.every(isReachable)) ?? [],
    set: (merchants) => {
      isDistributed = true
      reachable = merchants.unreachable.length === 0 ? null : merchants.reachable
      unreachable = new Set(merchants.unreachable)
      if (merchants.nodes === listed) return
      listed = merchants.nodes
      nodeNames = new Map(listed?.flatMap(({ name, merchants: ids }) => ids.map((id) => [id, name])))
    },
  }
}
