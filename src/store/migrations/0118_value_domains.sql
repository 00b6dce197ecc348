-- Allowed values of single columns become domains. PostgreSQL parses the stored expression of every check constraint of a table
-- for each statement that writes to the table, which took a tenth of the CPU time of a refund. The constraint of a domain is
-- parsed once per connection, and evaluated only for columns that a statement assigns.
--
-- No statement here reads the tables: the domains are still without constraints, a domain over the type of a column needs no
-- rewrite, and constraints are added as `not valid`. They apply to new rows at once. The next migration validates those of tables.
-- Those of domains stay `not valid`: the dropped constraints have checked every stored row, and `alter domain ... validate` would
-- block writes while it reads the tables. A later migration can drop the constraint of a domain and add a wider one in the same
-- way, without reading a table.
-- squawk-ignore-file changing-column-type, ban-alter-domain-with-add-constraint
create domain positive_integer as integer;
create domain unsigned_integer as integer;
create domain share_bps as integer;
create domain positive_kobo as bigint;
create domain jsonb_record as jsonb;
create domain sha256_hash as bytea;
create domain idempotency_key as text collate "C";
create domain actor_type as text;
create domain payment_method as text;
create domain payment_provider as text;
create domain order_status as text;
create domain order_held_status as text;
create domain order_cancel_reason as text;
create domain order_source as text;
create domain refund_status as text;
create domain refund_reason as text;
create domain refund_destination as text;

-- A trigger or a check constraint that names a column prevents or repeats work when the type of the column changes.
drop trigger order_moves_as_published on orders;
alter table orders
drop constraint order_status_is_known,
drop constraint order_is_held_from_pending_or_processing,
drop constraint order_cancel_reason_is_known,
drop constraint order_payment_method_is_known,
drop constraint order_source_is_known,
drop constraint order_tax_rate_is_a_share,
drop constraint order_version_starts_at_1,
-- Implied by order_fulfils_no_more_than_its_items.
drop constraint order_item_quantity_is_not_negative,
drop constraint order_cancel_reason_is_given_iff_cancelled,
drop constraint order_cancel_time_is_set_iff_cancelled,
drop constraint order_expires_only_while_pending,
drop constraint order_has_a_held_from_iff_on_hold;
alter table orders
alter column status type order_status,
alter column held_from type order_held_status,
alter column cancel_reason type order_cancel_reason,
alter column payment_method type payment_method,
alter column source type order_source,
alter column tax_rate_bps type share_bps,
alter column version type positive_integer;
alter table orders
add constraint order_cancel_reason_is_given_iff_cancelled
check ((status = 'cancelled') = (cancel_reason is not null)) not valid,
add constraint order_cancel_time_is_set_iff_cancelled
check ((status = 'cancelled') = (cancelled_at is not null)) not valid,
add constraint order_expires_only_while_pending check (expires_at is null or status = 'pending') not valid,
add constraint order_has_a_held_from_iff_on_hold
check ((status = 'on_hold') = (held_from is not null)) not valid;
create trigger order_moves_as_published
before update of status on orders
for each row
when (old.status is distinct from new.status)
execute function order_moves_as_published();
alter table orders enable always trigger order_moves_as_published;

alter table order_items
drop constraint item_tax_rate_is_a_share,
drop constraint item_quantity_is_positive,
drop constraint item_is_fulfilled_or_cancelled_once,
drop constraint item_refunds_no_more_than_was_ordered,
drop constraint item_subtotal_adds_up;
alter table order_items
alter column tax_rate_bps type share_bps,
alter column quantity type positive_integer;
alter table order_items
add constraint item_is_fulfilled_or_cancelled_once
check (fulfilled_quantity + cancelled_quantity <= quantity) not valid,
add constraint item_refunds_no_more_than_was_ordered check (refunded_quantity <= quantity) not valid,
add constraint item_subtotal_adds_up check (subtotal_kobo = unit_price_kobo * quantity) not valid;

alter table order_status_changes drop constraint status_change_actor_type_is_known;
alter table order_status_changes alter column actor_type type actor_type;

alter table payments
drop constraint payment_method_is_known,
drop constraint payment_provider_is_known,
drop constraint payment_amount_is_positive,
drop constraint payment_dispute_loss_is_within_its_amount;
alter table payments
alter column method type payment_method,
alter column provider type payment_provider,
alter column amount_kobo type positive_kobo;
alter table payments
add constraint payment_dispute_loss_is_within_its_amount check (dispute_lost_kobo <= amount_kobo) not valid;

drop trigger refund_moves_as_published on refunds;
alter table refunds
drop constraint refund_status_is_known,
drop constraint refund_reason_is_a_code,
drop constraint refund_destination_is_known,
drop constraint refund_provider_is_known,
drop constraint refund_creator_type_is_known,
drop constraint refund_amount_is_positive,
drop constraint refund_checks_are_not_negative,
drop constraint refund_by_provider_is_of_a_payment,
drop constraint refund_failure_has_a_time,
drop constraint refund_success_has_a_time,
drop constraint refund_is_checked_only_while_it_may_change,
drop constraint refund_names_an_account_iff_it_goes_to_one,
drop constraint refund_tax_is_within_its_amount;
alter table refunds
alter column status type refund_status,
alter column reason type refund_reason,
alter column destination type refund_destination,
alter column provider type payment_provider,
alter column created_by_type type actor_type,
alter column amount_kobo type positive_kobo,
alter column checks type unsigned_integer;
alter table refunds
add constraint refund_by_provider_is_of_a_payment check (provider = 'manual' or payment_id is not null) not valid,
add constraint refund_failure_has_a_time check ((status = 'failed') = (failed_at is not null)) not valid,
add constraint refund_success_has_a_time check (status <> 'succeeded' or succeeded_at is not null) not valid,
add constraint refund_is_checked_only_while_it_may_change
check (next_check_at is null or status not in ('failed', 'cancelled')) not valid,
add constraint refund_names_an_account_iff_it_goes_to_one check (
  num_nonnulls(account_number, bank_code, account_name) = case destination when 'bank_account' then 3 else 0 end
) not valid,
add constraint refund_tax_is_within_its_amount check (tax_kobo <= amount_kobo) not valid;
create trigger refund_moves_as_published
before update of status on refunds
for each row
when (old.status <> new.status)
execute function refund_moves_as_published();

alter table refund_items drop constraint refund_item_quantity_is_positive;
alter table refund_items alter column quantity type positive_integer;

alter table idempotency_keys
drop constraint idempotency_fingerprint_is_32_bytes,
drop constraint idempotency_key_is_1_to_255_characters;
alter table idempotency_keys
alter column fingerprint type sha256_hash,
alter column key type idempotency_key;

alter table audit_log
drop constraint audit_actor_type_is_known,
drop constraint audit_changes_are_an_object,
drop constraint audit_names_its_token_or_member,
drop constraint audit_source_ip_is_known_unless_no_request;
alter table audit_log
alter column actor_type type actor_type,
alter column changes type jsonb_record;
alter table audit_log
add constraint audit_names_its_token_or_member
check (actor_id is not null or actor_type not in ('token', 'member')) not valid,
add constraint audit_source_ip_is_known_unless_no_request
check (source_ip is not null or actor_type in ('operator', 'system')) not valid;

alter domain positive_integer add constraint integer_is_positive check (value >= 1) not valid;
alter domain unsigned_integer add constraint integer_is_not_negative check (value >= 0) not valid;
alter domain share_bps add constraint share_is_0_to_10000_basis_points check (value between 0 and 10000) not valid;
-- The greatest amount is that of the domain kobo.
alter domain positive_kobo
add constraint amount_is_positive_and_at_most_a_billion_naira check (value between 1 and 100000000000) not valid;
alter domain jsonb_record add constraint jsonb_record_is_an_object check (jsonb_typeof(value) = 'object') not valid;
alter domain sha256_hash add constraint hash_is_32_bytes check (octet_length(value) = 32) not valid;
alter domain idempotency_key
add constraint idempotency_key_is_1_to_255_characters check (char_length(value) between 1 and 255) not valid;
alter domain actor_type
add constraint actor_type_is_known check (value in ('token', 'member', 'operator', 'provider', 'system')) not valid;
alter domain payment_method
add constraint payment_method_is_known
check (value in ('card', 'bank_transfer', 'pay_on_delivery', 'ussd', 'cash', 'other')) not valid;
alter domain payment_provider
add constraint payment_provider_is_known check (value in ('manual', 'paystack')) not valid;
alter domain order_status
add constraint order_status_is_known
check (value in ('pending', 'on_hold', 'processing', 'shipped', 'delivered', 'returned', 'cancelled')) not valid;
alter domain order_held_status
add constraint order_is_held_from_pending_or_processing check (value in ('pending', 'processing')) not valid;
alter domain order_cancel_reason
add constraint order_cancel_reason_is_known check (
  value in ('customer', 'payment_declined', 'fraud', 'inventory', 'staff_error', 'expired', 'other')
) not valid;
alter domain order_source
add constraint order_source_is_known
check (value in ('api', 'storefront', 'dashboard', 'pos', 'whatsapp', 'instagram', 'other')) not valid;
alter domain refund_status
add constraint refund_status_is_known
check (value in ('pending', 'processing', 'needs_attention', 'succeeded', 'failed', 'cancelled')) not valid;
alter domain refund_reason
add constraint refund_reason_is_a_code check (value ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$') not valid;
alter domain refund_destination
add constraint refund_destination_is_known check (value in ('original_payment', 'bank_account', 'manual')) not valid;
