/**
 * The keys of the advisory locks: arbitrary numbers that nothing else in the database uses. They are in one place,
 * because two different locks with the same key would wait for each other. The keys of idempotency locks are hashes of
 * 64 bits.
 */
export const advisoryLocks = {
  /**
   * The first key of the lock for claims of a merchant's webhook deliveries. The second key is the hash of the
   * merchant's id.
   */
  claims: 5747,
  partitions: 5748,
  surge: 5749,
  migrations: 5750,
  grants: 5751,
  /** The first key of the lock for the sales summaries of a merchant. The second key is the hash of the merchant's id. */
  sales: 5752,
  /** The first key of the lock for the test clock of a merchant. The second key is the hash of the merchant's id. */
  testClock: 5753,
  /** The first key of the lock for the notifications of a merchant. The second key is the hash of the merchant's id. */
  notifications: 5754,
} as const
