// DO NOT EDIT. Written by `npm run generate` from the registry.
export const clientMethods = {
    addresses: {
        /** Create an address. */
        create: { method: 'POST', path: '/customers/{id}/addresses', input: 'body' },
        /** Update an address. */
        update: { method: 'PATCH', path: '/customers/{id}/addresses/{addressId}', input: 'body' },
        /** Delete an address. */
        delete: { method: 'DELETE', path: '/customers/{id}/addresses/{addressId}', input: 'none' },
    },
    buyerLinks: {
        /** Get buyer links. */
        get: { method: 'GET', path: '/orders/{id}/buyer-links', input: 'none' },
    },
    changelog: {
        /** Get the changelog. */
        get: { method: 'GET', path: '/changelog', input: 'none' },
    },
    customers: {
        /** List customers. */
        list: { method: 'GET', path: '/customers', input: 'list' },
        /** Create a customer. */
        create: { method: 'POST', path: '/customers', input: 'body' },
        /** Get a customer. */
        get: { method: 'GET', path: '/customers/{id}', input: 'none' },
        /** Update a customer. */
        update: { method: 'PATCH', path: '/customers/{id}', input: 'body' },
        /** Delete a customer. */
        delete: { method: 'DELETE', path: '/customers/{id}', input: 'none' },
        /** Anonymise a customer. */
        anonymise: { method: 'POST', path: '/customers/{id}/anonymise', input: 'none' },
    },
    discounts: {
        /** List discounts. */
        list: { method: 'GET', path: '/discounts', input: 'list' },
        /** Create a discount. */
        create: { method: 'POST', path: '/discounts', input: 'body' },
        /** Get a discount. */
        get: { method: 'GET', path: '/discounts/{id}', input: 'none' },
        /** Update a discount. */
        update: { method: 'PATCH', path: '/discounts/{id}', input: 'body' },
        /** Archive a discount. */
        archive: { method: 'POST', path: '/discounts/{id}/archive', input: 'none' },
        /** List discount redemptions. */
        listRedemptions: { method: 'GET', path: '/discounts/{id}/redemptions', input: 'list' },
    },
    events: {
        /** List events. */
        list: { method: 'GET', path: '/events', input: 'list' },
        /** Get an event. */
        get: { method: 'GET', path: '/events/{id}', input: 'none' },
    },
    inventories: {
        /** Adjust inventory of many variants. */
        adjust: { method: 'POST', path: '/products/inventory', input: 'body' },
    },
    inventory: {
        /** Set or adjust inventory. */
        adjust: { method: 'POST', path: '/products/{id}/variants/{variantId}/inventory', input: 'body' },
        /** List inventory movements. */
        listMovements: { method: 'GET', path: '/products/{id}/variants/{variantId}/movements', input: 'list' },
    },
    openApiDocument: {
        /** Get the OpenAPI document. */
        get: { method: 'GET', path: '/openapi.json', input: 'none' },
    },
    orders: {
        /** List orders. */
        list: { method: 'GET', path: '/orders', input: 'list' },
        /** Create an order. */
        create: { method: 'POST', path: '/orders', input: 'body' },
        /** Preview an order. */
        preview: { method: 'POST', path: '/orders/preview', input: 'body' },
        /** Get an order. */
        get: { method: 'GET', path: '/orders/{id}', input: 'none' },
        /** Update an order. */
        update: { method: 'PATCH', path: '/orders/{id}', input: 'body' },
        /** Create an order comment. */
        createComment: { method: 'POST', path: '/orders/{id}/comments', input: 'body' },
        /** List order comments. */
        listComments: { method: 'GET', path: '/orders/{id}/comments', input: 'list' },
        /** Change an order status. */
        transition: { method: 'POST', path: '/orders/{id}/transition', input: 'body' },
        /** Cancel an order. */
        cancel: { method: 'POST', path: '/orders/{id}/cancel', input: 'body' },
    },
    payments: {
        /** Record a payment. */
        record: { method: 'POST', path: '/orders/{id}/payments', input: 'body' },
        /** Void a payment. */
        void: { method: 'POST', path: '/payments/{id}/void', input: 'body' },
        /** List payments. */
        list: { method: 'GET', path: '/payments', input: 'list' },
        /** Create a payment link. */
        createLink: { method: 'POST', path: '/orders/{id}/payment-link', input: 'body' },
        /** Get a payment link. */
        getLink: { method: 'GET', path: '/orders/{id}/payment-link', input: 'none' },
        /** Get a payment. */
        get: { method: 'GET', path: '/payments/{id}', input: 'none' },
    },
    predictiveSchedules: {
        /** Schedule a just-in-time rider. */
        create: { method: 'POST', path: '/logistics/predictive-schedule', input: 'body' },
    },
    prices: {
        /** Update prices. */
        update: { method: 'POST', path: '/products/prices', input: 'body' },
    },
    products: {
        /** List products. */
        list: { method: 'GET', path: '/products', input: 'list' },
        /** Create a product. */
        create: { method: 'POST', path: '/products', input: 'body' },
        /** Get a product. */
        get: { method: 'GET', path: '/products/{id}', input: 'none' },
        /** Update a product. */
        update: { method: 'PATCH', path: '/products/{id}', input: 'body' },
        /** Delete a product. */
        delete: { method: 'DELETE', path: '/products/{id}', input: 'none' },
    },
    quotes: {
        /** Create a quote. */
        create: { method: 'POST', path: '/logistics/quote', input: 'body' },
    },
    refunds: {
        /** List refunds. */
        list: { method: 'GET', path: '/refunds', input: 'list' },
        /** Create a refund. */
        create: { method: 'POST', path: '/refunds', input: 'body' },
        /** Get a refund. */
        get: { method: 'GET', path: '/refunds/{id}', input: 'none' },
        /** Set refund bank details. */
        setBankDetails: { method: 'POST', path: '/refunds/{id}/bank-details', input: 'body' },
        /** Cancel a refund. */
        cancel: { method: 'POST', path: '/refunds/{id}/cancel', input: 'none' },
    },
    remittances: {
        /** Get remittances. */
        get: { method: 'GET', path: '/logistics/remittances', input: 'none' },
        /** Record a remittance. */
        record: { method: 'POST', path: '/logistics/remittances', input: 'body' },
        /** Void a remittance. */
        void: { method: 'POST', path: '/logistics/remittances/{id}/void', input: 'body' },
    },
    returns: {
        /** Create a return. */
        create: { method: 'POST', path: '/orders/{id}/returns', input: 'body' },
        /** List returns. */
        list: { method: 'GET', path: '/returns', input: 'list' },
        /** Get a return. */
        get: { method: 'GET', path: '/returns/{id}', input: 'none' },
        /** Change a return status. */
        transition: { method: 'POST', path: '/returns/{id}/transition', input: 'body' },
        /** Receive a return. */
        receive: { method: 'POST', path: '/returns/{id}/receive', input: 'body' },
    },
    salesReports: {
        /** Get the sales report. */
        get: { method: 'GET', path: '/reports/sales', input: 'query' },
    },
    shipments: {
        /** Dispatch a shipment. */
        dispatch: { method: 'POST', path: '/logistics/dispatch', input: 'body' },
        /** List shipments. */
        list: { method: 'GET', path: '/logistics/shipments', input: 'list' },
        /** Get a shipment. */
        get: { method: 'GET', path: '/logistics/shipments/{id}', input: 'none' },
        /** Cancel a shipment. */
        cancel: { method: 'POST', path: '/logistics/shipments/{id}/cancel', input: 'body' },
        /** Get shipment tracking. */
        track: { method: 'GET', path: '/logistics/shipments/{id}/track', input: 'query' },
    },
    surge: {
        /** Get the surge multiplier. */
        get: { method: 'GET', path: '/logistics/surge', input: 'query' },
    },
    testClocks: {
        /** Get the test clock. */
        get: { method: 'GET', path: '/test/clock', input: 'none' },
        /** Advance the test clock. */
        advance: { method: 'POST', path: '/test/clock/advance', input: 'body' },
    },
    triggers: {
        /** Run a trigger. */
        run: { method: 'POST', path: '/test/triggers', input: 'body' },
    },
    variants: {
        /** Create a variant. */
        create: { method: 'POST', path: '/products/{id}/variants', input: 'body' },
        /** Update a variant. */
        update: { method: 'PATCH', path: '/products/{id}/variants/{variantId}', input: 'body' },
        /** Delete a variant. */
        delete: { method: 'DELETE', path: '/products/{id}/variants/{variantId}', input: 'none' },
    },
    zones: {
        /** List delivery zones. */
        list: { method: 'GET', path: '/logistics/zones', input: 'list' },
    },
};
