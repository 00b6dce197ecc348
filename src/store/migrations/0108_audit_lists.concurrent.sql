-- The audit log of a merchant is listed newest first, by actor, by action or by record. Each index returns a page in the order of
-- the list, whatever its position. The actor is the id of a token or member, or the name of an actor without an id.
-- A .concurrent migration runs outside a transaction.
-- squawk-ignore-file ban-concurrent-index-creation-in-transaction
create index concurrently audit_log_by_actor on audit_log (merchant_id, coalesce(actor_id, actor_label), id);
create index concurrently audit_log_by_action on audit_log (merchant_id, action collate "C", id);
create index concurrently audit_log_by_record on audit_log (merchant_id, resource_id, id);
drop index concurrently audit_log_by_resource;
