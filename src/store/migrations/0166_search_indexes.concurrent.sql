-- The indexes of the searches, over the keys of 0165 instead of the letters in lower case. The phone number is stored as
-- +2348031234567; its key also has the number as people dial it, 08031234567.
-- A release that still searches by the dropped indexes finds the same rows, by reading the list in order.
-- A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently orders_by_search_key on orders using gin (
  merchant_id,
  search_key(
    number || e'\n' || customer_name || e'\n' || customer_email
    || coalesce(e'\n' || customer_phone || e'\n0' || substr(customer_phone, 5), '')
  ) gin_trgm_ops
)
with (fastupdate = on, gin_pending_list_limit = 1024);
create index concurrently customers_by_search_key on customers using gin (
  merchant_id,
  search_key(name || e'\n' || email || coalesce(e'\n' || phone || e'\n0' || substr(phone, 5), '')) gin_trgm_ops
)
where deleted_at is null;
create index concurrently products_by_search_key on products using gin (
  merchant_id,
  search_key(title || e'\n' || coalesce(brand, '') || e'\n' || coalesce(category, '') || e'\n' || skus) gin_trgm_ops
);
create index concurrently products_by_category_key
on products (merchant_id, search_key(category), created_at desc, id desc);

-- How many rows hold a text decides between an index and the list's own order; a sample of a hundred cannot tell.
alter index orders_by_search_key alter column 2 set statistics 500;
alter index products_by_search_key alter column 2 set statistics 500;
-- PostgreSQL does not use the statistics of an index that is partial.
create statistics if not exists customers_search_key
on search_key(name || e'\n' || email || coalesce(e'\n' || phone || e'\n0' || substr(phone, 5), '')) from customers;
alter statistics customers_search_key set statistics 500;
-- Without statistics of the new expressions the planner would not choose the indexes.
analyze orders, customers, products;

drop statistics if exists customers_text;
drop index concurrently orders_search;
drop index concurrently customers_by_text;
drop index concurrently products_search;
drop index concurrently products_by_category;
