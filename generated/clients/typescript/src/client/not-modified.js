// DO NOT EDIT. Written by `npm run generate`.
/**
 * Returns the same `GET` function with a type that includes the 304 outcome. The cast is needed, because the compiler
 * cannot compare the two types for all paths at once.
 */
export function withNotModified(get) {
    return get;
}
