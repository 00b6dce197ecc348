/** Adds the 304 outcome to the type of `GET`. The compiler cannot compare the two types for all paths at once. */
export function withNotModified(get) {
    return get;
}
