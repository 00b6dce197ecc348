/**
 * Version of the contract within /api/v1. `npm run release` raises the minor version for additions and the patch
 * version for fixes.
 */
export const contractVersion = '0.2.0'
