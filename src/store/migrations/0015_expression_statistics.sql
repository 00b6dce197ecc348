-- PostgreSQL does not use the statistics of an index that is partial. Without any it takes an e-mail address or a SKU for
-- that of one row in two hundred, and would go through the list to find it.
create statistics customers_email_in_lower_case on lower(email) from customers;
create statistics variants_sku_in_lower_case on lower(sku) from product_variants;
create statistics customers_text on (name || e'\n' || email || e'\n' || coalesce(phone, '')) from customers;

-- As for orders: how many rows hold a text decides between the index and the list's own order.
alter statistics customers_text set statistics 500;
