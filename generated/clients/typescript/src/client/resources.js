// DO NOT EDIT. Written by `npm run generate`.
import { clientMethods } from "../../generated/client-methods.js";
import { walkList } from "./list.js";
import { unwrap } from "./unwrap.js";
export function resourcesOf(client) {
    const resources = Object.entries(clientMethods).map(([resource, methods]) => [
        resource,
        Object.fromEntries(Object.entries(methods).map(([name, entry]) => [name, methodOf(client, entry)])),
    ]);
    // The cast is safe, because the table of methods and the types are generated from the same registry. The compiler
    // cannot derive the types from the loop.
    return Object.fromEntries(resources);
}
function methodOf(client, { method, path, input }) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return (...args) => {
        const ids = Object.fromEntries(names.map((name, index) => [name, args[index]]));
        const [first, second] = args.slice(names.length);
        const [given, options] = input === 'none' ? [undefined, first] : [first, second];
        const { signal, headers } = Object(options);
        const signalled = signal === undefined ? {} : { signal };
        if (input === 'list')
            return walkList(client, path, { path: ids, query: given, ...signalled });
        return request(client, method, path, {
            params: {
                path: ids,
                ...(headers === undefined ? {} : { header: headers }),
                ...(input === 'query' ? { query: given } : {}),
            },
            ...(input === 'body' && given !== undefined ? { body: given } : {}),
            ...signalled,
        });
    };
}
/** Sends a request. The cast is safe: the types of the method have checked the path and the parameters. */
async function request(client, method, path, init) {
    return unwrap(await client.request(method.toLowerCase(), path, init));
}
