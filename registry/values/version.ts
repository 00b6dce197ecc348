/** The contract’s version within /api/v1, moved by `npm run release`: the second number with what is new, the third with what is mended. */
export const contractVersion = '1.0.0'
