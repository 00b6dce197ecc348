// DO NOT EDIT. Written by `npm run generate` from the registry.
export const idempotentOperations = [
    'POST /refunds',
];
