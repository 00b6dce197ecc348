// DO NOT EDIT. Written by `npm run generate`.
export declare const clientMethods: {
    readonly addresses: {
        /** Create an address. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/customers/{id}/addresses";
            readonly input: "body";
        };
        /** Update an address. */
        readonly update: {
            readonly method: "PATCH";
            readonly path: "/customers/{id}/addresses/{addressId}";
            readonly input: "body";
        };
        /** Delete an address. */
        readonly delete: {
            readonly method: "DELETE";
            readonly path: "/customers/{id}/addresses/{addressId}";
            readonly input: "none";
        };
    };
    readonly buyerLinks: {
        /** Get buyer links. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/orders/{id}/buyer-links";
            readonly input: "none";
        };
    };
    readonly changelog: {
        /** Get the changelog. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/changelog";
            readonly input: "none";
        };
    };
    readonly customers: {
        /** List customers. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/customers";
            readonly input: "list";
        };
        /** Create a customer. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/customers";
            readonly input: "body";
        };
        /** Get a customer. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/customers/{id}";
            readonly input: "none";
        };
        /** Update a customer. */
        readonly update: {
            readonly method: "PATCH";
            readonly path: "/customers/{id}";
            readonly input: "body";
        };
        /** Delete a customer. */
        readonly delete: {
            readonly method: "DELETE";
            readonly path: "/customers/{id}";
            readonly input: "none";
        };
        /** Anonymise a customer. */
        readonly anonymise: {
            readonly method: "POST";
            readonly path: "/customers/{id}/anonymise";
            readonly input: "none";
        };
    };
    readonly discounts: {
        /** List discounts. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/discounts";
            readonly input: "list";
        };
        /** Create a discount. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/discounts";
            readonly input: "body";
        };
        /** Get a discount. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/discounts/{id}";
            readonly input: "none";
        };
        /** Update a discount. */
        readonly update: {
            readonly method: "PATCH";
            readonly path: "/discounts/{id}";
            readonly input: "body";
        };
        /** Archive a discount. */
        readonly archive: {
            readonly method: "POST";
            readonly path: "/discounts/{id}/archive";
            readonly input: "none";
        };
        /** List discount redemptions. */
        readonly listRedemptions: {
            readonly method: "GET";
            readonly path: "/discounts/{id}/redemptions";
            readonly input: "list";
        };
    };
    readonly events: {
        /** List events. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/events";
            readonly input: "list";
        };
        /** Get an event. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/events/{id}";
            readonly input: "none";
        };
    };
    readonly inventories: {
        /** Adjust inventory of many variants. */
        readonly adjust: {
            readonly method: "POST";
            readonly path: "/products/inventory";
            readonly input: "body";
        };
    };
    readonly inventory: {
        /** Set or adjust inventory. */
        readonly adjust: {
            readonly method: "POST";
            readonly path: "/products/{id}/variants/{variantId}/inventory";
            readonly input: "body";
        };
        /** List inventory movements. */
        readonly listMovements: {
            readonly method: "GET";
            readonly path: "/products/{id}/variants/{variantId}/movements";
            readonly input: "list";
        };
    };
    readonly openApiDocument: {
        /** Get the OpenAPI document. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/openapi.json";
            readonly input: "none";
        };
    };
    readonly orders: {
        /** List orders. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/orders";
            readonly input: "list";
        };
        /** Create an order. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/orders";
            readonly input: "body";
        };
        /** Preview an order. */
        readonly preview: {
            readonly method: "POST";
            readonly path: "/orders/preview";
            readonly input: "body";
        };
        /** Get an order. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/orders/{id}";
            readonly input: "none";
        };
        /** Update an order. */
        readonly update: {
            readonly method: "PATCH";
            readonly path: "/orders/{id}";
            readonly input: "body";
        };
        /** Create an order comment. */
        readonly createComment: {
            readonly method: "POST";
            readonly path: "/orders/{id}/comments";
            readonly input: "body";
        };
        /** List order comments. */
        readonly listComments: {
            readonly method: "GET";
            readonly path: "/orders/{id}/comments";
            readonly input: "list";
        };
        /** Change an order status. */
        readonly transition: {
            readonly method: "POST";
            readonly path: "/orders/{id}/transition";
            readonly input: "body";
        };
        /** Cancel an order. */
        readonly cancel: {
            readonly method: "POST";
            readonly path: "/orders/{id}/cancel";
            readonly input: "body";
        };
    };
    readonly payments: {
        /** Record a payment. */
        readonly record: {
            readonly method: "POST";
            readonly path: "/orders/{id}/payments";
            readonly input: "body";
        };
        /** Void a payment. */
        readonly void: {
            readonly method: "POST";
            readonly path: "/payments/{id}/void";
            readonly input: "body";
        };
        /** List payments. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/payments";
            readonly input: "list";
        };
        /** Create a payment link. */
        readonly createLink: {
            readonly method: "POST";
            readonly path: "/orders/{id}/payment-link";
            readonly input: "body";
        };
        /** Get a payment link. */
        readonly getLink: {
            readonly method: "GET";
            readonly path: "/orders/{id}/payment-link";
            readonly input: "none";
        };
        /** Get a payment. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/payments/{id}";
            readonly input: "none";
        };
    };
    readonly predictiveSchedules: {
        /** Schedule a just-in-time rider. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/logistics/predictive-schedule";
            readonly input: "body";
        };
    };
    readonly prices: {
        /** Update prices. */
        readonly update: {
            readonly method: "POST";
            readonly path: "/products/prices";
            readonly input: "body";
        };
    };
    readonly products: {
        /** List products. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/products";
            readonly input: "list";
        };
        /** Create a product. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/products";
            readonly input: "body";
        };
        /** Get a product. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/products/{id}";
            readonly input: "none";
        };
        /** Update a product. */
        readonly update: {
            readonly method: "PATCH";
            readonly path: "/products/{id}";
            readonly input: "body";
        };
        /** Delete a product. */
        readonly delete: {
            readonly method: "DELETE";
            readonly path: "/products/{id}";
            readonly input: "none";
        };
    };
    readonly quotes: {
        /** Create a quote. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/logistics/quote";
            readonly input: "body";
        };
    };
    readonly refunds: {
        /** List refunds. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/refunds";
            readonly input: "list";
        };
        /** Create a refund. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/refunds";
            readonly input: "body";
        };
        /** Get a refund. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/refunds/{id}";
            readonly input: "none";
        };
        /** Set refund bank details. */
        readonly setBankDetails: {
            readonly method: "POST";
            readonly path: "/refunds/{id}/bank-details";
            readonly input: "body";
        };
        /** Cancel a refund. */
        readonly cancel: {
            readonly method: "POST";
            readonly path: "/refunds/{id}/cancel";
            readonly input: "none";
        };
    };
    readonly remittances: {
        /** Get remittances. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/logistics/remittances";
            readonly input: "none";
        };
        /** Record a remittance. */
        readonly record: {
            readonly method: "POST";
            readonly path: "/logistics/remittances";
            readonly input: "body";
        };
        /** Void a remittance. */
        readonly void: {
            readonly method: "POST";
            readonly path: "/logistics/remittances/{id}/void";
            readonly input: "body";
        };
    };
    readonly returns: {
        /** Create a return. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/orders/{id}/returns";
            readonly input: "body";
        };
        /** List returns. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/returns";
            readonly input: "list";
        };
        /** Get a return. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/returns/{id}";
            readonly input: "none";
        };
        /** Change a return status. */
        readonly transition: {
            readonly method: "POST";
            readonly path: "/returns/{id}/transition";
            readonly input: "body";
        };
        /** Receive a return. */
        readonly receive: {
            readonly method: "POST";
            readonly path: "/returns/{id}/receive";
            readonly input: "body";
        };
    };
    readonly salesReports: {
        /** Get the sales report. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/reports/sales";
            readonly input: "query";
        };
    };
    readonly shipments: {
        /** Dispatch a shipment. */
        readonly dispatch: {
            readonly method: "POST";
            readonly path: "/logistics/dispatch";
            readonly input: "body";
        };
        /** List shipments. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/logistics/shipments";
            readonly input: "list";
        };
        /** Get a shipment. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/logistics/shipments/{id}";
            readonly input: "none";
        };
        /** Cancel a shipment. */
        readonly cancel: {
            readonly method: "POST";
            readonly path: "/logistics/shipments/{id}/cancel";
            readonly input: "body";
        };
        /** Get shipment tracking. */
        readonly track: {
            readonly method: "GET";
            readonly path: "/logistics/shipments/{id}/track";
            readonly input: "query";
        };
    };
    readonly surge: {
        /** Get the surge multiplier. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/logistics/surge";
            readonly input: "query";
        };
    };
    readonly testClocks: {
        /** Get the test clock. */
        readonly get: {
            readonly method: "GET";
            readonly path: "/test/clock";
            readonly input: "none";
        };
        /** Advance the test clock. */
        readonly advance: {
            readonly method: "POST";
            readonly path: "/test/clock/advance";
            readonly input: "body";
        };
    };
    readonly triggers: {
        /** Run a trigger. */
        readonly run: {
            readonly method: "POST";
            readonly path: "/test/triggers";
            readonly input: "body";
        };
    };
    readonly variants: {
        /** Create a variant. */
        readonly create: {
            readonly method: "POST";
            readonly path: "/products/{id}/variants";
            readonly input: "body";
        };
        /** Update a variant. */
        readonly update: {
            readonly method: "PATCH";
            readonly path: "/products/{id}/variants/{variantId}";
            readonly input: "body";
        };
        /** Delete a variant. */
        readonly delete: {
            readonly method: "DELETE";
            readonly path: "/products/{id}/variants/{variantId}";
            readonly input: "none";
        };
    };
    readonly zones: {
        /** List delivery zones. */
        readonly list: {
            readonly method: "GET";
            readonly path: "/logistics/zones";
            readonly input: "list";
        };
    };
};
