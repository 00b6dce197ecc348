// DO NOT EDIT. Written by `npm run generate`.
export declare const idempotentOperations: readonly ["POST /refunds"];
