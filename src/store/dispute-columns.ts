/** Where a dispute of a payment is; `unclear` is one that was resolved with a result nobody here knows. */
export type DisputeStatus = 'open' | 'won' | 'lost' | 'unclear'
