export declare const idempotentOperations: readonly ["POST /refunds"];
