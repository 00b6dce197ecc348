/**
 * The keys of the advisory locks, arbitrary numbers that nothing else in the database uses. They are in one place, because two locks
 * with one key would wait for each other. Locks of idempotency keys are hashes of 64 bits.
 */
export const advisoryLocks = {
  /** The first of two keys; the second one is the hash of a merchant id. */
  claims: 5747,
  partitions: 5748,
  surge: 5749,
  migrations: 5750,
  grants: 5751,
} as const
