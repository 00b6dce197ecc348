-- DO NOT EDIT. Written by `npm run generate` from the migrated schema. The migrations are in src/store/migrations.

create domain actor_type as text
  constraint actor_type_is_known CHECK ((VALUE = ANY (ARRAY['token'::text, 'member'::text, 'operator'::text, 'provider'::text, 'system'::text]))) NOT VALID;

create domain idempotency_key as text collate "C"
  constraint idempotency_key_is_1_to_255_characters CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 255))) NOT VALID;

create domain jsonb_record as jsonb
  constraint jsonb_record_is_an_object CHECK ((jsonb_typeof(VALUE) = 'object'::text)) NOT VALID;

create domain kobo as bigint
  constraint kobo_is_at_most_a_billion_naira CHECK (((VALUE >= 0) AND (VALUE <= '100000000000'::bigint)));

create domain order_cancel_reason as text
  constraint order_cancel_reason_is_known CHECK ((VALUE = ANY (ARRAY['customer'::text, 'payment_declined'::text, 'fraud'::text, 'inventory'::text, 'staff_error'::text, 'expired'::text, 'other'::text]))) NOT VALID;

create domain order_held_status as text
  constraint order_is_held_from_pending_or_processing CHECK ((VALUE = ANY (ARRAY['pending'::text, 'processing'::text]))) NOT VALID;

create domain order_source as text
  constraint order_source_is_known CHECK ((VALUE = ANY (ARRAY['api'::text, 'storefront'::text, 'dashboard'::text, 'pos'::text, 'whatsapp'::text, 'instagram'::text, 'other'::text]))) NOT VALID;

create domain order_status as text
  constraint order_status_is_known CHECK ((VALUE = ANY (ARRAY['pending'::text, 'on_hold'::text, 'processing'::text, 'shipped'::text, 'delivered'::text, 'returned'::text, 'cancelled'::text]))) NOT VALID;

create domain payment_method as text
  constraint payment_method_is_known CHECK ((VALUE = ANY (ARRAY['card'::text, 'bank_transfer'::text, 'pay_on_delivery'::text, 'ussd'::text, 'cash'::text, 'other'::text]))) NOT VALID;

create domain payment_provider as text
  constraint payment_provider_is_known CHECK ((VALUE = ANY (ARRAY['manual'::text, 'paystack'::text, 'flutterwave'::text]))) NOT VALID;

create domain positive_integer as integer
  constraint integer_is_positive CHECK ((VALUE >= 1)) NOT VALID;

create domain positive_kobo as bigint
  constraint amount_is_positive_and_at_most_a_billion_naira CHECK (((VALUE >= 1) AND (VALUE <= '100000000000'::bigint))) NOT VALID;

create domain record_id as text collate "C";

create domain refund_destination as text
  constraint refund_destination_is_known CHECK ((VALUE = ANY (ARRAY['original_payment'::text, 'bank_account'::text, 'manual'::text]))) NOT VALID;

create domain refund_reason as text
  constraint refund_reason_is_1_to_100_characters CHECK (((char_length(VALUE) >= 1) AND (char_length(VALUE) <= 100))) NOT VALID;

create domain refund_status as text
  constraint refund_status_is_known CHECK ((VALUE = ANY (ARRAY['pending'::text, 'processing'::text, 'needs_attention'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))) NOT VALID;

create domain sha256_hash as bytea
  constraint hash_is_32_bytes CHECK ((octet_length(VALUE) = 32)) NOT VALID;

create domain share_bps as integer
  constraint share_is_0_to_10000_basis_points CHECK (((VALUE >= 0) AND (VALUE <= 10000))) NOT VALID;

create domain unsigned_integer as integer
  constraint integer_is_not_negative CHECK ((VALUE >= 0)) NOT VALID;

CREATE OR REPLACE FUNCTION public.analyze_seeded_tables()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  analyze
    products, product_variants, customers, orders, order_items, payments, order_status_changes, stock_movements, inventory;
end
$function$;

CREATE OR REPLACE FUNCTION public.attach_empty_default_partition(parent text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform require_rotated(parent, parent || '_000000');
  execute format('truncate %I', parent || '_default');
  execute format('alter table %I attach partition %I default', parent, parent || '_default');
end
$function$;

CREATE OR REPLACE FUNCTION public.attach_partition(parent text, partition text, from_id text, to_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform require_rotated(parent, partition);
  execute format('alter table %I rename to %I', partition || '_staging', partition);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition, from_id, to_id);
  execute format('alter table %I drop constraint partition_holds_its_month', partition);
  -- From here on, the privileges on the parent apply. An owner keeps its own.
  if session_user <> current_user then
    execute format('revoke all on %I from %I', partition, session_user);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.detach_default_partition(parent text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform require_rotated(parent, parent || '_000000');
  execute format('alter table %I detach partition %I', parent, parent || '_default');
end
$function$;

CREATE OR REPLACE FUNCTION public.document_moved_back(document jsonb, span interval)
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  case jsonb_typeof(document)
    when 'object' then
      return (select coalesce(jsonb_object_agg(key, document_moved_back(value, span)), '{}') from jsonb_each(document));
    when 'array' then
      return (
        select coalesce(jsonb_agg(document_moved_back(value, span) order by position), '[]')
        from jsonb_array_elements(document) with ordinality as element (value, position)
      );
    when 'string' then
      if document #>> '{}' ~ '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$' then
        return to_jsonb(
          to_char(((document #>> '{}')::timestamptz - span) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        );
      end if;
      return document;
    else
      return document;
  end case;
end
$function$;

CREATE OR REPLACE FUNCTION public.drop_partition(parent text, partition text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform require_rotated(parent, partition);
  execute format('alter table %I detach partition %I', parent, partition);
  execute format('drop table %I', partition);
end
$function$;

CREATE OR REPLACE FUNCTION public.gather_skus()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed product_variants := coalesce(new, old);
  gathered text;
begin
  if current_setting('commerce.gathered_product', true) = changed.merchant_id || changed.product_id then
    return null;
  end if;
  perform set_config('commerce.gathered_product', changed.merchant_id || changed.product_id, true);
  select coalesce(string_agg(sku, e'\n' order by position, id), '')
  into gathered
  from product_variants
  where merchant_id = changed.merchant_id and product_id = changed.product_id and removed_at is null;
  update products
  set skus = gathered
  where merchant_id = changed.merchant_id and id = changed.product_id and skus <> gathered;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.is_in_test_mode(of_merchant text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select from merchants where id = of_merchant and mode = 'test')
$function$;

CREATE OR REPLACE FUNCTION public.issue_receipt(of_merchant text, of_order text)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  paid timestamptz;
  issued integer;
begin
  select number into issued
  from receipts
  where merchant_id = of_merchant and order_id = of_order;
  if issued is not null then
    return issued;
  end if;
  select paid_at into paid
  from orders
  where merchant_id = of_merchant and id = of_order;
  if paid is null then
    return null;
  end if;
  insert into receipt_counters as counter (merchant_id, last_number)
  values (of_merchant, 1)
  on conflict (merchant_id) do update set last_number = counter.last_number + 1
  returning last_number into issued;
  insert into receipts (merchant_id, number, order_id, issued_at)
  values (of_merchant, issued, of_order, paid)
  on conflict (merchant_id, order_id) do nothing;
  if not found then
    -- Another transaction has issued the receipt while this one waited for the counter.
    update receipt_counters set last_number = last_number - 1 where merchant_id = of_merchant;
    select number into issued
    from receipts
    where merchant_id = of_merchant and order_id = of_order;
  end if;
  return issued;
end
$function$;

CREATE OR REPLACE FUNCTION public.issue_receipt_of_row()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform issue_receipt(new.merchant_id, new.id);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.lock_for_rotation(parent text, includes_partitions boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform require_rotated(parent, parent || '_000000');
  if includes_partitions then
    execute format('lock table %I in access exclusive mode', parent);
  else
    execute format('lock table only %I, %I in access exclusive mode', parent, parent || '_default');
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.move_times_back(of_merchant text, of_table text, fixed text[], documents text[], by_ms bigint)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  assignments text;
begin
  if not is_in_test_mode(of_merchant) then
    raise exception 'Merchant % is in live mode, so its times do not move.', of_merchant
      using errcode = 'check_violation', constraint = 'moved_times_are_of_a_test_merchant', table = of_table;
  end if;
  if by_ms <= 0 then
    raise exception 'Times do not move forward.'
      using errcode = 'check_violation', constraint = 'times_move_back', table = of_table;
  end if;
  select string_agg(
    case when attname = any(documents) then format('%1$I = document_moved_back(%1$I, $2)', attname)
      else format('%1$I = %1$I - $2', attname) end,
    ', ' order by attnum
  )
  into assignments
  from pg_attribute
  where attrelid = format('public.%I', of_table)::regclass
    and attnum > 0
    and not attisdropped
    and (atttypid = 'timestamptz'::regtype and attname <> all(fixed) or attname = any(documents));
  if assignments is not null then
    execute format('update %I set %s where merchant_id = $1', of_table, assignments)
    using of_merchant, make_interval(secs => by_ms / 1000.0);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.moves_only_times(old_row jsonb, new_row jsonb, times text[])
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select old_row - times = new_row - times
    and (
      select count(distinct span) = 1 and min(span) > interval '0' and bool_and((old_time is null) = (new_time is null))
      from unnest(times) as moved (name)
      cross join lateral (
        select (old_row ->> name)::timestamptz as old_time, (new_row ->> name)::timestamptz as new_time
      ) as times
      cross join lateral (select old_time - new_time as span) as spans
    )
    and is_in_test_mode(new_row ->> 'merchant_id')
$function$;

CREATE OR REPLACE FUNCTION public.order_is_returned_with_its_units()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (
    select
    from orders
    where orders.merchant_id = new.merchant_id
      and orders.id = new.id
      and orders.status in ('processing', 'shipped', 'delivered')
      and orders.returned_quantity = orders.item_quantity
      and orders.item_quantity > 0
      -- Units that came back may be in another shipment.
      and not exists (
        select
        from shipments
        where shipments.merchant_id = orders.merchant_id
          and shipments.order_id = orders.id
          and shipments.ended_at is null
          and shipments.items <> '[]'
      )
  ) then
    raise exception 'Every unit of order % is back, so the order must be returned.', new.id
      using errcode = 'check_violation', constraint = 'order_is_returned_with_its_units', table = 'orders';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.order_moves_as_published()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.status, new.status) not in (
    ('pending', 'on_hold'),
    ('pending', 'processing'),
    ('pending', 'cancelled'),
    ('on_hold', 'pending'),
    ('on_hold', 'processing'),
    ('on_hold', 'cancelled'),
    ('processing', 'on_hold'),
    ('processing', 'shipped'),
    ('processing', 'delivered'),
    ('processing', 'cancelled'),
    ('shipped', 'processing'),
    ('shipped', 'delivered'),
    ('shipped', 'returned'),
    ('delivered', 'returned')
  ) then
    raise exception 'An order cannot move from % to %.', old.status, new.status
      using errcode = 'check_violation', constraint = 'order_moves_as_published', table = 'orders';
  end if;
  if old.status = 'on_hold' and new.status <> 'cancelled' and new.status <> old.held_from then
    raise exception 'An order on hold is released to % alone.', old.held_from
      using errcode = 'check_violation', constraint = 'order_is_released_to_where_it_was', table = 'orders';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.payment_link_facts_are_final()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.created_at <> old.created_at
    and moves_only_times(
      to_jsonb(old), to_jsonb(new), array['created_at', 'expires_at', 'withdrawn_at', 'key_updated_at']
    )
  then
    return new;
  end if;
  if old.withdrawn_at is not null
    or (old.url is not null and new.url is distinct from old.url)
    or old.key_updated_at is distinct from new.key_updated_at
    or (new.merchant_id, new.id, new.order_id, new.provider, new.reference, new.amount_kobo, new.expires_at, new.created_at)
      is distinct from
      (old.merchant_id, old.id, old.order_id, old.provider, old.reference, old.amount_kobo, old.expires_at, old.created_at)
  then
    raise exception 'The facts of a payment link do not change.'
      using errcode = 'check_violation', constraint = 'payment_link_facts_are_final', table = 'payment_links';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.plain_letters(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = char_length(value)) THEN lower((value COLLATE "C")) ELSE lower((translate(value, (('ƁɓƊɗƘƙƳƴƝɲŊŋƎǝƏəƐɛƆɔƟɵƖɩƱʊƓɠƔɣƇƈƤƥƬƭƲʋƉɖƑƒØøŁłĐđĦħŦŧıÐðʼ‘’ÆŒÞẞ'::text || 'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣςΤΥΦΧΨΩ'::text) || 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ'::text), (('bbddkkyynnnneeeeeeooooiiuuggggccppttvvddffoollddhhttidd''''''æœþß'::text || 'αβγδεζηθικλμνξοπρσστυφχψω'::text) || 'абвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ'::text)) COLLATE "C")) END;

CREATE OR REPLACE FUNCTION public.quantile_at(seconds double precision[], share double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT CASE WHEN (placed.place < (1)::double precision) THEN ((quantile_at.seconds)[1] * placed.place) WHEN (placed.place >= (19)::double precision) THEN ((quantile_at.seconds)[19] + (((quantile_at.seconds)[19] - (quantile_at.seconds)[18]) * (placed.place - (19)::double precision))) ELSE ((quantile_at.seconds)[(floor(placed.place))::integer] + (((quantile_at.seconds)[((floor(placed.place))::integer + 1)] - (quantile_at.seconds)[(floor(placed.place))::integer]) * (placed.place - floor(placed.place)))) END AS "case" FROM (SELECT (quantile_at.share * (20)::double precision) AS place) placed);

CREATE OR REPLACE FUNCTION public.queue_audit()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into public.audit_queue (merchant_id, audit_id, recorded_at)
  values (new.merchant_id, new.id, coalesce(new.recorded_at, new.occurred_at))
  -- A restore of the data into an empty schema inserts the rows of the queue itself, too.
  on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.queue_changed_sale()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into public.sales_changes (merchant_id, day)
  select new.merchant_id, (new.created_at at time zone 'Africa/Lagos')::date
  union
  select new.merchant_id, (refunds.created_at at time zone 'Africa/Lagos')::date
  from public.refunds
  where refunds.merchant_id = new.merchant_id and refunds.order_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.queue_new_sale()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into public.sales_changes (merchant_id, day)
  values (new.merchant_id, (new.created_at at time zone 'Africa/Lagos')::date);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.queue_refunds()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into public.sales_changes (merchant_id, day)
  select distinct new.merchant_id, (refunds.created_at at time zone 'Africa/Lagos')::date
  from public.refunds
  where refunds.merchant_id = new.merchant_id and refunds.order_id = new.order_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.record_all_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.items := coalesce(
    (
      select jsonb_agg(
        jsonb_build_object('itemId', item.id, 'quantity', item.quantity - item.cancelled_quantity)
        order by item.position
      )
      from order_items item
      where item.merchant_id = new.merchant_id
        and item.order_id = new.order_id
        and item.quantity > item.cancelled_quantity
    ),
    '[]'
  );
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION public.refund_moves_as_published()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not (
    old.status = 'pending' and new.status in ('processing', 'needs_attention', 'succeeded', 'failed', 'cancelled')
    or old.status = 'processing' and new.status in ('needs_attention', 'succeeded', 'failed')
    or old.status = 'needs_attention' and new.status in ('processing', 'succeeded', 'failed')
    or old.status = 'succeeded' and new.status = 'failed'
  ) then
    raise exception 'a refund does not move from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'refund_moves_as_published';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  moved record;
  is_moved boolean := false;
begin
  if tg_op = 'UPDATE' and tg_nargs > 0 then
    moved := old;
    case array_to_string(tg_argv::text[], ',')
      when 'created_at' then
        moved.created_at := new.created_at;
        is_moved := new.created_at < old.created_at and moved is not distinct from new;
      when 'issued_at' then
        moved.issued_at := new.issued_at;
        is_moved := new.issued_at < old.issued_at and moved is not distinct from new;
      when 'occurred_at' then
        moved.occurred_at := new.occurred_at;
        is_moved := new.occurred_at < old.occurred_at and moved is not distinct from new;
      else
        is_moved := moves_only_times(to_jsonb(old), to_jsonb(new), tg_argv::text[]);
    end case;
    if is_moved and is_in_test_mode(new.merchant_id) then
      return new;
    end if;
  end if;
  raise exception '% is append-only: % is refused', tg_table_name, lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Write a new row that says what changed.';
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change_of_attempt()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  moved record;
begin
  if tg_op = 'UPDATE' then
    moved := old;
    moved.started_at := new.started_at;
    moved.finished_at := new.finished_at;
    if new.started_at < old.started_at
      and old.started_at - new.started_at = old.finished_at - new.finished_at
      and moved is not distinct from new
      and is_in_test_mode(new.merchant_id)
    then
      return new;
    end if;
    if new.response_body is null and to_jsonb(new) - 'response_body' = to_jsonb(old) - 'response_body' then
      return new;
    end if;
  end if;
  raise exception 'webhook_attempts is append-only: % is refused', lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Only response_body may be redacted.';
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change_of_mode()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'The mode of merchant % never changes.', old.id
    using errcode = 'restrict_violation', constraint = 'merchant_mode_never_changes', table = 'merchants';
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change_of_shipment_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  moved record;
begin
  if tg_op = 'UPDATE' then
    moved := old;
    moved.occurred_at := new.occurred_at;
    moved.received_at := new.received_at;
    if new.occurred_at < old.occurred_at
      and old.occurred_at - new.occurred_at = old.received_at - new.received_at
      and moved is not distinct from new
      and is_in_test_mode(new.merchant_id)
    then
      return new;
    end if;
    if new.description <> ''
      and starts_with(old.description, new.description)
      and to_jsonb(new) - 'description' = to_jsonb(old) - 'description'
    then
      return new;
    end if;
  end if;
  raise exception 'shipment_events is append-only: % is refused', lower(tg_op)
    using errcode = 'restrict_violation',
          hint = 'Only the end of a description may be cut off.';
end
$function$;

CREATE OR REPLACE FUNCTION public.require_rotated(parent text, partition text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if parent not in ('webhook_attempts', 'webhook_deliveries', 'webhook_events', 'request_log')
    or partition !~ ('^' || parent || '_[0-9]{6,9}$')
  then
    raise exception '% is not a partition of % by time', partition, parent using errcode = 'invalid_parameter_value';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.require_unchanged(changed_records bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if changed_records = 0 then
    raise exception 'a record has changed since it was read'
      using errcode = 'serialization_failure';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.return_moves_as_published()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.status, new.status) not in (
    ('requested', 'approved'),
    ('requested', 'rejected'),
    ('approved', 'in_transit'),
    ('approved', 'received'),
    ('approved', 'closed'),
    ('in_transit', 'approved'),
    ('in_transit', 'received'),
    ('in_transit', 'closed'),
    ('received', 'closed')
  ) then
    raise exception 'A return cannot move from % to %.', old.status, new.status
      using errcode = 'check_violation', constraint = 'return_moves_as_published', table = 'returns';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.search_key(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(value) = char_length(value)) THEN lower((value COLLATE "C")) ELSE plain_letters(regexp_replace(NORMALIZE(value, NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text)) END;

CREATE OR REPLACE FUNCTION public.search_pattern(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (('%'::text || regexp_replace(search_key(value), '([\\%_])'::text, '\\\1'::text, 'g'::text)) || '%'::text);

CREATE OR REPLACE FUNCTION public.server_identity()
 RETURNS text
 LANGUAGE plpgsql
AS $function$
begin
  return (pg_control_system()).system_identifier
    || '/' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)
    || '/' || extract(epoch from pg_postmaster_start_time())
    || '/' || (select oid from pg_database where datname = current_database())
    || '/' || pg_relation_filenode('refunds');
exception
  when others then
    return null;
end;
$function$;

CREATE OR REPLACE FUNCTION public.set_refund_server()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.created_server := server_identity();
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.share_below(seconds double precision[], value double precision)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT CASE WHEN (counted.below = 0) THEN ((share_below.value / (share_below.seconds)[1]) / (20)::double precision) WHEN (counted.below = 19) THEN LEAST((1)::double precision, ((0.95)::double precision + (((share_below.value - (share_below.seconds)[19]) / NULLIF(((share_below.seconds)[19] - (share_below.seconds)[18]), (0)::double precision)) / (20)::double precision))) ELSE (((counted.below)::double precision + ((share_below.value - (share_below.seconds)[counted.below]) / ((share_below.seconds)[(counted.below + 1)] - (share_below.seconds)[counted.below]))) / (20)::double precision) END AS "case" FROM (SELECT width_bucket(share_below.value, share_below.seconds) AS below) counted);

CREATE OR REPLACE FUNCTION public.shipment_moves_as_published()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.status, new.status) not in (
    ('scheduled', 'dispatching'),
    ('scheduled', 'cancelled'),
    ('dispatching', 'awaiting_courier'),
    ('dispatching', 'courier_assigned'),
    ('dispatching', 'failed'),
    ('dispatching', 'cancelling'),
    ('dispatching', 'cancelled'),
    ('awaiting_courier', 'courier_assigned'),
    ('awaiting_courier', 'at_pickup'),
    ('awaiting_courier', 'picked_up'),
    ('awaiting_courier', 'in_transit'),
    ('awaiting_courier', 'at_dropoff'),
    ('awaiting_courier', 'delivered'),
    ('awaiting_courier', 'delivery_failed'),
    ('awaiting_courier', 'returning'),
    ('awaiting_courier', 'returned'),
    ('awaiting_courier', 'lost'),
    ('awaiting_courier', 'dispatching'),
    ('awaiting_courier', 'cancelling'),
    ('awaiting_courier', 'cancelled'),
    ('awaiting_courier', 'failed'),
    ('courier_assigned', 'at_pickup'),
    ('courier_assigned', 'picked_up'),
    ('courier_assigned', 'in_transit'),
    ('courier_assigned', 'at_dropoff'),
    ('courier_assigned', 'delivered'),
    ('courier_assigned', 'delivery_failed'),
    ('courier_assigned', 'returning'),
    ('courier_assigned', 'returned'),
    ('courier_assigned', 'lost'),
    ('courier_assigned', 'awaiting_courier'),
    ('courier_assigned', 'dispatching'),
    ('courier_assigned', 'cancelling'),
    ('courier_assigned', 'cancelled'),
    ('courier_assigned', 'failed'),
    ('at_pickup', 'picked_up'),
    ('at_pickup', 'in_transit'),
    ('at_pickup', 'at_dropoff'),
    ('at_pickup', 'delivered'),
    ('at_pickup', 'delivery_failed'),
    ('at_pickup', 'returning'),
    ('at_pickup', 'returned'),
    ('at_pickup', 'lost'),
    ('at_pickup', 'awaiting_courier'),
    ('at_pickup', 'dispatching'),
    ('at_pickup', 'cancelling'),
    ('at_pickup', 'cancelled'),
    ('at_pickup', 'failed'),
    ('picked_up', 'in_transit'),
    ('picked_up', 'at_dropoff'),
    ('picked_up', 'delivered'),
    ('picked_up', 'delivery_failed'),
    ('picked_up', 'returning'),
    ('picked_up', 'returned'),
    ('picked_up', 'lost'),
    ('in_transit', 'at_dropoff'),
    ('in_transit', 'delivered'),
    ('in_transit', 'delivery_failed'),
    ('in_transit', 'returning'),
    ('in_transit', 'returned'),
    ('in_transit', 'lost'),
    ('at_dropoff', 'delivered'),
    ('at_dropoff', 'delivery_failed'),
    ('at_dropoff', 'in_transit'),
    ('at_dropoff', 'returning'),
    ('at_dropoff', 'returned'),
    ('at_dropoff', 'lost'),
    ('delivery_failed', 'in_transit'),
    ('delivery_failed', 'at_dropoff'),
    ('delivery_failed', 'delivered'),
    ('delivery_failed', 'returning'),
    ('delivery_failed', 'returned'),
    ('delivery_failed', 'lost'),
    ('returning', 'returned'),
    ('returning', 'lost'),
    ('returning', 'delivered'),
    ('cancelling', 'cancelled'),
    ('cancelling', 'awaiting_courier'),
    ('cancelling', 'courier_assigned'),
    ('cancelling', 'at_pickup'),
    ('cancelling', 'picked_up'),
    ('cancelling', 'in_transit'),
    ('cancelling', 'at_dropoff'),
    ('cancelling', 'delivered'),
    ('cancelling', 'delivery_failed'),
    ('cancelling', 'returning'),
    ('cancelling', 'returned'),
    ('cancelling', 'lost')
  ) then
    raise exception 'A shipment cannot move from % to %.', old.status, new.status
      using errcode = 'check_violation', constraint = 'shipment_moves_as_published', table = 'shipments';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.shipment_search_text(reference text, customer jsonb)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((reference || COALESCE(('
'::text || (customer ->> 'name'::text)), ''::text)) || COALESCE(((('
'::text || (customer ->> 'phone'::text)) || '
0'::text) || substr((customer ->> 'phone'::text), 5)), ''::text));

CREATE OR REPLACE FUNCTION public.skip_second_lease()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  if exists (
    select from webhook_leases lease
    where lease.merchant_id = new.merchant_id
      and lease.endpoint_id = new.endpoint_id
      and lease.expires_at > clock_timestamp()
      and new.id = any(lease.delivery_ids)
  ) then
    return null;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.stage_partition(parent text, partition text, from_id text, to_id text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  staging text := partition || '_staging';
  partition_key text := case parent when 'webhook_attempts' then 'delivery_id' else 'id' end;
  filtered text;
begin
  perform require_rotated(parent, partition);
  execute format('drop table if exists %I', staging);
  execute format(
    'create table %I (
       like %I including defaults including constraints including indexes,
       constraint partition_holds_its_month check (%I >= %L and %I < %L)
     )',
    staging, parent, partition_key, from_id, partition_key, to_id
  );
  if parent = 'webhook_deliveries' then
    -- The columns in the predicates of partial indexes have no statistics. ANALYZE mostly runs while the queue is empty. The
    -- planner would then estimate these indexes as empty and prefer to scan all deliveries of a merchant.
    foreach filtered in array array['status', 'next_attempt_at', 'lease_until', 'replay_of', 'bulk_replay_id'] loop
      execute format('alter table %I alter column %I set statistics 0', staging, filtered);
    end loop;
  end if;
  -- Rows of the default partition are copied to the table before it is attached.
  execute format('grant select, insert, update, delete on %I to %I', staging, session_user);
end
$function$;

CREATE OR REPLACE FUNCTION public.test_clock_is_of_a_test_merchant()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not is_in_test_mode(new.merchant_id) then
    raise exception 'Merchant % is in live mode and has no test clock.', new.merchant_id
      using errcode = 'check_violation', constraint = 'test_clock_is_of_a_test_merchant', table = 'test_clocks';
  end if;
  return new;
end
$function$;

create table api_tokens (
  merchant_id record_id not null,
  id record_id not null,
  name text not null,
  prefix text not null,
  last_four text not null,
  token_hash bytea not null,
  scopes text[] not null,
  ip_allowlist text[] not null default '{}'::text[],
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  last_used_ip inet,
  rotated_at timestamp(3) with time zone,
  expires_at_before_rotation timestamp(3) with time zone,
  constraint api_tokens_pkey PRIMARY KEY (merchant_id, id),
  constraint token_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint token_allows_at_most_20_networks CHECK ((cardinality(ip_allowlist) <= 20)),
  constraint token_expires_after_it_is_made CHECK ((expires_at > created_at)),
  constraint token_has_a_name CHECK ((name <> ''::text)),
  constraint token_has_a_scope CHECK ((cardinality(scopes) >= 1)),
  constraint token_hash_is_32_bytes CHECK ((octet_length(token_hash) = 32)),
  constraint token_prefix_is_known CHECK ((prefix = ANY (ARRAY['svc_live_'::text, 'svc_test_'::text]))),
  constraint token_shows_four_characters CHECK ((char_length(last_four) = 4))
);
CREATE INDEX api_tokens_by_hash ON public.api_tokens USING btree (token_hash);
comment on table api_tokens is 'An API token of a merchant. Only its hash is stored: the token itself is shown once.';
comment on column api_tokens.rotated_at is 'When the token was first rotated. Null for a token that was never rotated.';
comment on column api_tokens.expires_at_before_rotation is 'When the token would expire if it had not been rotated. Null if never, or if the token was never rotated.';

create table audit_chain (
  merchant_id record_id not null,
  number bigint not null,
  audit_id record_id not null,
  hash bytea not null,
  constraint audit_chain_pkey PRIMARY KEY (merchant_id, number),
  constraint audit_row_is_linked_once UNIQUE (merchant_id, audit_id),
  constraint audit_chain_starts_at_1 CHECK ((number >= 1)),
  constraint audit_hash_is_sha256 CHECK ((octet_length(hash) = 32))
);
CREATE TRIGGER audit_chain_is_never_emptied BEFORE TRUNCATE ON public.audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table audit_chain enable always trigger audit_chain_is_never_emptied;
CREATE TRIGGER audit_chain_rows_never_change BEFORE DELETE OR UPDATE ON public.audit_chain FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table audit_chain enable always trigger audit_chain_rows_never_change;
comment on table audit_chain is 'Hash chain over the audit log of each merchant. Append-only.';
comment on column audit_chain.hash is 'SHA-256 of the previous hash and the audit row.';

create table audit_heads (
  merchant_id record_id not null,
  number bigint not null,
  hash bytea not null,
  sealed_at timestamp(3) with time zone not null,
  key_id text,
  signature bytea,
  constraint audit_heads_pkey PRIMARY KEY (merchant_id, number),
  constraint audit_head_hash_is_sha256 CHECK ((octet_length(hash) = 32)),
  constraint audit_head_names_the_key_of_its_signature CHECK (((key_id IS NULL) = (signature IS NULL)))
);
CREATE TRIGGER audit_heads_is_never_emptied BEFORE TRUNCATE ON public.audit_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table audit_heads enable always trigger audit_heads_is_never_emptied;
CREATE TRIGGER audit_heads_rows_never_change BEFORE DELETE OR UPDATE ON public.audit_heads FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table audit_heads enable always trigger audit_heads_rows_never_change;
comment on table audit_heads is 'Signed last entries of the hash chains. Append-only.';
comment on column audit_heads.key_id is 'Key of the signature. Null while the service has no encryption key.';

create table audit_log (
  merchant_id record_id not null,
  id record_id not null,
  occurred_at timestamp(3) with time zone not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  actor_type actor_type not null,
  actor_id text,
  actor_label text not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  request_id text,
  source_ip inet,
  user_agent text,
  changes jsonb_record not null default '{}'::jsonb,
  recorded_xid bigint default ((pg_current_xact_id())::text)::bigint,
  recorded_at timestamp(3) with time zone default clock_timestamp(),
  session_id record_id,
  resources text[],
  constraint audit_log_pkey PRIMARY KEY (merchant_id, id),
  constraint audit_names_its_token_or_member CHECK (((actor_id IS NOT NULL) OR ((actor_type)::text <> ALL (ARRAY['token'::text, 'member'::text])))),
  constraint audit_source_ip_is_known_unless_no_request CHECK (((source_ip IS NOT NULL) OR ((actor_type)::text = ANY (ARRAY['operator'::text, 'system'::text]))))
);
CREATE INDEX audit_log_by_action ON public.audit_log USING btree (merchant_id, action COLLATE "C", id);
CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (merchant_id, COALESCE(actor_id, actor_label), id);
CREATE INDEX audit_log_by_record ON public.audit_log USING btree (merchant_id, resource_id, id);
CREATE INDEX audit_log_by_xid ON public.audit_log USING brin (recorded_xid) WITH (autosummarize='on');
CREATE TRIGGER audit_log_is_never_emptied BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table audit_log enable always trigger audit_log_is_never_emptied;
CREATE TRIGGER audit_log_rows_are_queued AFTER INSERT ON public.audit_log FOR EACH ROW EXECUTE FUNCTION queue_audit();
CREATE TRIGGER audit_log_rows_never_change BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table audit_log enable always trigger audit_log_rows_never_change;
revoke delete, truncate, update on audit_log from current_user;
comment on table audit_log is 'One committed mutation: the actor, the action, the record, the time and the source. Append-only.';
comment on column audit_log.changes is 'Field name to [before, after]. Personal data appears as "[redacted]", so that anonymising a customer never changes this table.';
comment on column audit_log.recorded_xid is 'Transaction that inserted the row. Null in rows from before the hash chain.';
comment on column audit_log.recorded_at is 'When the database stored the row. Null in rows from before the hash chain.';
comment on column audit_log.session_id is 'Session of the member. Null for other actors and in rows from before the column.';
comment on column audit_log.resources is 'Ids of all records that the change wrote or locked, sorted. Null in rows from before this column.';

create table audit_progress (
  is_only boolean not null default true,
  cluster text not null,
  from_xid bigint not null,
  walk_pass text,
  walk_merchant_id record_id,
  walk_id record_id,
  constraint audit_progress_pkey PRIMARY KEY (is_only),
  constraint audit_progress_has_one_row CHECK (is_only),
  constraint audit_walk_has_a_whole_position CHECK ((num_nulls(walk_pass, walk_merchant_id, walk_id) = ANY (ARRAY[0, 3]))),
  constraint audit_walk_pass_is_known CHECK ((walk_pass = ANY (ARRAY['unrecorded'::text, 'recorded'::text])))
);
comment on table audit_progress is 'Unused. The release before still writes it, so a later release drops it.';
comment on column audit_progress.walk_pass is 'The current pass of a walk through the whole log. Null once the walk has ended.';
comment on column audit_progress.walk_id is 'The last row that the pass has read.';

create table audit_queue (
  merchant_id record_id not null,
  audit_id record_id not null,
  recorded_at timestamp(3) with time zone not null,
  constraint audit_queue_pkey PRIMARY KEY (merchant_id, audit_id)
);
comment on table audit_queue is 'Audit rows that are not in the hash chain of their merchant yet.';
comment on column audit_queue.recorded_at is 'When the database stored the audit row.';

create table audit_resources (
  merchant_id record_id not null,
  resource_id record_id not null,
  audit_id record_id not null,
  constraint audit_resources_pkey PRIMARY KEY (merchant_id, resource_id, audit_id)
);
CREATE TRIGGER audit_resources_is_never_emptied BEFORE TRUNCATE ON public.audit_resources FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table audit_resources enable always trigger audit_resources_is_never_emptied;
CREATE TRIGGER audit_resources_rows_never_change BEFORE DELETE OR UPDATE ON public.audit_resources FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table audit_resources enable always trigger audit_resources_rows_never_change;
revoke delete, truncate, update on audit_resources from current_user;
comment on table audit_resources is 'The ids in audit_log.resources, except that of the resource itself.';

create table carrier_accounts (
  merchant_id record_id not null,
  carrier text not null,
  sealed_credentials bytea not null,
  hint text not null,
  callback_key text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint carrier_accounts_pkey PRIMARY KEY (merchant_id, carrier),
  constraint carrier_account_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint carrier_account_has_a_callback_key CHECK ((callback_key ~ '^[0-9A-Za-z]{32}$'::text)),
  constraint carrier_account_is_of_a_known_carrier CHECK ((carrier = ANY (ARRAY['chowdeck'::text, 'fez'::text, 'shipbubble'::text]))),
  constraint carrier_account_is_sealed CHECK (((get_byte(sealed_credentials, 0) = 1) AND (octet_length(sealed_credentials) > 33))),
  constraint carrier_account_shows_four_characters CHECK ((char_length(hint) = 4))
);
comment on table carrier_accounts is 'Credentials of a merchant at a carrier, sealed with the service''s encryption key.';
comment on column carrier_accounts.hint is 'Last characters of a key or of a user name, by which the merchant recognises the account.';
comment on column carrier_accounts.callback_key is 'Random last segment of the callback URL. It stays the same when the credentials change.';

create table carrier_address_codes (
  merchant_id record_id not null,
  carrier text not null,
  account_digest text not null,
  address_digest text not null,
  code bigint not null,
  created_at timestamp(3) with time zone not null,
  constraint carrier_address_codes_pkey PRIMARY KEY (merchant_id, carrier, account_digest, address_digest),
  constraint address_code_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint address_code_digests_are_sha_256 CHECK (((char_length(account_digest) = 43) AND (char_length(address_digest) = 43)))
);
comment on table carrier_address_codes is 'Address codes of carriers. Carriers charge for each code, so it is stored and reused per account. Only a digest of the address is stored.';

create table carrier_assignment_times (
  carrier text not null,
  zone_id text not null,
  is_on_demand boolean not null,
  sample_size integer not null,
  p95_seconds double precision,
  rolled_up_at timestamp(3) with time zone not null,
  constraint carrier_assignment_times_pkey PRIMARY KEY (carrier, zone_id, is_on_demand),
  constraint assignment_sample_size_is_positive CHECK ((sample_size > 0)),
  constraint assignment_seconds_are_not_negative CHECK ((p95_seconds >= (0)::double precision))
);
comment on table carrier_assignment_times is '95th percentile of the seconds from a carrier''s acceptance to the assignment of a rider.';
comment on column carrier_assignment_times.p95_seconds is 'Null when too many attempts ended without a rider to determine the percentile.';

create table carrier_call_windows (
  merchant_id record_id not null,
  carrier text not null,
  account_digest text not null,
  minute_at timestamp with time zone not null,
  minute_calls integer not null,
  second_at timestamp with time zone not null,
  second_calls integer not null,
  constraint carrier_call_windows_pkey PRIMARY KEY (merchant_id, carrier, account_digest),
  constraint call_window_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
comment on table carrier_call_windows is 'Calls of a carrier account in the current minute and second, counted over all processes.';

create table carrier_callbacks (
  merchant_id record_id not null,
  id record_id not null,
  carrier text not null,
  dedupe_hash bytea not null,
  body bytea not null,
  parsed_body jsonb,
  is_trusted boolean not null,
  source_ip inet not null,
  request_id text not null,
  user_agent text,
  received_at timestamp(3) with time zone not null,
  next_attempt_at timestamp(3) with time zone,
  processed_at timestamp(3) with time zone,
  outcome text,
  reason text,
  failures integer not null default 0,
  error text,
  constraint carrier_callbacks_pkey PRIMARY KEY (merchant_id, id),
  constraint carrier_callback_is_stored_once UNIQUE (merchant_id, carrier, dedupe_hash),
  constraint carrier_callback_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint carrier_callback_failed_with_an_error CHECK (((outcome IS DISTINCT FROM 'failed'::text) OR (error IS NOT NULL))),
  constraint carrier_callback_failures_are_not_negative CHECK ((failures >= 0)),
  constraint carrier_callback_has_a_parsed_body_until_processed CHECK (((parsed_body IS NOT NULL) OR (processed_at IS NOT NULL))),
  constraint carrier_callback_hash_is_32_bytes CHECK ((octet_length(dedupe_hash) = 32)),
  constraint carrier_callback_is_due_until_processed CHECK (((next_attempt_at IS NULL) = (processed_at IS NOT NULL))),
  constraint carrier_callback_is_processed_with_an_outcome CHECK (((outcome IS NULL) = (processed_at IS NULL))),
  constraint carrier_callback_outcome_is_known CHECK ((outcome = ANY (ARRAY['applied'::text, 'ignored'::text, 'hint'::text, 'failed'::text])))
);
CREATE INDEX carrier_callbacks_by_order ON public.carrier_callbacks USING gin (jsonb_path_query_array(parsed_body, '$[*].**{1 to 2}?(@.type() == "string")'::jsonpath)) WHERE (octet_length(body) > 0);
CREATE INDEX carrier_callbacks_to_apply ON public.carrier_callbacks USING btree (merchant_id, next_attempt_at, id) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX carrier_callbacks_to_redact ON public.carrier_callbacks USING btree (processed_at) WHERE ((processed_at IS NOT NULL) AND (octet_length(body) > 0));
comment on table carrier_callbacks is 'A callback of a carrier, stored as received before it is processed. A repetition is stored once.';
comment on column carrier_callbacks.body is 'Redacted some time after processing. Its hash remains, so that a repetition is still recognised.';
comment on column carrier_callbacks.parsed_body is 'Parsed when the signature was verified, because the carrier''s secret may have changed by the time of processing. Null after redaction.';
comment on column carrier_callbacks.error is 'Error of the last attempt to apply the callback, for operators. Never shown to a merchant.';

create table carrier_cash (
  merchant_id record_id not null,
  carrier text not null,
  collected_kobo bigint not null,
  remitted_kobo bigint not null,
  constraint carrier_cash_pkey PRIMARY KEY (merchant_id, carrier),
  constraint carrier_remits_no_more_than_it_collected CHECK (((remitted_kobo >= 0) AND (remitted_kobo <= collected_kobo)))
);
comment on table carrier_cash is 'Sums of the cash on delivery that a carrier collected for a merchant, and that it transferred to the merchant.';

create table carrier_records (
  zone_id text not null,
  carrier text not null,
  succeeded double precision not null,
  failed double precision not null,
  rolled_up_at timestamp(3) with time zone not null,
  constraint carrier_records_pkey PRIMARY KEY (zone_id, carrier),
  constraint carrier_record_counts_are_not_negative CHECK (((succeeded >= (0)::double precision) AND (failed >= (0)::double precision)))
);
comment on table carrier_records is 'Weighted outcomes of the dispatch attempts of the last 60 days, by carrier and pickup zone. Newer attempts weigh more. Simulated carriers have rows of their own.';
comment on column carrier_records.zone_id is 'Pickup zone. Empty for all zones.';
comment on column carrier_records.rolled_up_at is 'Time for which the weights were computed.';

create table customer_addresses (
  merchant_id record_id not null,
  customer_id record_id not null,
  id record_id not null,
  recipient_name text,
  phone text,
  line1 text not null,
  line2 text,
  landmark text,
  area text,
  city text not null,
  state text not null,
  country text not null default 'NG'::text,
  postal_code text,
  instructions text,
  latitude double precision,
  longitude double precision,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint customer_addresses_pkey PRIMARY KEY (merchant_id, customer_id, id),
  constraint address_belongs_to_customer FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id) ON DELETE CASCADE,
  constraint address_has_both_coordinates_or_none CHECK (((latitude IS NULL) = (longitude IS NULL))),
  constraint address_is_in_nigeria CHECK ((country = 'NG'::text)),
  constraint address_latitude_is_on_earth CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  constraint address_longitude_is_on_earth CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  constraint address_phone_is_nigerian CHECK ((phone ~ '^\+234[1-9][0-9]{7,9}$'::text))
);
comment on table customer_addresses is 'An address of a customer. Orders store a copy of their own.';

create table customers (
  merchant_id record_id not null,
  id record_id not null,
  name text not null,
  email text not null,
  phone text,
  default_address_id record_id,
  tags text[] not null default '{}'::text[],
  note text,
  marketing jsonb not null default '{}'::jsonb,
  external_reference text,
  status text not null default 'active'::text,
  metadata jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint customers_pkey PRIMARY KEY (merchant_id, id),
  constraint customer_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint customer_default_address_is_their_own FOREIGN KEY (merchant_id, id, default_address_id) REFERENCES customer_addresses(merchant_id, customer_id, id),
  constraint customer_anonymised_has_no_trace CHECK (((status <> 'anonymised'::text) OR ((num_nonnulls(phone, note, default_address_id, external_reference) = 0) AND (email ~~ 'anon-%@anonymised.invalid'::text) AND (tags = '{}'::text[]) AND (marketing = '{}'::jsonb) AND (metadata = '{}'::jsonb)))),
  constraint customer_email_is_trimmed CHECK (((email <> ''::text) AND (email = btrim(email)))),
  constraint customer_has_a_name CHECK ((name <> ''::text)),
  constraint customer_phone_is_nigerian CHECK ((phone ~ '^\+234[1-9][0-9]{7,9}$'::text)),
  constraint customer_status_is_known CHECK ((status = ANY (ARRAY['active'::text, 'anonymised'::text]))),
  constraint customer_version_starts_at_1 CHECK ((version >= 1))
);
CREATE UNIQUE INDEX customer_email_is_used_once ON public.customers USING btree (merchant_id, lower(email)) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX customer_external_reference_is_used_once ON public.customers USING btree (merchant_id, external_reference) WHERE (deleted_at IS NULL);
CREATE INDEX customers_by_mailbox ON public.customers USING btree (merchant_id, regexp_replace(lower(email), '\+[^@]*@'::text, '@'::text));
CREATE INDEX customers_by_phone ON public.customers USING btree (merchant_id, phone) WHERE (phone IS NOT NULL);
CREATE INDEX customers_by_search_key ON public.customers USING gin (merchant_id, search_key((((name || '
'::text) || email) || COALESCE(((('
'::text || phone) || '
0'::text) || substr(phone, 5)), ''::text))) gin_trgm_ops) WHERE (deleted_at IS NULL);
CREATE INDEX customers_by_tag ON public.customers USING gin (merchant_id, tags) WHERE (deleted_at IS NULL);
CREATE INDEX customers_newest_first ON public.customers USING btree (merchant_id, created_at DESC, id DESC);
CREATE STATISTICS public.customers_email_in_lower_case ON lower(email) FROM customers;
CREATE STATISTICS public.customers_search_key ON search_key(((name || '
'::text) || email) || COALESCE((('
'::text || phone) || '
0'::text) || substr(phone, 5), ''::text)) FROM customers;
comment on table customers is 'A customer of one merchant.';

create table delivery_zones (
  id text collate "C" not null,
  name text not null,
  state text not null,
  city text not null,
  lgas text[] not null,
  areas text[] not null,
  centroid_lat double precision not null,
  centroid_lng double precision not null,
  bbox double precision[] not null,
  geometry jsonb not null,
  boundary_status text not null default 'draft'::text,
  service_levels text[] not null,
  operating_hours jsonb not null,
  neighbours text[] not null,
  base_fare_kobo kobo not null,
  per_km_kobo kobo not null,
  included_meters integer not null,
  per_kg_kobo kobo not null,
  included_grams integer not null,
  average_speed_kmh smallint not null,
  active boolean not null default true,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint delivery_zones_pkey PRIMARY KEY (id),
  constraint zone_average_speed_is_plausible CHECK (((average_speed_kmh >= 1) AND (average_speed_kmh <= 120))),
  constraint zone_bbox_has_four_sides CHECK (((cardinality(bbox) = 4) AND (array_position(bbox, NULL::double precision) IS NULL) AND (bbox[1] < bbox[3]) AND (bbox[2] < bbox[4]))),
  constraint zone_boundary_status_is_known CHECK ((boundary_status = ANY (ARRAY['draft'::text, 'checked'::text]))),
  constraint zone_centroid_is_in_nigeria CHECK ((((centroid_lat >= (4)::double precision) AND (centroid_lat <= (14.5)::double precision)) AND ((centroid_lng >= (2.5)::double precision) AND (centroid_lng <= (15)::double precision)))),
  constraint zone_geometry_is_a_multipolygon CHECK ((((geometry ->> 'type'::text) = 'MultiPolygon'::text) AND (jsonb_typeof((geometry -> 'coordinates'::text)) = 'array'::text))),
  constraint zone_has_a_name CHECK ((name <> ''::text)),
  constraint zone_id_is_a_slug CHECK ((id ~ '^[a-z]+(-[a-z0-9]+)+$'::text)),
  constraint zone_includes_a_distance CHECK ((included_meters >= 0)),
  constraint zone_includes_a_weight CHECK ((included_grams >= 0)),
  constraint zone_is_not_its_own_neighbour CHECK ((id <> ALL (neighbours))),
  constraint zone_service_levels_are_known CHECK (((cardinality(service_levels) >= 1) AND (service_levels <@ ARRAY['on_demand'::text, 'same_day'::text, 'next_day'::text, 'standard'::text])))
);
comment on table delivery_zones is 'An area with pickups and deliveries. The initial outlines, names, fares and speeds are estimates: a zone stays a draft until it is verified locally.';
comment on column delivery_zones.geometry is 'GeoJSON MultiPolygon. Adjacent zones share the points of their border, so that a point on it is in exactly one zone.';
comment on column delivery_zones.boundary_status is 'draft: not verified locally; checked: verified locally.';
comment on column delivery_zones.neighbours is 'Zones that are adjacent by road.';
comment on column delivery_zones.average_speed_kmh is 'Average speed of a bike by day, including traffic.';

create table discount_redemptions (
  merchant_id record_id not null,
  id record_id not null,
  discount_id record_id not null,
  order_id record_id not null,
  amount_kobo kobo not null,
  customer_id record_id,
  customer_email text not null,
  customer_phone text,
  created_at timestamp(3) with time zone not null,
  released_at timestamp(3) with time zone,
  constraint discount_redemptions_pkey PRIMARY KEY (merchant_id, id),
  constraint discount_is_redeemed_once_per_order UNIQUE (merchant_id, order_id, discount_id),
  constraint redemption_customer_is_known FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  constraint redemption_is_by_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint redemption_is_of_a_discount FOREIGN KEY (merchant_id, discount_id) REFERENCES discounts(merchant_id, id)
);
CREATE INDEX discount_redemptions_by_customer ON public.discount_redemptions USING btree (merchant_id, discount_id, customer_id) WHERE ((released_at IS NULL) AND (customer_id IS NOT NULL));
CREATE INDEX discount_redemptions_by_email ON public.discount_redemptions USING btree (merchant_id, discount_id, customer_email) WHERE (released_at IS NULL);
CREATE INDEX discount_redemptions_by_phone ON public.discount_redemptions USING btree (merchant_id, discount_id, customer_phone) WHERE ((released_at IS NULL) AND (customer_phone IS NOT NULL));
CREATE INDEX discount_redemptions_newest_first ON public.discount_redemptions USING btree (merchant_id, discount_id, created_at DESC, id DESC);
comment on table discount_redemptions is 'One use of a discount by one order. Released when the order is cancelled or expires unpaid.';
comment on column discount_redemptions.customer_email is 'In lower case and without a +tag, so that the variants of one mailbox count as one customer.';

create table discounts (
  merchant_id record_id not null,
  id record_id not null,
  title text not null,
  code text,
  type text not null,
  percentage_bps integer,
  amount_kobo kobo,
  max_discount_kobo kobo,
  applies_to_scope text not null default 'order'::text,
  applies_to_ids text[] not null default '{}'::text[],
  minimum_subtotal_kobo kobo,
  minimum_quantity integer,
  starts_at timestamp(3) with time zone not null,
  ends_at timestamp(3) with time zone,
  usage_limit integer,
  usage_limit_per_customer integer,
  first_order_only boolean not null default false,
  customer_ids text[],
  combines_with text[] not null default '{}'::text[],
  status text not null default 'active'::text,
  redemption_count integer not null default 0,
  metadata jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint discounts_pkey PRIMARY KEY (merchant_id, id),
  constraint discount_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint discount_amount_is_positive CHECK (((amount_kobo)::bigint > 0)),
  constraint discount_code_is_plain_upper_case CHECK (((code = upper(code)) AND (code ~ '^[A-Z0-9_-]{3,32}$'::text))),
  constraint discount_combines_with_known_classes CHECK ((combines_with <@ ARRAY['order'::text, 'product'::text, 'shipping'::text])),
  constraint discount_ends_after_it_starts CHECK ((ends_at > starts_at)),
  constraint discount_has_a_percentage_iff_percentage CHECK (((type = 'percentage'::text) = (percentage_bps IS NOT NULL))),
  constraint discount_has_a_title CHECK ((title <> ''::text)),
  constraint discount_has_an_amount_iff_fixed CHECK (((type = 'fixed_amount'::text) = (amount_kobo IS NOT NULL))),
  constraint discount_is_capped_only_if_percentage CHECK (((max_discount_kobo IS NULL) OR (type = 'percentage'::text))),
  constraint discount_is_not_used_beyond_its_limit CHECK ((redemption_count <= usage_limit)),
  constraint discount_minimum_quantity_is_positive CHECK ((minimum_quantity >= 1)),
  constraint discount_names_what_it_applies_to CHECK (((applies_to_scope = 'order'::text) = (cardinality(applies_to_ids) = 0))),
  constraint discount_percentage_is_above_0_up_to_100 CHECK (((percentage_bps >= 1) AND (percentage_bps <= 10000))),
  constraint discount_redemption_count_is_not_negative CHECK ((redemption_count >= 0)),
  constraint discount_scope_is_known CHECK ((applies_to_scope = ANY (ARRAY['order'::text, 'products'::text, 'variants'::text]))),
  constraint discount_status_is_known CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text]))),
  constraint discount_type_is_known CHECK ((type = ANY (ARRAY['percentage'::text, 'fixed_amount'::text, 'free_shipping'::text]))),
  constraint discount_usage_limit_is_positive CHECK ((usage_limit >= 1)),
  constraint discount_usage_limit_per_customer_is_positive CHECK ((usage_limit_per_customer >= 1)),
  constraint discount_version_starts_at_1 CHECK ((version >= 1))
);
CREATE UNIQUE INDEX discount_code_is_used_once ON public.discounts USING btree (merchant_id, code) WHERE (status <> 'archived'::text);
CREATE INDEX discounts_newest_first ON public.discounts USING btree (merchant_id, created_at DESC, id DESC);
comment on table discounts is 'A discount with its terms, for orders with its code.';
comment on column discounts.redemption_count is 'Unreleased redemptions, maintained only while usage_limit is set. Without a limit the redemptions are counted instead, so that orders with a popular code do not wait for the lock of this row.';

create table dispatch_attempts (
  merchant_id record_id not null,
  shipment_id record_id not null,
  number integer not null,
  carrier text not null,
  reference text not null,
  state text not null,
  offer jsonb not null,
  price_kobo kobo not null,
  carrier_reference text,
  outcome_code text,
  outcome_message text,
  cancel_fee_kobo kobo,
  duplicate_cost_kobo kobo,
  started_at timestamp(3) with time zone not null,
  answered_at timestamp(3) with time zone,
  resolved_at timestamp(3) with time zone,
  not_found_count integer not null default 0,
  not_found_since timestamp(3) with time zone,
  checks integer not null default 0,
  next_check_at timestamp(3) with time zone,
  assign_deadline timestamp(3) with time zone,
  monitor_until timestamp(3) with time zone,
  constraint dispatch_attempts_pkey PRIMARY KEY (merchant_id, shipment_id, number),
  constraint attempt_reference_is_used_once UNIQUE (merchant_id, reference),
  constraint attempt_is_of_a_shipment FOREIGN KEY (merchant_id, shipment_id) REFERENCES shipments(merchant_id, id),
  constraint attempt_has_an_order_once_accepted CHECK (((state <> 'accepted'::text) OR (carrier_reference IS NOT NULL))),
  constraint attempt_numbers_start_at_1 CHECK ((number >= 1)),
  constraint attempt_state_is_known CHECK ((state = ANY (ARRAY['sending'::text, 'unknown'::text, 'accepted'::text, 'cancelling'::text, 'refused'::text, 'unavailable'::text, 'invalid'::text, 'skipped'::text, 'not_found_at_carrier'::text, 'abandoned'::text, 'late_cancelled'::text, 'superseded'::text, 'cancelled'::text, 'completed'::text])))
);
CREATE INDEX attempts_by_carrier ON public.dispatch_attempts USING btree (carrier, started_at);
CREATE INDEX attempts_by_start ON public.dispatch_attempts USING btree (started_at);
CREATE INDEX attempts_due_for_check ON public.dispatch_attempts USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE UNIQUE INDEX carrier_order_is_of_one_attempt ON public.dispatch_attempts USING btree (merchant_id, carrier, carrier_reference) WHERE (carrier_reference IS NOT NULL);
CREATE UNIQUE INDEX shipment_has_one_live_attempt ON public.dispatch_attempts USING btree (merchant_id, shipment_id) WHERE (state = ANY (ARRAY['sending'::text, 'unknown'::text, 'accepted'::text, 'cancelling'::text]));
comment on table dispatch_attempts is 'One attempt to order a rider from a carrier, stored before the request is sent.';
comment on column dispatch_attempts.price_kobo is 'Price of the carrier, without surge.';

create table encryption_key_holders (
  process_id text not null,
  label text not null,
  key_ids text[] not null,
  seen_at timestamp(3) with time zone not null,
  constraint encryption_key_holders_pkey PRIMARY KEY (process_id),
  constraint key_holder_id_is_short CHECK ((char_length(process_id) <= 100)),
  constraint key_holder_label_is_short CHECK ((char_length(label) <= 200))
) with (fillfactor=50);
comment on table encryption_key_holders is 'One row per process of the service. One that has not been seen for 30 seconds has ended.';
comment on column encryption_key_holders.key_ids is 'Fingerprints in the order of ENCRYPTION_KEY. The first key encrypts.';

create table encryption_keys (
  id text not null,
  used_since timestamp(3) with time zone not null,
  retired_at timestamp(3) with time zone,
  constraint encryption_keys_pkey PRIMARY KEY (id),
  constraint encryption_key_id_is_a_fingerprint CHECK ((id ~ '^[0-9a-f]{16}$'::text)),
  constraint encryption_key_retires_after_its_use CHECK ((retired_at >= used_since))
);
comment on table encryption_keys is 'Fingerprints of encryption keys, never the keys.';
comment on column encryption_keys.retired_at is 'When the last secret was encrypted with another key, or the key was declared lost. Null while secrets need the key.';

create table idempotency_keys (
  merchant_id record_id not null,
  route text not null,
  key idempotency_key not null,
  fingerprint sha256_hash not null,
  token_id record_id not null,
  request_id text not null,
  response_status integer,
  response_body text,
  response_location text,
  refund_id record_id,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint idempotency_key_is_used_once PRIMARY KEY (merchant_id, route, key),
  constraint idempotency_key_lives_24_hours CHECK ((expires_at = (created_at + '24:00:00'::interval))),
  constraint idempotency_response_is_complete CHECK (((response_status IS NULL) = (response_body IS NULL)))
);
CREATE INDEX idempotency_keys_that_expire ON public.idempotency_keys USING btree (expires_at);
comment on table idempotency_keys is 'The stored response of an Idempotency-Key. A request with the same key and body within 24 hours gets this response.';

create table inventory (
  merchant_id record_id not null,
  variant_id record_id not null,
  on_hand integer not null default 0,
  reserved integer not null default 0,
  available integer not null generated always as ((on_hand - reserved)) stored,
  tracked boolean not null default true,
  allow_backorder boolean not null default false,
  low_stock_threshold integer,
  is_low boolean not null default false,
  updated_at timestamp(3) with time zone not null,
  product_low_stock_threshold integer,
  constraint inventory_pkey PRIMARY KEY (merchant_id, variant_id),
  constraint inventory_belongs_to_variant FOREIGN KEY (merchant_id, variant_id) REFERENCES product_variants(merchant_id, id) ON DELETE CASCADE,
  constraint inventory_low_stock_threshold_is_not_negative CHECK ((low_stock_threshold >= 0)),
  constraint inventory_on_hand_is_not_negative CHECK ((on_hand >= 0)),
  constraint inventory_product_low_stock_threshold_is_not_negative CHECK ((product_low_stock_threshold >= 0)),
  constraint inventory_reserved_is_not_negative CHECK ((reserved >= 0))
);
CREATE INDEX inventory_that_is_low ON public.inventory USING btree (merchant_id, variant_id) WHERE is_low;
comment on table inventory is 'Stock of one variant: the units on hand and the units reserved for orders.';
comment on column inventory.is_low is 'Whether stock is low. Set by the update that crosses the threshold, so that each crossing emits one inventory.low_stock event.';
comment on column inventory.product_low_stock_threshold is 'Copy of the product''s threshold. A statement that waited for the lock of this row reads the current value here, and not in the product.';

create table invitations (
  merchant_id record_id not null,
  id record_id not null,
  token_hash bytea not null,
  email text not null,
  name text,
  role text not null,
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  accepted_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  creator_member_id record_id,
  constraint invitations_pkey PRIMARY KEY (merchant_id, id),
  constraint invitations_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint invitation_expires_after_it_is_created CHECK ((expires_at > created_at)),
  constraint invitation_hash_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint invitation_is_accepted_or_revoked CHECK (((accepted_at IS NULL) OR (revoked_at IS NULL))),
  constraint invitation_role_is_known CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'operations'::text, 'viewer'::text])))
);
CREATE INDEX invitations_by_hash ON public.invitations USING btree (token_hash);
comment on table invitations is 'An invitation to become a member. Only the hash of its link is stored.';
comment on column invitations.name is 'Name suggested to the invited person.';
comment on column invitations.creator_member_id is 'The member who created the invitation. Null for an operator, and for invitations from before this column.';

create table known_devices (
  token_hash bytea not null,
  user_id record_id not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone not null,
  constraint known_devices_pkey PRIMARY KEY (token_hash),
  constraint known_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint known_device_hash_is_sha256 CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX known_devices_by_user ON public.known_devices USING btree (user_id);
comment on table known_devices is 'A browser in which a user signed in before. Attempts elsewhere do not delay it.';

create table logistics_observations (
  merchant_id record_id not null,
  shipment_id record_id not null,
  kind text not null,
  carrier text not null,
  zone_from text,
  zone_to text,
  hour_bucket smallint not null,
  seconds double precision,
  is_censored boolean not null default false,
  is_inferred boolean not null default false,
  observed_at timestamp(3) with time zone not null,
  recorded_at timestamp(3) with time zone not null,
  constraint logistics_observations_pkey PRIMARY KEY (merchant_id, shipment_id, kind),
  constraint observation_is_of_a_shipment FOREIGN KEY (merchant_id, shipment_id) REFERENCES shipments(merchant_id, id),
  constraint observation_hour_is_known CHECK (((hour_bucket >= 0) AND (hour_bucket <= 5))),
  constraint observation_kind_is_known CHECK ((kind = ANY (ARRAY['prep'::text, 'lead'::text, 'travel'::text]))),
  constraint observation_seconds_are_positive CHECK ((seconds > (0)::double precision))
);
CREATE INDEX observations_by_recording ON public.logistics_observations USING btree (recorded_at);
CREATE INDEX observations_newest_first ON public.logistics_observations USING btree (merchant_id, kind, observed_at DESC);
comment on table logistics_observations is 'Observed durations of preparation, of the rider’s way to the pickup and of the way to the recipient.';
comment on column logistics_observations.hour_bucket is 'Period of the day in Lagos: 0 from 00:00, 1 from 06:00, 2 from 10:00, 3 from 14:00, 4 from 17:00, 5 from 20:00.';
comment on column logistics_observations.is_censored is 'Whether the duration is only an upper bound: a parcel that was ready before the rider arrived has no known ready time.';
comment on column logistics_observations.is_inferred is 'Whether the pickup time replaces the rider’s arrival, which the carrier did not report.';
comment on column logistics_observations.observed_at is 'End of the duration, by the clock of the reporting system.';

create table logistics_quantiles (
  merchant_id record_id not null,
  kind text not null,
  hour_bucket smallint not null,
  sample_size integer not null,
  seconds double precision[] not null,
  updated_at timestamp(3) with time zone not null,
  constraint logistics_quantiles_pkey PRIMARY KEY (merchant_id, kind, hour_bucket),
  constraint quantile_sample_size_is_positive CHECK ((sample_size > 0)),
  constraint quantiles_are_nineteen CHECK ((array_length(seconds, 1) = 19))
);
comment on table logistics_quantiles is 'The 5%, 10%, … 95% quantiles of a merchant’s durations, rolled up hourly.';
comment on column logistics_quantiles.hour_bucket is '-1 for the whole day.';

create table members (
  merchant_id record_id not null,
  id record_id not null,
  user_id record_id not null,
  role text not null,
  created_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  constraint members_pkey PRIMARY KEY (merchant_id, id),
  constraint members_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint member_is_removed_after_it_is_created CHECK ((removed_at >= created_at)),
  constraint member_role_is_known CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'operations'::text, 'viewer'::text])))
);
CREATE INDEX members_by_user ON public.members USING btree (user_id) WHERE (removed_at IS NULL);
CREATE UNIQUE INDEX user_is_a_member_once ON public.members USING btree (merchant_id, user_id) WHERE (removed_at IS NULL);
comment on table members is 'A user''s role at a merchant. Belongs to the live merchant and includes its test mode.';
comment on column members.removed_at is 'When the user lost access. Null for active members.';

create table merchants (
  id record_id not null,
  name text not null,
  mode text not null,
  live_merchant_id record_id,
  default_state text not null default 'Lagos'::text,
  tax_registered boolean not null default false,
  tax_rate_bps integer not null default 750,
  tax_inclusive boolean not null default true,
  low_stock_threshold integer default 5,
  pending_order_ttl_minutes integer default 1440,
  suspended_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  auto_confirm_pay_on_delivery boolean not null default false,
  default_pickup jsonb,
  rate_limits text,
  record_bodies_until timestamp(3) with time zone,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchant_has_one_test_twin UNIQUE (live_merchant_id),
  constraint merchant_twin_exists FOREIGN KEY (live_merchant_id) REFERENCES merchants(id),
  constraint default_pickup_is_a_place CHECK (((jsonb_typeof(default_pickup) = 'object'::text) AND (default_pickup ? 'line1'::text))),
  constraint merchant_has_a_name CHECK ((name <> ''::text)),
  constraint merchant_low_stock_threshold_is_not_negative CHECK ((low_stock_threshold >= 0)),
  constraint merchant_mode_is_known CHECK ((mode = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint merchant_names_its_live_twin_iff_test CHECK (((mode = 'test'::text) = (live_merchant_id IS NOT NULL))),
  constraint merchant_pending_orders_live_a_minute CHECK ((pending_order_ttl_minutes >= 1)),
  constraint merchant_rate_limits_are_not_empty CHECK ((rate_limits <> ''::text)),
  constraint merchant_tax_rate_is_a_share CHECK (((tax_rate_bps >= 0) AND (tax_rate_bps <= 10000)))
);
CREATE TRIGGER merchant_mode_never_changes BEFORE UPDATE ON public.merchants FOR EACH ROW WHEN ((((old.id)::text IS DISTINCT FROM (new.id)::text) OR (old.mode IS DISTINCT FROM new.mode) OR ((old.live_merchant_id)::text IS DISTINCT FROM (new.live_merchant_id)::text))) EXECUTE FUNCTION refuse_change_of_mode();
alter table merchants enable always trigger merchant_mode_never_changes;
comment on table merchants is 'A merchant in live mode, or its counterpart in test mode: the tenant of all other rows except shared data.';
comment on column merchants.low_stock_threshold is 'Null: no inventory.low_stock event unless a product or variant sets its own threshold.';
comment on column merchants.pending_order_ttl_minutes is 'Null: pending orders never expire.';
comment on column merchants.auto_confirm_pay_on_delivery is 'Whether pay-on-delivery orders start as processing, without manual confirmation.';
comment on column merchants.default_pickup is 'Pickup address of shipments without one of their own, in the form of a request.';
comment on column merchants.rate_limits is 'Rate limits of the tokens of the merchant, in the format of RATE_LIMITS. Null for the configured ones.';
comment on column merchants.record_bodies_until is 'The request log stores the redacted bodies of rejected requests until this time. Null if the merchant has not switched this on.';

create table notification_mails (
  created_at timestamp(3) with time zone not null,
  next_attempt_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  attempts integer not null default 0,
  merchant_id record_id not null,
  notification_id record_id not null,
  member_id record_id not null,
  status text not null default 'pending'::text,
  last_error text,
  constraint notification_mails_pkey PRIMARY KEY (merchant_id, notification_id, member_id),
  constraint mail_is_of_a_notification FOREIGN KEY (merchant_id, notification_id) REFERENCES notifications(merchant_id, id),
  constraint mail_is_to_a_member FOREIGN KEY (merchant_id, member_id) REFERENCES members(merchant_id, id),
  constraint mail_attempts_are_not_negative CHECK ((attempts >= 0)),
  constraint mail_error_is_short CHECK ((char_length(last_error) <= 500)),
  constraint mail_is_completed_unless_pending CHECK (((status = 'pending'::text) = (completed_at IS NULL))),
  constraint mail_is_due_while_pending CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint mail_status_is_known CHECK ((status = ANY (ARRAY['pending'::text, 'sent'::text, 'failed'::text, 'skipped'::text])))
);
CREATE INDEX notification_mails_due ON public.notification_mails USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
comment on table notification_mails is 'An e-mail about one notification to one member. Workers claim it by moving next_attempt_at ahead.';
comment on column notification_mails.attempts is 'Increased by each claim: a result is stored only under the number of its claim.';
comment on column notification_mails.status is 'skipped: the member left, lost the permission or turned the e-mails off before it was sent.';

create table notification_positions (
  merchant_id record_id not null,
  member_id record_id not null,
  read_before timestamp(3) with time zone not null,
  constraint notification_positions_pkey PRIMARY KEY (merchant_id, member_id),
  constraint notification_positions_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
comment on table notification_positions is 'The time before which a member has read all notifications of a merchant.';

create table notification_preferences (
  merchant_id record_id not null,
  member_id record_id not null,
  kind text not null,
  by_email boolean not null,
  constraint notification_preferences_pkey PRIMARY KEY (merchant_id, member_id, kind),
  constraint preference_is_of_a_member FOREIGN KEY (merchant_id, member_id) REFERENCES members(merchant_id, id)
);
comment on table notification_preferences is 'Whether a member gets notifications of a kind by e-mail. Without a row, the default of the kind applies.';

create table notification_reads (
  merchant_id record_id not null,
  member_id record_id not null,
  notification_id record_id not null,
  constraint notification_reads_pkey PRIMARY KEY (merchant_id, member_id, notification_id),
  constraint read_mark_is_of_a_notification FOREIGN KEY (merchant_id, notification_id) REFERENCES notifications(merchant_id, id)
);
comment on table notification_reads is 'A notification that a member has read, newer than the position of the member.';

create table notifications (
  merchant_id record_id not null,
  id record_id not null,
  kind text not null,
  endpoint_id record_id,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp(3) with time zone not null,
  read_at timestamp(3) with time zone,
  is_mail_planned boolean not null default false,
  resolved_at timestamp(3) with time zone,
  constraint notifications_pkey PRIMARY KEY (merchant_id, id),
  constraint notification_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint notification_is_about_a_known_endpoint FOREIGN KEY (merchant_id, endpoint_id) REFERENCES webhook_endpoints(merchant_id, id)
);
CREATE INDEX notifications_newest_first ON public.notifications USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX notifications_problems ON public.notifications USING btree (merchant_id, created_at DESC, id DESC) WHERE ((resolved_at IS NULL) AND (kind <> ALL (ARRAY['webhook_endpoint.disabled'::text, 'webhook_endpoint.failing'::text, 'webhook_endpoint.held_expiring'::text, 'webhook_endpoint.held_expired'::text])));
CREATE INDEX notifications_to_mail ON public.notifications USING btree (created_at) WHERE (NOT is_mail_planned);
comment on table notifications is 'A notification for a merchant''s dashboard, such as a disabled endpoint or a payment that was not recorded.';
comment on column notifications.read_at is 'Unused and always null: each member has their own read state. The release before still selects it, so a later release drops it.';
comment on column notifications.is_mail_planned is 'Whether the worker has decided which members get an e-mail.';
comment on column notifications.resolved_at is 'When the reported problem was marked as resolved. Null for open problems and for kinds that report none.';

create table order_comments (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  text text not null,
  author_type text not null,
  author_name text not null,
  created_at timestamp(3) with time zone not null,
  constraint order_comments_pkey PRIMARY KEY (merchant_id, id),
  constraint order_comment_is_on_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint order_comment_author_is_known CHECK ((author_type = ANY (ARRAY['token'::text, 'member'::text])))
);
CREATE INDEX order_comments_newest_first ON public.order_comments USING btree (merchant_id, order_id, created_at DESC, id DESC);
comment on table order_comments is 'Comments of members and API tokens on orders. Only the anonymisation of a customer changes a comment.';
comment on column order_comments.author_name is 'The name of the author when the comment was created.';

create table order_discounts (
  merchant_id record_id not null,
  order_id record_id not null,
  discount_id record_id not null,
  "position" integer not null,
  code text not null,
  type text not null,
  amount_kobo kobo not null,
  allocations jsonb not null,
  constraint order_discounts_pkey PRIMARY KEY (merchant_id, order_id, discount_id),
  constraint order_discount_belongs_to_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint order_discount_is_known FOREIGN KEY (merchant_id, discount_id) REFERENCES discounts(merchant_id, id),
  constraint order_discount_type_is_known CHECK ((type = ANY (ARRAY['percentage'::text, 'fixed_amount'::text, 'free_shipping'::text])))
);
comment on table order_discounts is 'One discount of an order, with the allocation of its amount to items and shipping.';

create table order_items (
  merchant_id record_id not null,
  order_id record_id not null,
  id record_id not null,
  "position" integer not null,
  product_id record_id,
  variant_id record_id,
  sku text not null,
  title text not null,
  variant_title text not null,
  option_values jsonb not null default '{}'::jsonb,
  image_url text,
  quantity positive_integer not null,
  fulfilled_quantity integer not null default 0,
  returned_quantity integer not null default 0,
  refunded_quantity integer not null default 0,
  cancelled_quantity integer not null default 0,
  unit_price_kobo kobo not null,
  compare_at_price_kobo kobo,
  subtotal_kobo kobo not null,
  discount_kobo kobo not null default 0,
  tax_rate_bps share_bps not null default 0,
  tax_kobo kobo not null default 0,
  total_kobo kobo not null,
  lost_quantity unsigned_integer not null default 0,
  constraint order_items_pkey PRIMARY KEY (merchant_id, order_id, id),
  constraint item_belongs_to_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint item_variant_is_known FOREIGN KEY (merchant_id, variant_id) REFERENCES product_variants(merchant_id, id),
  constraint item_discount_is_within_its_subtotal CHECK (((discount_kobo)::bigint <= (subtotal_kobo)::bigint)),
  constraint item_is_fulfilled_or_cancelled_once CHECK (((fulfilled_quantity + cancelled_quantity) <= (quantity)::integer)),
  constraint item_quantities_are_not_negative CHECK ((LEAST(fulfilled_quantity, returned_quantity, refunded_quantity, cancelled_quantity) >= 0)),
  constraint item_refunds_no_more_than_was_ordered CHECK ((refunded_quantity <= (quantity)::integer)),
  constraint item_returns_no_lost_unit CHECK (((returned_quantity + (lost_quantity)::integer) <= fulfilled_quantity)),
  constraint item_subtotal_adds_up CHECK (((subtotal_kobo)::bigint = ((unit_price_kobo)::bigint * (quantity)::integer))),
  constraint item_total_adds_up CHECK ((((total_kobo)::bigint = ((subtotal_kobo)::bigint - (discount_kobo)::bigint)) OR ((total_kobo)::bigint = (((subtotal_kobo)::bigint - (discount_kobo)::bigint) + (tax_kobo)::bigint))))
);
CREATE INDEX order_items_by_variant ON public.order_items USING btree (merchant_id, variant_id) WHERE (variant_id IS NOT NULL);
comment on table order_items is 'One item of an order, copied from the catalogue at the time of the order. Later changes of the catalogue do not affect it.';
comment on column order_items.cancelled_quantity is 'Units cancelled before they were sent. Their reservation was released and they will not be fulfilled.';
comment on column order_items.lost_quantity is 'Fulfilled units that a carrier lost. They are not restocked.';

create table order_status_changes (
  merchant_id record_id not null,
  order_id record_id not null,
  version integer not null,
  from_status text not null,
  to_status text not null,
  reason text,
  actor_type actor_type not null,
  actor_id text,
  occurred_at timestamp(3) with time zone not null,
  constraint order_status_changes_pkey PRIMARY KEY (merchant_id, order_id, version),
  constraint status_change_is_of_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint status_change_changes_the_status CHECK ((from_status <> to_status)),
  constraint status_change_comes_after_creation CHECK ((version >= 2))
);
CREATE TRIGGER order_status_changes_is_never_emptied BEFORE TRUNCATE ON public.order_status_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table order_status_changes enable always trigger order_status_changes_is_never_emptied;
CREATE TRIGGER order_status_changes_rows_never_change BEFORE DELETE OR UPDATE ON public.order_status_changes FOR EACH ROW EXECUTE FUNCTION refuse_change('occurred_at');
alter table order_status_changes enable always trigger order_status_changes_rows_never_change;
comment on table order_status_changes is 'One committed status transition of an order. `version` is the order''s version after it.';

create table orders (
  merchant_id record_id not null,
  id record_id not null,
  number text not null,
  status order_status not null,
  held_from order_held_status,
  version positive_integer not null default 1,
  customer_id record_id,
  customer_name text not null,
  customer_email text not null,
  customer_phone text,
  payment_method payment_method not null,
  subtotal_kobo kobo not null,
  discount_kobo kobo not null default 0,
  shipping_kobo kobo not null default 0,
  tax_kobo kobo not null default 0,
  total_kobo kobo not null,
  tax_inclusive boolean not null,
  tax_rate_bps share_bps not null,
  paid_kobo kobo not null default 0,
  refunded_kobo kobo not null default 0,
  refund_pending_kobo kobo not null default 0,
  refunded_tax_kobo kobo not null default 0,
  item_quantity integer not null,
  fulfilled_quantity integer not null default 0,
  returned_quantity integer not null default 0,
  payment_status text not null generated always as (
CASE
    WHEN (((refunded_kobo)::bigint > 0) AND ((refunded_kobo)::bigint = (paid_kobo)::bigint)) THEN 'refunded'::text
    WHEN ((refunded_kobo)::bigint > 0) THEN 'partially_refunded'::text
    WHEN ((paid_kobo)::bigint >= (total_kobo)::bigint) THEN 'paid'::text
    WHEN ((paid_kobo)::bigint > 0) THEN 'partially_paid'::text
    ELSE 'unpaid'::text
END) stored,
  fulfillment_status text not null generated always as (
CASE
    WHEN (fulfilled_quantity = 0) THEN 'unfulfilled'::text
    WHEN (returned_quantity = item_quantity) THEN 'returned'::text
    WHEN (returned_quantity > 0) THEN 'partially_returned'::text
    WHEN (fulfilled_quantity = item_quantity) THEN 'fulfilled'::text
    ELSE 'partially_fulfilled'::text
END) stored,
  shipping_address jsonb,
  billing_address jsonb,
  note text,
  customer_note text,
  tags text[] not null default '{}'::text[],
  external_reference text,
  source order_source not null default 'api'::text,
  cancel_reason order_cancel_reason,
  metadata jsonb not null default '{}'::jsonb,
  expires_at timestamp(3) with time zone,
  confirmed_at timestamp(3) with time zone,
  paid_at timestamp(3) with time zone,
  shipped_at timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  cancelled_at timestamp(3) with time zone,
  returned_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  cancel_note text,
  provider_paid_kobo kobo not null default 0,
  exchange_of_return_id record_id,
  constraint orders_pkey PRIMARY KEY (merchant_id, id),
  constraint order_external_reference_is_used_once UNIQUE (merchant_id, external_reference),
  constraint order_number_is_used_once UNIQUE (merchant_id, number),
  constraint order_customer_is_known FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  constraint order_exchanges_a_return FOREIGN KEY (merchant_id, exchange_of_return_id) REFERENCES returns(merchant_id, id) NOT VALID,
  constraint order_cancel_reason_is_given_iff_cancelled CHECK ((((status)::text = 'cancelled'::text) = (cancel_reason IS NOT NULL))),
  constraint order_cancel_time_is_set_iff_cancelled CHECK ((((status)::text = 'cancelled'::text) = (cancelled_at IS NOT NULL))),
  constraint order_discount_is_within_what_it_reduces CHECK (((discount_kobo)::bigint <= ((subtotal_kobo)::bigint + (shipping_kobo)::bigint))),
  constraint order_expires_only_while_pending CHECK (((expires_at IS NULL) OR ((status)::text = 'pending'::text))),
  constraint order_fulfils_no_more_than_its_items CHECK (((fulfilled_quantity >= 0) AND (fulfilled_quantity <= item_quantity))),
  constraint order_has_a_held_from_iff_on_hold CHECK ((((status)::text = 'on_hold'::text) = (held_from IS NOT NULL))),
  constraint order_providers_took_no_more_than_was_paid CHECK (((provider_paid_kobo)::bigint <= (paid_kobo)::bigint)),
  constraint order_refunds_no_more_tax_than_it_charged CHECK (((refunded_tax_kobo)::bigint <= (tax_kobo)::bigint)),
  constraint order_refunds_no_more_than_was_paid CHECK ((((refunded_kobo)::bigint + (refund_pending_kobo)::bigint) <= (paid_kobo)::bigint)),
  constraint order_returns_no_more_than_it_fulfilled CHECK (((returned_quantity >= 0) AND (returned_quantity <= fulfilled_quantity))),
  constraint order_total_adds_up CHECK (((total_kobo)::bigint = ((((subtotal_kobo)::bigint - (discount_kobo)::bigint) + (shipping_kobo)::bigint) +
CASE
    WHEN tax_inclusive THEN (0)::bigint
    ELSE (tax_kobo)::bigint
END)))
) with (fillfactor=90);
CREATE INDEX orders_by_customer ON public.orders USING btree (merchant_id, customer_id, created_at DESC, id DESC);
CREATE INDEX orders_by_customer_email ON public.orders USING btree (merchant_id, lower(customer_email), created_at DESC, id DESC);
CREATE INDEX orders_by_search_key ON public.orders USING gin (merchant_id, search_key((((((number || '
'::text) || customer_name) || '
'::text) || customer_email) || COALESCE(((('
'::text || customer_phone) || '
0'::text) || substr(customer_phone, 5)), ''::text))) gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='1024');
CREATE INDEX orders_by_status ON public.orders USING btree (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX orders_newest_first ON public.orders USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX orders_that_expire ON public.orders USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE UNIQUE INDEX return_is_exchanged_once ON public.orders USING btree (merchant_id, exchange_of_return_id) WHERE (exchange_of_return_id IS NOT NULL);
CREATE TRIGGER changed_orders_change_sales AFTER UPDATE OF status, source, shipping_address, item_quantity, discount_kobo, shipping_kobo, tax_kobo, total_kobo, paid_kobo ON public.orders FOR EACH ROW WHEN (((((old.status)::text = 'cancelled'::text) <> ((new.status)::text = 'cancelled'::text)) OR ((old.source)::text <> (new.source)::text) OR ((old.shipping_address ->> 'state'::text) IS DISTINCT FROM (new.shipping_address ->> 'state'::text)) OR (old.item_quantity <> new.item_quantity) OR ((old.discount_kobo)::bigint <> (new.discount_kobo)::bigint) OR ((old.shipping_kobo)::bigint <> (new.shipping_kobo)::bigint) OR ((old.tax_kobo)::bigint <> (new.tax_kobo)::bigint) OR ((old.total_kobo)::bigint <> (new.total_kobo)::bigint) OR (GREATEST(((old.paid_kobo)::bigint - (old.total_kobo)::bigint), (0)::bigint) <> GREATEST(((new.paid_kobo)::bigint - (new.total_kobo)::bigint), (0)::bigint)))) EXECUTE FUNCTION queue_changed_sale();
CREATE TRIGGER edited_orders_change_sales AFTER UPDATE OF subtotal_kobo ON public.orders FOR EACH ROW EXECUTE FUNCTION queue_changed_sale();
CREATE TRIGGER new_orders_change_sales AFTER INSERT ON public.orders FOR EACH ROW EXECUTE FUNCTION queue_new_sale();
CREATE CONSTRAINT TRIGGER order_is_returned_with_its_units AFTER UPDATE OF status, returned_quantity, item_quantity ON public.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((new.returned_quantity = new.item_quantity) AND (new.item_quantity > 0) AND ((new.status)::text = ANY (ARRAY['processing'::text, 'shipped'::text, 'delivered'::text])))) EXECUTE FUNCTION order_is_returned_with_its_units();
CREATE TRIGGER order_moves_as_published BEFORE UPDATE OF status ON public.orders FOR EACH ROW WHEN (((old.status)::text IS DISTINCT FROM (new.status)::text)) EXECUTE FUNCTION order_moves_as_published();
alter table orders enable always trigger order_moves_as_published;
CREATE CONSTRAINT TRIGGER orders_get_receipts_with_their_payment AFTER UPDATE OF paid_at ON public.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.paid_at IS NULL) AND (new.paid_at IS NOT NULL))) EXECUTE FUNCTION issue_receipt_of_row();
CREATE CONSTRAINT TRIGGER paid_orders_have_receipts AFTER INSERT ON public.orders DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.paid_at IS NOT NULL)) EXECUTE FUNCTION issue_receipt_of_row();
comment on table orders is 'An order of one customer: its status, its amounts and its fulfilment.';
comment on column orders.customer_name is 'Name of the customer at the time of the order. The same is true of customer_email and customer_phone.';
comment on column orders.refunded_kobo is 'Sum of the succeeded refunds. Refunds in progress are in refund_pending_kobo; failed and cancelled refunds are in neither.';
comment on column orders.refunded_tax_kobo is 'Tax included in refunded_kobo and refund_pending_kobo.';
comment on column orders.item_quantity is 'Units ordered minus the units cancelled before they were sent.';
comment on column orders.cancel_note is 'Note of the cancellation, as free text.';
comment on column orders.provider_paid_kobo is 'Part of paid_kobo that payment providers received. A provider refunds this part; the merchant refunds the rest manually.';
comment on column orders.exchange_of_return_id is 'The return whose units the order replaces. Null for other orders.';

create table passkey_challenges (
  token_hash bytea not null,
  challenge text not null,
  session_id record_id,
  network text,
  expires_at timestamp(3) with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (token_hash),
  constraint passkey_challenges_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint passkey_challenge_is_for_a_session_or_a_sign_in CHECK (((session_id IS NULL) = (network IS NOT NULL)))
);
CREATE INDEX passkey_challenges_by_network ON public.passkey_challenges USING btree (network) WHERE (network IS NOT NULL);
CREATE INDEX passkey_challenges_by_session ON public.passkey_challenges USING btree (session_id) WHERE (session_id IS NOT NULL);
comment on table passkey_challenges is 'A challenge for one passkey registration or sign-in. Deleted when it is answered.';
comment on column passkey_challenges.network is 'Source network of a sign-in, which limits its open challenges.';

create table passkeys (
  credential_id text not null,
  user_id record_id not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  constraint passkeys_pkey PRIMARY KEY (credential_id),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint passkey_has_a_name CHECK ((name <> ''::text))
);
CREATE INDEX passkeys_by_user ON public.passkeys USING btree (user_id);
comment on table passkeys is 'A WebAuthn credential of a user.';
comment on column passkeys.credential_id is 'Credential id in base64url, assigned by the authenticator.';

create table payment_disputes (
  merchant_id record_id not null,
  dispute_id text not null,
  payment_id record_id not null,
  status text not null,
  resolution text,
  lost_kobo kobo not null default 0,
  opened_at timestamp(3) with time zone not null,
  resolved_at timestamp(3) with time zone,
  constraint payment_disputes_pkey PRIMARY KEY (merchant_id, dispute_id),
  constraint dispute_is_of_a_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, id),
  constraint dispute_resolved_at_iff_not_open CHECK (((resolved_at IS NULL) = (status = 'open'::text))),
  constraint dispute_status_is_known CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text, 'unclear'::text]))),
  constraint only_a_lost_dispute_takes_money CHECK ((((lost_kobo)::bigint = 0) OR (status = 'lost'::text)))
);
CREATE INDEX payment_disputes_by_payment ON public.payment_disputes USING btree (merchant_id, payment_id);
comment on table payment_disputes is 'Disputes of payments as the payment provider reports them. One payment can have several.';
comment on column payment_disputes.status is 'unclear: the provider resolved the dispute with an unknown result, so the payment stays locked.';
comment on column payment_disputes.lost_kobo is 'Amount that the dispute returned to the payer. It cannot be refunded again.';

create table payment_links (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  provider payment_provider not null,
  reference text not null,
  amount_kobo bigint not null,
  url text,
  expires_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  withdrawn_at timestamp(3) with time zone,
  key_updated_at timestamp(3) with time zone,
  constraint payment_links_pkey PRIMARY KEY (merchant_id, id),
  constraint payment_link_reference_is_unique UNIQUE (merchant_id, reference),
  constraint payment_link_is_of_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint payment_link_amount_is_positive CHECK ((amount_kobo > 0)),
  constraint payment_link_expires_after_its_creation CHECK ((expires_at > created_at)),
  constraint payment_link_has_a_provider CHECK (((provider)::text <> 'manual'::text))
);
CREATE UNIQUE INDEX order_has_one_payment_link ON public.payment_links USING btree (merchant_id, order_id) WHERE (withdrawn_at IS NULL);
CREATE TRIGGER payment_link_facts_are_final BEFORE UPDATE ON public.payment_links FOR EACH ROW EXECUTE FUNCTION payment_link_facts_are_final();
alter table payment_links enable always trigger payment_link_facts_are_final;
comment on table payment_links is 'Pages of payment providers on which buyers pay orders.';
comment on column payment_links.url is 'The URL of the page. Null until the provider has created the page.';
comment on column payment_links.withdrawn_at is 'When the link stopped being the link of its order: another link replaced it, or the provider created no page. Null before.';
comment on column payment_links.key_updated_at is 'When the provider''s key that created the page was stored. Null in test mode, and for a link created before the column existed.';

create table payment_provider_keys (
  merchant_id record_id not null,
  provider text not null,
  sealed_secret bytea not null,
  last_four text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  reconciled_at timestamp(3) with time zone not null default now(),
  constraint payment_provider_keys_pkey PRIMARY KEY (merchant_id, provider),
  constraint provider_key_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint provider_key_is_of_a_provider CHECK ((((provider)::payment_provider)::text <> 'manual'::text)),
  constraint provider_key_is_sealed CHECK (((get_byte(sealed_secret, 0) = 1) AND (octet_length(sealed_secret) > 33))),
  constraint provider_key_shows_four_characters CHECK ((char_length(last_four) = 4))
);
comment on table payment_provider_keys is 'Secret key of a merchant at a payment provider, sealed with the service''s encryption key.';
comment on column payment_provider_keys.reconciled_at is 'When the payments of the provider were last compared with the stored ones, or when the connection was created.';

create table payments (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  amount_kobo positive_kobo not null,
  method payment_method not null,
  reference text not null,
  provider payment_provider not null default 'manual'::text,
  paid_at timestamp(3) with time zone not null,
  disputed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  dispute_lost_kobo kobo not null default 0,
  voided_at timestamp(3) with time zone,
  void_reason text,
  refund_id record_id,
  provider_payment_id text,
  constraint payments_pkey PRIMARY KEY (merchant_id, id),
  constraint payment_credits_a_refund FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id, id) NOT VALID,
  constraint payment_is_for_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint only_a_manual_payment_is_voided CHECK (((voided_at IS NULL) OR ((provider)::text = 'manual'::text))),
  constraint payment_dispute_loss_is_within_its_amount CHECK (((dispute_lost_kobo)::bigint <= (amount_kobo)::bigint)),
  constraint payment_is_voided_with_a_reason CHECK ((((voided_at IS NULL) = (void_reason IS NULL)) AND ((void_reason IS NULL) OR (void_reason = ANY (ARRAY['duplicate'::text, 'wrong_amount'::text, 'wrong_order'::text, 'not_received'::text, 'bounced'::text, 'other'::text])))))
);
CREATE UNIQUE INDEX payment_reference_counts_once ON public.payments USING btree (merchant_id, reference, (
CASE
    WHEN (voided_at IS NOT NULL) THEN (id)::text
    ELSE NULL::text
END)) NULLS NOT DISTINCT;
CREATE INDEX payments_by_order ON public.payments USING btree (merchant_id, order_id);
CREATE INDEX payments_newest_first ON public.payments USING btree (merchant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX refund_is_credited_once ON public.payments USING btree (merchant_id, refund_id) WHERE (refund_id IS NOT NULL);
comment on table payments is 'A payment for an order. The sum of the payments is the order''s paid_kobo.';
comment on column payments.disputed_at is 'Set while none of the payment can be refunded: a dispute is open, was lost in full, or ended with an unknown result.';
comment on column payments.dispute_lost_kobo is 'Amount that lost disputes returned to the payer.';
comment on column payments.voided_at is 'When the payment was voided. Null for a payment that counts.';
comment on column payments.void_reason is 'Reason code of the void. Null for a payment that counts.';
comment on column payments.refund_id is 'The refund of another order that the payment credits to its order. Null for money that was received.';
comment on column payments.provider_payment_id is 'The provider''s own id of the payment. Null for a manual payment, and for a payment recorded before the column existed.';

create table product_imports (
  merchant_id record_id not null,
  id record_id not null,
  file_name text not null,
  file bytea not null,
  actor jsonb not null,
  status text not null default 'checking'::text,
  report jsonb,
  attempt integer not null default 0,
  progress_attempt integer not null default 0,
  leased_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint product_imports_pkey PRIMARY KEY (merchant_id, id),
  constraint product_import_is_complete_with_a_report CHECK (((status = ANY (ARRAY['checking'::text, 'importing'::text, 'failed'::text])) OR (report IS NOT NULL))),
  constraint product_import_is_leased_while_it_runs CHECK (((status = ANY (ARRAY['checking'::text, 'importing'::text])) OR (leased_until IS NULL))),
  constraint product_import_status_is_known CHECK ((status = ANY (ARRAY['checking'::text, 'checked'::text, 'importing'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX product_imports_by_update ON public.product_imports USING btree (updated_at);
CREATE UNIQUE INDEX product_imports_that_run ON public.product_imports USING btree (merchant_id) WHERE (status = ANY (ARRAY['checking'::text, 'importing'::text]));
comment on table product_imports is 'Imports of products from files that members uploaded. Deleted a day after their last progress.';
comment on column product_imports.file is 'The uploaded file. Empty once the import has ended.';
comment on column product_imports.actor is 'The member who uploaded the file or, later, who started the import, as the audit log records actors.';
comment on column product_imports.report is 'The result of the check or of the import, so far. Null until the first progress of either, and if an error of the service ended the import before it.';
comment on column product_imports.attempt is 'Number of runs of the worker. A run that has lost its lease stores nothing.';
comment on column product_imports.progress_attempt is 'The last attempt that created products, or that preceded the import.';
comment on column product_imports.leased_until is 'Until when no other worker continues the import.';

create table product_variants (
  merchant_id record_id not null,
  id record_id not null,
  product_id record_id not null,
  sku text not null,
  title text not null,
  option_values jsonb not null default '{}'::jsonb,
  price_kobo kobo not null,
  compare_at_price_kobo kobo,
  cost_kobo kobo,
  barcode text,
  weight_grams integer,
  image_id record_id,
  "position" integer not null,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  removed_at timestamp(3) with time zone,
  constraint product_variants_pkey PRIMARY KEY (merchant_id, id),
  constraint variant_belongs_to_product FOREIGN KEY (merchant_id, product_id) REFERENCES products(merchant_id, id) ON DELETE CASCADE,
  constraint variant_compare_at_price_exceeds_its_price CHECK (((compare_at_price_kobo)::bigint > (price_kobo)::bigint)),
  constraint variant_has_a_sku CHECK ((sku <> ''::text)),
  constraint variant_position_is_not_negative CHECK (("position" >= 0)),
  constraint variant_that_was_removed_is_archived CHECK (((removed_at IS NULL) OR (archived_at IS NOT NULL))),
  constraint variant_weight_is_not_negative CHECK ((weight_grams >= 0))
);
CREATE INDEX product_variants_by_barcode ON public.product_variants USING btree (merchant_id, barcode) WHERE ((barcode IS NOT NULL) AND (removed_at IS NULL));
CREATE INDEX product_variants_by_product ON public.product_variants USING btree (merchant_id, product_id, "position");
CREATE UNIQUE INDEX variant_options_are_used_once ON public.product_variants USING btree (merchant_id, product_id, option_values) WHERE (archived_at IS NULL);
CREATE UNIQUE INDEX variant_sku_is_used_once ON public.product_variants USING btree (merchant_id, lower(sku)) WHERE (archived_at IS NULL);
CREATE INDEX variants_by_price ON public.product_variants USING btree (merchant_id, price_kobo, product_id) WHERE (removed_at IS NULL);
CREATE INDEX variants_by_sku ON public.product_variants USING btree (merchant_id, lower(sku)) WHERE (removed_at IS NULL);
CREATE STATISTICS public.variants_sku_in_lower_case ON lower(sku) FROM product_variants;
CREATE CONSTRAINT TRIGGER changed_variants_update_skus AFTER UPDATE ON public.product_variants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.sku <> new.sku) OR (old."position" <> new."position") OR (old.removed_at IS DISTINCT FROM new.removed_at))) EXECUTE FUNCTION gather_skus();
CREATE CONSTRAINT TRIGGER variants_update_skus AFTER INSERT OR DELETE ON public.product_variants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION gather_skus();
comment on table product_variants is 'A variant of a product that customers order, such as a size and colour, with its price.';
comment on column product_variants.archived_at is 'Set while the product is archived, or permanently when the variant was removed. The SKU and the option values can then be used again.';
comment on column product_variants.removed_at is 'When an ordered variant was removed from its product. It stays removed when the product is restored.';

create table products (
  merchant_id record_id not null,
  id record_id not null,
  title text not null,
  slug text not null,
  description text not null default ''::text,
  status text not null,
  options jsonb not null default '[]'::jsonb,
  images jsonb not null default '[]'::jsonb,
  category text,
  brand text,
  tags text[] not null default '{}'::text[],
  low_stock_threshold integer,
  tax_exempt boolean not null default false,
  metadata jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  published_at timestamp(3) with time zone,
  archived_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  skus text not null default ''::text,
  constraint products_pkey PRIMARY KEY (merchant_id, id),
  constraint product_slug_is_used_once UNIQUE (merchant_id, slug),
  constraint product_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint product_archive_time_is_set_iff_archived CHECK (((status = 'archived'::text) = (archived_at IS NOT NULL))),
  constraint product_has_a_title CHECK ((title <> ''::text)),
  constraint product_low_stock_threshold_is_not_negative CHECK ((low_stock_threshold >= 0)),
  constraint product_status_is_known CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'archived'::text]))),
  constraint product_version_starts_at_1 CHECK ((version >= 1))
);
CREATE INDEX products_by_category_key ON public.products USING btree (merchant_id, search_key(category), created_at DESC, id DESC);
CREATE INDEX products_by_search_key ON public.products USING gin (merchant_id, search_key(((((((title || '
'::text) || COALESCE(brand, ''::text)) || '
'::text) || COALESCE(category, ''::text)) || '
'::text) || skus)) gin_trgm_ops);
CREATE INDEX products_by_status ON public.products USING btree (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX products_by_tag ON public.products USING gin (merchant_id, tags);
CREATE INDEX products_by_update ON public.products USING btree (merchant_id, updated_at);
CREATE INDEX products_newest_first ON public.products USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX products_not_archived ON public.products USING btree (merchant_id, created_at DESC, id DESC) WHERE (archived_at IS NULL);
comment on table products is 'A product of a merchant. Customers order its variants.';
comment on column products.skus is 'The SKUs of the product''s variants, one per line, for the search index. Updated by triggers.';

create table provider_callbacks (
  merchant_id record_id not null,
  id record_id not null,
  provider text not null,
  body bytea not null,
  body_hash bytea not null,
  kind text,
  subject text,
  payment_reference text,
  source_ip inet not null,
  request_id text not null,
  user_agent text,
  received_at timestamp(3) with time zone not null,
  next_attempt_at timestamp(3) with time zone,
  outcome text,
  reason text,
  processed_at timestamp(3) with time zone,
  failures integer not null default 0,
  error text,
  constraint provider_callbacks_pkey PRIMARY KEY (merchant_id, id),
  constraint callback_is_stored_once UNIQUE (merchant_id, provider, body_hash),
  constraint callback_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint callback_hash_is_32_bytes CHECK ((octet_length(body_hash) = 32)),
  constraint callback_is_due_until_processed CHECK (((next_attempt_at IS NULL) = (processed_at IS NOT NULL))),
  constraint callback_is_of_a_provider CHECK ((((provider)::payment_provider)::text <> 'manual'::text)),
  constraint callback_is_processed_with_an_outcome CHECK (((outcome IS NULL) = (processed_at IS NULL))),
  constraint callback_outcome_is_known CHECK ((outcome = ANY (ARRAY['applied'::text, 'ignored'::text])))
);
CREATE INDEX provider_callbacks_by_payment ON public.provider_callbacks USING btree (merchant_id, payment_reference);
CREATE INDEX provider_callbacks_by_subject ON public.provider_callbacks USING btree (merchant_id, subject, kind);
CREATE INDEX provider_callbacks_to_apply ON public.provider_callbacks USING btree (merchant_id, next_attempt_at, id) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX provider_callbacks_to_redact ON public.provider_callbacks USING btree (processed_at) WHERE ((processed_at IS NOT NULL) AND (octet_length(body) > 0));
comment on table provider_callbacks is 'A callback of a payment provider, stored as received before it is processed. The same bytes are stored once.';
comment on column provider_callbacks.body is 'Redacted some time after processing, or when the customer is anonymised. Its hash remains, so that a repetition is still recognised.';
comment on column provider_callbacks.subject is 'Record that the callback is about, such as `dispute 358950`, to detect callbacks that arrive out of order.';
comment on column provider_callbacks.error is 'Error of the last attempt to apply the callback, for operators. Never shown to a merchant.';

create table quote_offers (
  merchant_id record_id not null,
  quote_id record_id not null,
  id record_id not null,
  rank integer not null,
  carrier text not null,
  service text not null,
  service_level text not null,
  vehicle text not null,
  price_kobo kobo not null,
  carrier_price_kobo kobo not null,
  breakdown jsonb not null,
  pickup_minutes jsonb,
  dropoff_minutes jsonb,
  reliability double precision not null,
  price_lock text not null,
  token text not null,
  tags text[] not null default '{}'::text[],
  expires_at timestamp(3) with time zone not null,
  sub_carrier text,
  constraint quote_offers_pkey PRIMARY KEY (merchant_id, quote_id, id),
  constraint offer_rank_is_used_once UNIQUE (merchant_id, quote_id, rank),
  constraint offer_is_of_a_quote FOREIGN KEY (merchant_id, quote_id) REFERENCES quotes(merchant_id, id) ON DELETE CASCADE,
  constraint offer_price_lock_is_known CHECK ((price_lock = ANY (ARRAY['carrier'::text, 'none'::text]))),
  constraint offer_rank_starts_at_1 CHECK ((rank >= 1)),
  constraint offer_reliability_is_a_share CHECK (((reliability >= (0)::double precision) AND (reliability <= (1)::double precision)))
);
comment on column quote_offers.carrier_price_kobo is 'Price of the carrier. The offer''s price may include the surge of a rate card.';
comment on column quote_offers.token is 'Token that the carrier requires in the order request. Never shown.';
comment on column quote_offers.sub_carrier is 'Carrier behind a broker, by the broker''s key for it. Null if the carrier is not a broker.';

create table quotes (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id,
  status text not null,
  pickup jsonb not null,
  dropoff jsonb not null,
  parcels jsonb not null,
  vehicle text not null,
  service_levels text[] not null,
  pickup_window jsonb,
  dropoff_window jsonb,
  declared_value_kobo kobo,
  pickup_zone_id text,
  dropoff_zone_id text,
  distance_meters integer not null,
  surge jsonb,
  carriers jsonb not null,
  warnings text[] not null default '{}'::text[],
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  redacted_at timestamp(3) with time zone,
  items jsonb,
  cod_amount_kobo bigint,
  return_id record_id,
  constraint quotes_pkey PRIMARY KEY (merchant_id, id),
  constraint quote_is_for_a_return FOREIGN KEY (merchant_id, return_id) REFERENCES returns(merchant_id, id) NOT VALID,
  constraint quote_is_of_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint quote_cash_is_positive CHECK ((cod_amount_kobo > 0)),
  constraint quote_distance_is_not_negative CHECK ((distance_meters >= 0)),
  constraint quote_expires_after_it_is_made CHECK ((expires_at > created_at)),
  constraint quote_items_are_a_list CHECK ((jsonb_typeof(items) = 'array'::text)),
  constraint quote_status_is_known CHECK ((status = ANY (ARRAY['complete'::text, 'partial'::text]))),
  constraint quote_vehicle_is_known CHECK ((vehicle = ANY (ARRAY['bike'::text, 'car'::text, 'van'::text, 'truck'::text])))
);
CREATE INDEX quotes_by_order ON public.quotes USING btree (merchant_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX quotes_by_return ON public.quotes USING btree (merchant_id, return_id) WHERE (return_id IS NOT NULL);
CREATE INDEX quotes_by_zone ON public.quotes USING btree (pickup_zone_id, created_at);
CREATE INDEX quotes_to_redact ON public.quotes USING btree (expires_at) WHERE ((used_at IS NULL) AND (redacted_at IS NULL));
comment on table quotes is 'Offers of carriers for the transport of parcels between two places.';
comment on column quotes.used_at is 'When a shipment was created from the quote. A quote can be used once.';
comment on column quotes.redacted_at is 'When personal data and exact places were removed. A redacted quote cannot be requoted.';
comment on column quotes.items is 'Units of the order''s items that were quoted: [{itemId, quantity}]. Null if none were recorded: all open units.';
comment on column quotes.cod_amount_kobo is 'Cash that the rider must collect at the delivery. Null without cash on delivery.';
comment on column quotes.return_id is 'The return whose units the parcels contain. Null for other quotes.';

create table rate_limit_processes (
  id text not null,
  counted_at timestamp with time zone not null,
  constraint rate_limit_processes_pkey PRIMARY KEY (id),
  constraint rate_limit_process_id_is_short CHECK ((char_length(id) <= 100))
) with (fillfactor=50);
comment on table rate_limit_processes is 'One row per API process. One that has not counted for ten seconds is not counted.';
comment on column rate_limit_processes.counted_at is 'When the process last counted the processes.';

create table rate_limits (
  key text not null,
  arrival_at timestamp with time zone not null,
  charge_ms double precision not null default 0,
  constraint rate_limits_pkey PRIMARY KEY (key),
  constraint rate_limit_key_is_short CHECK ((char_length(key) <= 100))
) with (fillfactor=50);
comment on table rate_limits is 'One row per limited key: class and token, or class and merchant. A key without a row has its whole quota.';
comment on column rate_limits.arrival_at is 'When the whole quota is available again, by the clock of the database (GCRA).';
comment on column rate_limits.charge_ms is 'How far the last report moved the arrival time, in milliseconds. Negative when it gave requests back.';

create table receipt_counters (
  merchant_id record_id not null,
  last_number integer not null,
  constraint receipt_counters_pkey PRIMARY KEY (merchant_id)
);
comment on table receipt_counters is 'The last number of the receipts of a merchant.';

create table receipts (
  merchant_id record_id not null,
  number integer not null,
  order_id record_id not null,
  issued_at timestamp(3) with time zone not null,
  constraint receipts_pkey PRIMARY KEY (merchant_id, number),
  constraint order_has_one_receipt UNIQUE (merchant_id, order_id),
  constraint receipt_is_of_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint receipt_number_is_positive CHECK ((number >= 1))
);
CREATE TRIGGER receipts_is_never_emptied BEFORE TRUNCATE ON public.receipts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table receipts enable always trigger receipts_is_never_emptied;
CREATE TRIGGER receipts_rows_never_change BEFORE DELETE OR UPDATE ON public.receipts FOR EACH ROW EXECUTE FUNCTION refuse_change('issued_at');
alter table receipts enable always trigger receipts_rows_never_change;
comment on table receipts is 'Receipts of orders, which are issued when the payments of an order first cover its total. Append-only.';
comment on column receipts.number is 'Number of the receipt, from 1 without gaps for each merchant.';

create table refund_items (
  merchant_id record_id not null,
  refund_id record_id not null,
  order_id record_id not null,
  item_id record_id not null,
  quantity positive_integer not null,
  restock boolean not null default false,
  amount_kobo kobo not null,
  constraint refund_items_pkey PRIMARY KEY (merchant_id, refund_id, item_id),
  constraint refund_item_belongs_to_refund FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id, id),
  constraint refund_item_is_of_an_order FOREIGN KEY (merchant_id, order_id, item_id) REFERENCES order_items(merchant_id, order_id, id)
);
comment on table refund_items is 'Units of an order item that a refund covers, and whether they are restocked.';

create table refunds (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  payment_id record_id,
  amount_kobo positive_kobo not null,
  tax_kobo kobo not null default 0,
  reason refund_reason not null,
  note text,
  status refund_status not null,
  destination refund_destination not null,
  account_number text,
  bank_code text,
  account_name text,
  provider payment_provider not null,
  provider_reference text,
  submitted_at timestamp(3) with time zone,
  failure_code text,
  failure_message text,
  order_refunded_kobo kobo not null,
  order_refundable_kobo kobo not null,
  order_payment_status text not null,
  created_by_type actor_type not null,
  created_by_id text,
  metadata jsonb not null default '{}'::jsonb,
  expected_at timestamp(3) with time zone,
  succeeded_at timestamp(3) with time zone,
  failed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  next_check_at timestamp(3) with time zone,
  checks unsigned_integer not null default 0,
  created_process text,
  not_found_since timestamp(3) with time zone,
  created_server text,
  return_id record_id,
  constraint refunds_pkey PRIMARY KEY (merchant_id, id),
  constraint refund_provider_reference_is_used_once UNIQUE (merchant_id, provider, provider_reference),
  constraint refund_is_for_a_return FOREIGN KEY (merchant_id, return_id) REFERENCES returns(merchant_id, id) NOT VALID,
  constraint refund_is_of_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint refund_returns_a_known_payment FOREIGN KEY (merchant_id, payment_id) REFERENCES payments(merchant_id, id),
  constraint refund_by_provider_is_of_a_payment CHECK ((((provider)::text = 'manual'::text) OR (payment_id IS NOT NULL))),
  constraint refund_failure_has_a_time CHECK ((((status)::text = 'failed'::text) = (failed_at IS NOT NULL))),
  constraint refund_is_checked_only_while_it_may_change CHECK (((next_check_at IS NULL) OR ((status)::text <> ALL (ARRAY['failed'::text, 'cancelled'::text])))),
  constraint refund_names_an_account_iff_it_goes_to_one CHECK ((num_nonnulls(account_number, bank_code, account_name) =
CASE destination
    WHEN 'bank_account'::text THEN 3
    ELSE 0
END)),
  constraint refund_success_has_a_time CHECK ((((status)::text <> 'succeeded'::text) OR (succeeded_at IS NOT NULL))),
  constraint refund_tax_is_within_its_amount CHECK (((tax_kobo)::bigint <= (amount_kobo)::bigint))
);
CREATE INDEX refunds_awaiting_bank_details ON public.refunds USING btree (merchant_id, created_at DESC, id DESC) WHERE ((status)::text = 'needs_attention'::text);
CREATE INDEX refunds_by_order ON public.refunds USING btree (merchant_id, order_id);
CREATE INDEX refunds_by_return ON public.refunds USING btree (merchant_id, return_id) WHERE (return_id IS NOT NULL);
CREATE INDEX refunds_due_for_check ON public.refunds USING btree (merchant_id, next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX refunds_failed_newest_first ON public.refunds USING btree (merchant_id, failed_at DESC, id DESC) WHERE ((status)::text = 'failed'::text);
CREATE INDEX refunds_newest_first ON public.refunds USING btree (merchant_id, created_at DESC, id DESC);
CREATE TRIGGER changed_refunds_change_sales AFTER UPDATE OF status, amount_kobo ON public.refunds FOR EACH ROW WHEN (((((old.status)::text = ANY (ARRAY['failed'::text, 'cancelled'::text])) <> ((new.status)::text = ANY (ARRAY['failed'::text, 'cancelled'::text]))) OR ((old.amount_kobo)::bigint <> (new.amount_kobo)::bigint))) EXECUTE FUNCTION queue_refunds();
CREATE TRIGGER new_refunds_change_sales AFTER INSERT ON public.refunds FOR EACH ROW EXECUTE FUNCTION queue_refunds();
CREATE TRIGGER refund_has_its_server BEFORE INSERT ON public.refunds FOR EACH ROW WHEN ((new.next_check_at IS NOT NULL)) EXECUTE FUNCTION set_refund_server();
CREATE TRIGGER refund_moves_as_published BEFORE UPDATE OF status ON public.refunds FOR EACH ROW WHEN (((old.status)::text <> (new.status)::text)) EXECUTE FUNCTION refund_moves_as_published();
comment on table refunds is 'A refund of an order.';
comment on column refunds.payment_id is 'Payment that the refund is part of. Null for a refund of manual payments.';
comment on column refunds.submitted_at is 'Set before the refund is submitted to its provider. Once set, a search at the provider precedes every further submission.';
comment on column refunds.order_refunded_kobo is 'With order_refundable_kobo and order_payment_status: the order''s values after the last change of the refund.';
comment on column refunds.next_check_at is 'When a worker next submits the refund or checks its result. Null when no check is needed.';
comment on column refunds.checks is 'Checks since the last change. The delay between checks grows with it.';
comment on column refunds.created_process is 'No longer written: replaced by created_server.';
comment on column refunds.not_found_since is 'When a search at the provider first found no such refund, since it was last submitted. Null before that.';
comment on column refunds.created_server is 'server_identity() at creation, while it proves that the server lost no claim of the refund. Null when a search must establish whether the refund was submitted.';
comment on column refunds.return_id is 'The return that the refund is for. Null if the refund names no return.';

create table remittances (
  merchant_id record_id not null,
  id record_id not null,
  carrier text not null,
  amount_kobo positive_kobo not null,
  reference text not null,
  received_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  voided_at timestamp(3) with time zone,
  void_reason text,
  constraint remittances_pkey PRIMARY KEY (merchant_id, id),
  constraint remittance_is_of_collected_cash FOREIGN KEY (merchant_id, carrier) REFERENCES carrier_cash(merchant_id, carrier),
  constraint remittance_is_voided_with_a_reason CHECK ((((voided_at IS NULL) = (void_reason IS NULL)) AND ((void_reason IS NULL) OR (void_reason = ANY (ARRAY['duplicate'::text, 'wrong_amount'::text, 'wrong_carrier'::text, 'not_received'::text, 'other'::text])))))
);
CREATE UNIQUE INDEX remittance_reference_counts_once ON public.remittances USING btree (merchant_id, reference, (
CASE
    WHEN (voided_at IS NOT NULL) THEN (id)::text
    ELSE NULL::text
END)) NULLS NOT DISTINCT;
CREATE INDEX remittances_by_carrier ON public.remittances USING btree (merchant_id, carrier);
comment on table remittances is 'Transfers of collected cash from a carrier to the merchant.';
comment on column remittances.voided_at is 'When the remittance was voided. Null for a remittance that counts.';
comment on column remittances.void_reason is 'Reason code of the void. Null for a remittance that counts.';

create table request_counts (
  merchant_id record_id not null,
  hour timestamp(3) with time zone not null,
  status_class smallint not null,
  requests bigint not null,
  constraint request_counts_pkey PRIMARY KEY (merchant_id, hour, status_class),
  constraint request_counts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint request_count_is_positive CHECK ((requests > 0)),
  constraint request_hour_is_a_whole_hour CHECK ((hour = date_trunc('hour'::text, hour, 'UTC'::text))),
  constraint request_status_class_is_known CHECK (((status_class >= 2) AND (status_class <= 5)))
);
CREATE INDEX request_counts_by_hour ON public.request_counts USING btree (hour);
comment on table request_counts is 'Requests of a merchant per hour and class of their status, maintained with the request log.';
comment on column request_counts.status_class is 'First digit of the status: 4 for 400 to 499.';

create table request_log (
  occurred_at timestamp(3) with time zone not null,
  recorded_xid xid8 not null,
  duration_ms integer not null,
  status smallint not null,
  merchant_id record_id not null,
  id record_id not null,
  token_id record_id not null,
  operation text not null,
  error_code text,
  source_ip inet not null,
  problems jsonb,
  body text,
  constraint request_log_pkey PRIMARY KEY (merchant_id, id),
  constraint request_duration_is_not_negative CHECK ((duration_ms >= 0)),
  constraint request_status_is_a_response_status CHECK (((status >= 200) AND (status <= 599)))
);
CREATE INDEX request_log_errors ON ONLY public.request_log USING btree (merchant_id, id) WHERE (status >= 400);
comment on table request_log is 'An API request of a token: its operation, result and duration. Never its token, and its body only redacted.';
comment on column request_log.id is 'Id of the request, as in the header Request-Id.';
comment on column request_log.problems is 'The invalid values of a rejected request: the path of each and the code of the violated rule, without the value. Null if there are none.';
comment on column request_log.body is 'The redacted body of a rejected request as JSON, at most 16 KB. Null if the merchant did not record bodies.';

create table return_items (
  merchant_id record_id not null,
  return_id record_id not null,
  order_id record_id not null,
  item_id record_id not null,
  quantity integer not null,
  restocked_quantity integer not null default 0,
  written_off_quantity integer not null default 0,
  constraint return_items_pkey PRIMARY KEY (merchant_id, return_id, item_id),
  constraint return_item_belongs_to_return FOREIGN KEY (merchant_id, return_id) REFERENCES returns(merchant_id, id),
  constraint return_item_is_of_an_order FOREIGN KEY (merchant_id, order_id, item_id) REFERENCES order_items(merchant_id, order_id, id),
  constraint return_item_quantity_is_positive CHECK ((quantity >= 1)),
  constraint return_item_receives_no_more_than_it_has CHECK (((restocked_quantity >= 0) AND (written_off_quantity >= 0) AND ((restocked_quantity + written_off_quantity) <= quantity)))
);
comment on table return_items is 'Requested and received units of one order item in a return.';

create table returns (
  merchant_id record_id not null,
  id record_id not null,
  order_id record_id not null,
  status text not null,
  reason text not null,
  note text,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  received_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  constraint returns_pkey PRIMARY KEY (merchant_id, id),
  constraint return_is_of_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint return_end_has_a_time CHECK (((status = ANY (ARRAY['closed'::text, 'rejected'::text])) = (ended_at IS NOT NULL))),
  constraint return_receipt_has_a_time CHECK (((status <> 'received'::text) OR (received_at IS NOT NULL))),
  constraint return_status_is_known CHECK ((status = ANY (ARRAY['requested'::text, 'approved'::text, 'in_transit'::text, 'received'::text, 'closed'::text, 'rejected'::text])))
);
CREATE INDEX returns_by_order ON public.returns USING btree (merchant_id, order_id);
CREATE INDEX returns_newest_first ON public.returns USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX returns_requested ON public.returns USING btree (merchant_id, id) WHERE (status = 'requested'::text);
CREATE INDEX returns_under_way ON public.returns USING btree (merchant_id, id) WHERE (status = ANY (ARRAY['approved'::text, 'in_transit'::text]));
CREATE TRIGGER return_moves_as_published BEFORE UPDATE OF status ON public.returns FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION return_moves_as_published();
alter table returns enable always trigger return_moves_as_published;
comment on table returns is 'Units of an order that the customer sends back to the shop.';

create table sales_changes (
  merchant_id record_id not null,
  day date not null,
  id uuid not null default gen_random_uuid(),
  constraint sales_changes_pkey PRIMARY KEY (merchant_id, day, id)
);
comment on table sales_changes is 'Days in Lagos whose sales have changed since the job counted them.';

create table sales_summaries (
  merchant_id record_id not null,
  dimension text not null,
  day date not null,
  key text collate "C" not null,
  order_count bigint not null,
  unit_count bigint not null,
  gross_kobo bigint not null,
  discounts_kobo bigint not null,
  shipping_kobo bigint not null,
  tax_kobo bigint not null,
  refunds_kobo bigint not null,
  net_kobo bigint not null,
  constraint sales_summaries_pkey PRIMARY KEY (merchant_id, dimension, day, key),
  constraint sales_dimension_is_known CHECK ((dimension = ANY (ARRAY['source'::text, 'state'::text, 'product'::text, 'product_month'::text])))
);
CREATE INDEX sales_by_gross ON public.sales_summaries USING btree (merchant_id, dimension, day, gross_kobo DESC, key);
comment on table sales_summaries is 'Figures of the sales report for a day and a group, as the job last counted them.';
comment on column sales_summaries.dimension is 'How the sales are grouped. The days of product_month are first days of months: its rows are sums of the rows of product.';
comment on column sales_summaries.day is 'Day in Lagos.';
comment on column sales_summaries.key is 'Source, state or product of the sales. Empty without one.';

create table schedule_calibrations (
  merchant_id record_id not null,
  kind text not null,
  widening double precision not null,
  coverage50 double precision not null,
  coverage90 double precision not null,
  sample_size integer not null,
  evaluated_at timestamp(3) with time zone,
  constraint schedule_calibrations_pkey PRIMARY KEY (merchant_id, kind),
  constraint calibration_is_bounded CHECK (((widening >= (0.7)::double precision) AND (widening <= (1.6)::double precision))),
  constraint calibration_kind_is_known CHECK ((kind = ANY (ARRAY['ready'::text, 'arrival'::text])))
);
comment on table schedule_calibrations is 'Coverage of a merchant''s last 50 predictions, and the resulting width of the next ones.';
comment on column schedule_calibrations.evaluated_at is 'When the width was last evaluated. Only later predictions count for the next evaluation.';

create table schedule_predictions (
  merchant_id record_id not null,
  id record_id not null,
  shipment_id record_id not null,
  basis text not null,
  made_at timestamp(3) with time zone not null,
  dispatch_at timestamp(3) with time zone not null,
  ready_p50_at timestamp(3) with time zone not null,
  ready_p90_at timestamp(3) with time zone not null,
  arrival_p50_at timestamp(3) with time zone not null,
  arrival_p90_at timestamp(3) with time zone not null,
  schedule jsonb not null,
  request jsonb not null,
  replanned_at timestamp(3) with time zone,
  dispatched_at timestamp(3) with time zone,
  ready_at timestamp(3) with time zone,
  ready_by_at timestamp(3) with time zone,
  arrived_at timestamp(3) with time zone,
  completed_at timestamp(3) with time zone,
  constraint schedule_predictions_pkey PRIMARY KEY (merchant_id, id),
  constraint prediction_is_of_one_shipment UNIQUE (merchant_id, shipment_id),
  constraint prediction_is_of_a_shipment FOREIGN KEY (merchant_id, shipment_id) REFERENCES shipments(merchant_id, id)
);
CREATE INDEX predictions_completed ON public.schedule_predictions USING btree (merchant_id, completed_at DESC) WHERE (completed_at IS NOT NULL);
comment on table schedule_predictions is 'Predicted and actual times of a scheduled shipment.';
comment on column schedule_predictions.ready_by_at is 'When the rider found the parcel ready. The parcel was ready at some unknown time before.';

create table service_keys (
  purpose text not null,
  key_id smallint not null,
  secret bytea not null,
  created_at timestamp(3) with time zone not null,
  constraint service_keys_pkey PRIMARY KEY (purpose, key_id),
  constraint service_key_is_long_enough CHECK ((octet_length(secret) >= 32))
);
comment on table service_keys is 'A secret that the service generated for one purpose, such as signing cursors. The highest key_id signs, all verify.';

create table sessions (
  id record_id not null,
  token_hash bytea not null,
  user_id record_id not null,
  selected_merchant_id record_id,
  stage text not null,
  created_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  authenticated_at timestamp(3) with time zone not null,
  source_ip inet,
  user_agent text,
  revoked_at timestamp(3) with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint session_token_is_unique UNIQUE (token_hash),
  constraint sessions_selected_merchant_id_fkey FOREIGN KEY (selected_merchant_id) REFERENCES merchants(id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint session_hash_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint session_stage_is_known CHECK ((stage = ANY (ARRAY['totp_required'::text, 'setup_required'::text, 'complete'::text]))),
  constraint session_user_agent_is_short CHECK ((char_length(user_agent) <= 200))
);
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);
comment on table sessions is 'A signed-in browser. Only the hash of its token is stored.';
comment on column sessions.selected_merchant_id is 'The live or test merchant shown in the dashboard.';
comment on column sessions.stage is 'The remaining step of the sign-in; complete gives access.';
comment on column sessions.authenticated_at is 'When the user last proved who they are. Secrets are shown for 10 minutes after.';

create table shared_audit_chain (
  number bigint not null,
  audit_id record_id not null,
  hash bytea not null,
  constraint shared_audit_chain_pkey PRIMARY KEY (number),
  constraint shared_audit_row_is_linked_once UNIQUE (audit_id),
  constraint shared_audit_chain_starts_at_1 CHECK ((number >= 1)),
  constraint shared_audit_hash_is_sha256 CHECK ((octet_length(hash) = 32))
);
CREATE TRIGGER shared_audit_chain_is_never_emptied BEFORE TRUNCATE ON public.shared_audit_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table shared_audit_chain enable always trigger shared_audit_chain_is_never_emptied;
CREATE TRIGGER shared_audit_chain_rows_never_change BEFORE DELETE OR UPDATE ON public.shared_audit_chain FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table shared_audit_chain enable always trigger shared_audit_chain_rows_never_change;
comment on table shared_audit_chain is 'Hash chain over the shared audit log. Append-only.';

create table shared_audit_heads (
  number bigint not null,
  hash bytea not null,
  sealed_at timestamp(3) with time zone not null,
  key_id text,
  signature bytea,
  constraint shared_audit_heads_pkey PRIMARY KEY (number),
  constraint shared_audit_head_hash_is_sha256 CHECK ((octet_length(hash) = 32)),
  constraint shared_audit_head_names_the_key_of_its_signature CHECK (((key_id IS NULL) = (signature IS NULL)))
);
CREATE TRIGGER shared_audit_heads_is_never_emptied BEFORE TRUNCATE ON public.shared_audit_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table shared_audit_heads enable always trigger shared_audit_heads_is_never_emptied;
CREATE TRIGGER shared_audit_heads_rows_never_change BEFORE DELETE OR UPDATE ON public.shared_audit_heads FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table shared_audit_heads enable always trigger shared_audit_heads_rows_never_change;
comment on table shared_audit_heads is 'Signed last entries of the hash chain over the shared audit log. Append-only.';

create table shared_audit_log (
  id record_id not null,
  occurred_at timestamp(3) with time zone not null,
  actor_type text not null,
  actor_label text not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  changes jsonb not null default '{}'::jsonb,
  recorded_xid bigint default ((pg_current_xact_id())::text)::bigint,
  recorded_at timestamp(3) with time zone default clock_timestamp(),
  source_ip inet,
  constraint shared_audit_log_pkey PRIMARY KEY (id),
  constraint shared_audit_actor_type_is_known CHECK ((actor_type = ANY (ARRAY['member'::text, 'operator'::text, 'system'::text]))),
  constraint shared_audit_changes_are_an_object CHECK ((jsonb_typeof(changes) = 'object'::text))
);
CREATE INDEX shared_audit_log_by_xid ON public.shared_audit_log USING brin (recorded_xid) WITH (autosummarize='on');
CREATE TRIGGER shared_audit_log_is_never_emptied BEFORE TRUNCATE ON public.shared_audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table shared_audit_log enable always trigger shared_audit_log_is_never_emptied;
CREATE TRIGGER shared_audit_log_rows_never_change BEFORE DELETE OR UPDATE ON public.shared_audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table shared_audit_log enable always trigger shared_audit_log_rows_never_change;
revoke delete, truncate, update on shared_audit_log from current_user;
comment on table shared_audit_log is 'One committed change of data that belongs to no merchant: the actor, the action, the record and the time. Append-only.';
comment on column shared_audit_log.recorded_xid is 'Transaction that inserted the row. Null in rows from before the hash chain.';
comment on column shared_audit_log.recorded_at is 'When the database stored the row. Null in rows from before the hash chain.';
comment on column shared_audit_log.source_ip is 'The address of the actor. Null for the system, and for rows from before this column.';

create table shared_quantiles (
  is_simulated boolean not null,
  kind text not null,
  zone_from text not null,
  zone_to text not null,
  hour_bucket smallint not null,
  sample_size integer not null,
  seconds double precision[] not null,
  updated_at timestamp(3) with time zone not null,
  constraint shared_quantiles_pkey PRIMARY KEY (is_simulated, kind, zone_from, zone_to, hour_bucket),
  constraint shared_quantile_sample_size_is_positive CHECK ((sample_size > 0)),
  constraint shared_quantiles_are_nineteen CHECK ((array_length(seconds, 1) = 19))
);
comment on table shared_quantiles is 'The same quantiles of all merchants together, by delivery zone and overall, for groups of at least three merchants.';
comment on column shared_quantiles.is_simulated is 'Whether the quantiles are of test mode, whose simulated riders must not affect live estimates.';
comment on column shared_quantiles.zone_from is 'Pickup zone. Empty for all zones.';

create table shipment_events (
  merchant_id record_id not null,
  shipment_id record_id not null,
  number integer not null,
  attempt_number integer,
  status text,
  carrier_status text,
  source text not null,
  description text not null,
  is_applied boolean not null,
  occurred_at timestamp(3) with time zone not null,
  received_at timestamp(3) with time zone not null,
  constraint shipment_events_pkey PRIMARY KEY (merchant_id, shipment_id, number),
  constraint shipment_event_is_of_a_shipment FOREIGN KEY (merchant_id, shipment_id) REFERENCES shipments(merchant_id, id),
  constraint shipment_event_numbers_start_at_1 CHECK ((number >= 1)),
  constraint shipment_event_source_is_known CHECK ((source = ANY (ARRAY['request'::text, 'callback'::text, 'poll'::text, 'service'::text])))
);
CREATE TRIGGER shipment_events_is_never_emptied BEFORE TRUNCATE ON public.shipment_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table shipment_events enable always trigger shipment_events_is_never_emptied;
CREATE TRIGGER shipment_events_rows_never_change BEFORE DELETE OR UPDATE ON public.shipment_events FOR EACH ROW EXECUTE FUNCTION refuse_change_of_shipment_event();
alter table shipment_events enable always trigger shipment_events_rows_never_change;
revoke delete, truncate, update on shipment_events from current_user;
comment on table shipment_events is 'Timeline of a shipment, including updates that arrived too late to change its status.';

create table shipment_positions (
  merchant_id record_id not null,
  shipment_id record_id not null,
  number integer not null,
  attempt_number integer not null,
  lat double precision not null,
  lng double precision not null,
  heading_degrees integer,
  source text not null,
  recorded_at timestamp(3) with time zone not null,
  received_at timestamp(3) with time zone not null,
  constraint shipment_positions_pkey PRIMARY KEY (merchant_id, shipment_id, number),
  constraint position_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint position_heading_is_a_direction CHECK (((heading_degrees >= 0) AND (heading_degrees <= 359))),
  constraint position_numbers_start_at_1 CHECK ((number >= 1)),
  constraint position_source_is_known CHECK ((source = ANY (ARRAY['callback'::text, 'poll'::text])))
);
CREATE INDEX shipment_positions_by_age ON public.shipment_positions USING btree (received_at);
comment on table shipment_positions is 'Positions of the rider of a shipment, deleted after a month.';

create table shipments (
  merchant_id record_id not null,
  id record_id not null,
  reference text collate "C" not null,
  request_hash text not null,
  order_id record_id,
  quote_id record_id,
  offer_id record_id,
  status text not null,
  status_code text,
  status_message text,
  pickup jsonb not null,
  dropoff jsonb not null,
  parcels jsonb not null,
  pickup_zone_id text,
  dropoff_zone_id text,
  distance_meters integer not null,
  vehicle text not null,
  service_level text,
  service text,
  proof jsonb not null,
  undeliverable_action text not null,
  failover jsonb not null,
  plan jsonb not null,
  price_ceiling_kobo kobo not null,
  carrier text,
  carrier_reference text,
  tracking_url text,
  label_url text,
  quoted_price_kobo kobo not null,
  price_kobo kobo,
  surge_kobo kobo not null default 0,
  surge_snapshot_id text,
  courier jsonb,
  delivery_estimate jsonb,
  captured_proof jsonb not null default '[]'::jsonb,
  exceptions jsonb not null default '[]'::jsonb,
  cancel_requested_at timestamp(3) with time zone,
  cancel_reason text,
  cancel_note text,
  cancel_max_fee_kobo kobo,
  cancel_fee_kobo kobo,
  cancel_refund_kobo kobo,
  dispatch_at timestamp(3) with time zone,
  scheduled_pickup_at timestamp(3) with time zone,
  dispatched_at timestamp(3) with time zone,
  accepted_at timestamp(3) with time zone,
  assigned_at timestamp(3) with time zone,
  picked_up_at timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  event_count integer not null default 0,
  attempt_count integer not null default 0,
  next_check_at timestamp(3) with time zone,
  checks integer not null default 0,
  metadata jsonb not null default '{}'::jsonb,
  version integer not null default 1,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  pickup_estimate jsonb,
  items jsonb not null,
  items_booked text not null default 'none'::text,
  warnings jsonb not null default '[]'::jsonb,
  removed_items jsonb not null default '[]'::jsonb,
  cod_amount_kobo bigint,
  cod_collected_kobo bigint,
  cod_collected_at timestamp(3) with time zone,
  return_id record_id,
  constraint shipments_pkey PRIMARY KEY (merchant_id, id),
  constraint shipment_quote_is_used_once UNIQUE (merchant_id, quote_id),
  constraint shipment_reference_is_used_once UNIQUE (merchant_id, reference),
  constraint shipment_is_of_a_return FOREIGN KEY (merchant_id, return_id) REFERENCES returns(merchant_id, id) NOT VALID,
  constraint shipment_is_of_an_order FOREIGN KEY (merchant_id, order_id) REFERENCES orders(merchant_id, id),
  constraint shipment_uses_an_offer FOREIGN KEY (merchant_id, quote_id, offer_id) REFERENCES quote_offers(merchant_id, quote_id, id),
  constraint return_shipment_has_no_order_and_no_cash CHECK (((return_id IS NULL) OR ((order_id IS NULL) AND (cod_amount_kobo IS NULL)))) NOT VALID,
  constraint shipment_cash_is_positive CHECK ((cod_amount_kobo > 0)),
  constraint shipment_collects_cash_at_a_time CHECK ((((cod_collected_kobo IS NULL) = (cod_collected_at IS NULL)) AND ((cod_collected_kobo IS NULL) OR ((cod_amount_kobo IS NOT NULL) AND (cod_collected_kobo >= 0))))),
  constraint shipment_delivery_has_a_time CHECK (((status = 'delivered'::text) = (delivered_at IS NOT NULL))),
  constraint shipment_end_has_a_time CHECK (((status = ANY (ARRAY['delivered'::text, 'returned'::text, 'cancelled'::text, 'failed'::text, 'lost'::text])) = (ended_at IS NOT NULL))),
  constraint shipment_items_are_a_list CHECK ((jsonb_typeof(items) = 'array'::text)),
  constraint shipment_items_booked_is_known CHECK ((items_booked = ANY (ARRAY['none'::text, 'sent'::text, 'returned'::text]))),
  constraint shipment_reference_is_plain CHECK ((reference ~ '^[A-Za-z0-9._-]{1,64}$'::text)),
  constraint shipment_request_hash_is_a_sha256 CHECK ((request_hash ~ '^[0-9a-f]{64}$'::text)),
  constraint shipment_schedule_has_a_time CHECK (((status <> 'scheduled'::text) OR (dispatch_at IS NOT NULL))),
  constraint shipment_status_is_known CHECK ((status = ANY (ARRAY['scheduled'::text, 'dispatching'::text, 'awaiting_courier'::text, 'courier_assigned'::text, 'at_pickup'::text, 'picked_up'::text, 'in_transit'::text, 'at_dropoff'::text, 'delivered'::text, 'delivery_failed'::text, 'returning'::text, 'returned'::text, 'cancelling'::text, 'cancelled'::text, 'failed'::text, 'lost'::text]))),
  constraint shipment_surge_is_part_of_its_price CHECK (((price_kobo IS NULL) OR ((surge_kobo)::bigint <= (price_kobo)::bigint))),
  constraint shipment_undeliverable_action_is_known CHECK ((undeliverable_action = ANY (ARRAY['return'::text, 'leave_at_door'::text, 'hold'::text]))),
  constraint shipment_version_starts_at_1 CHECK ((version >= 1)),
  constraint shipment_warnings_are_a_list CHECK ((jsonb_typeof(warnings) = 'array'::text))
);
CREATE UNIQUE INDEX return_has_one_shipment ON public.shipments USING btree (merchant_id, return_id) WHERE ((return_id IS NOT NULL) AND (status <> ALL (ARRAY['failed'::text, 'cancelled'::text, 'returned'::text])));
CREATE INDEX shipments_by_carrier ON public.shipments USING btree (merchant_id, carrier, created_at DESC, id DESC) WHERE (carrier IS NOT NULL);
CREATE INDEX shipments_by_delivery ON public.shipments USING btree (merchant_id, delivered_at) WHERE (delivered_at IS NOT NULL);
CREATE INDEX shipments_by_end ON public.shipments USING btree (ended_at) WHERE (picked_up_at IS NOT NULL);
CREATE INDEX shipments_by_order ON public.shipments USING btree (merchant_id, order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX shipments_by_return ON public.shipments USING btree (merchant_id, return_id) WHERE (return_id IS NOT NULL);
CREATE INDEX shipments_by_search_key ON public.shipments USING gin (merchant_id, search_key(shipment_search_text(reference,
CASE
    WHEN (return_id IS NULL) THEN dropoff
    ELSE pickup
END)) gin_trgm_ops) WITH (fastupdate='on', gin_pending_list_limit='1024');
CREATE INDEX shipments_by_status ON public.shipments USING btree (merchant_id, status, created_at DESC, id DESC);
CREATE INDEX shipments_by_zone ON public.shipments USING btree (pickup_zone_id, dispatched_at) WHERE (dispatched_at IS NOT NULL);
CREATE INDEX shipments_due_for_check ON public.shipments USING btree (next_check_at) WHERE (next_check_at IS NOT NULL);
CREATE INDEX shipments_newest_first ON public.shipments USING btree (merchant_id, created_at DESC, id DESC);
CREATE INDEX shipments_with_open_exceptions ON public.shipments USING btree (merchant_id, created_at DESC, id DESC) WHERE ((exceptions <> '[]'::jsonb) AND jsonb_path_exists(exceptions, '$[*]?(!(exists (@."resolvedAt")))'::jsonpath));
CREATE TRIGGER shipment_moves_as_published BEFORE UPDATE OF status ON public.shipments FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION shipment_moves_as_published();
alter table shipments enable always trigger shipment_moves_as_published;
CREATE TRIGGER shipments_record_all_items BEFORE INSERT ON public.shipments FOR EACH ROW WHEN ((new.items IS NULL)) EXECUTE FUNCTION record_all_items();
comment on table shipments is 'Parcels from one place to another, with one carrier at a time.';
comment on column shipments.request_hash is 'Hash of the request that created the shipment. A repeated request with the same reference returns the same shipment.';
comment on column shipments.price_kobo is 'Price of the accepting carrier, including surge.';
comment on column shipments.surge_kobo is 'Part of the price that this service adds to a rate card.';
comment on column shipments.exceptions is 'Conditions that need manual action, as codes and data. Their messages are built when they are read.';
comment on column shipments.next_check_at is 'When a worker next processes the shipment. Null when no check is needed.';
comment on column shipments.pickup_estimate is 'Estimated pickup time that the carrier gave at its acceptance.';
comment on column shipments.items is 'Units of the order''s items that this shipment carries: [{itemId, quantity}].';
comment on column shipments.items_booked is 'Whether the items are recorded on the order as sent or as returned.';
comment on column shipments.warnings is 'Warnings about the places and windows at the time of creation.';
comment on column shipments.removed_items is 'The order items and quantities that left the shipment because of a refund, in the form of items.';
comment on column shipments.cod_amount_kobo is 'Cash that the rider must collect at the delivery. Null without cash on delivery.';
comment on column shipments.cod_collected_kobo is 'Cash that the rider collected. Null until the parcel is delivered.';
comment on column shipments.return_id is 'The return whose units the shipment brings back. Null for other shipments.';

create table sign_in_failures (
  key_hash bytea not null,
  count integer not null,
  last_failed_at timestamp(3) with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (key_hash),
  constraint sign_in_failure_hash_is_sha256 CHECK ((octet_length(key_hash) = 32)),
  constraint sign_in_failures_are_counted CHECK ((count >= 0))
);
comment on table sign_in_failures is 'Failed sign-in attempts, counted by device, by e-mail and network, by e-mail, and by network.';
comment on column sign_in_failures.key_hash is 'SHA-256 of what is counted, so that the table contains no e-mail addresses.';

create table sign_in_links (
  token_hash bytea not null,
  user_id record_id not null,
  purpose text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  used_at timestamp(3) with time zone,
  constraint sign_in_links_pkey PRIMARY KEY (token_hash),
  constraint sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint sign_in_link_hash_is_sha256 CHECK ((octet_length(token_hash) = 32)),
  constraint sign_in_link_purpose_is_known CHECK ((purpose = ANY (ARRAY['first_sign_in'::text, 'recovery'::text])))
);
CREATE INDEX sign_in_links_by_user ON public.sign_in_links USING btree (user_id);
comment on table sign_in_links is 'A link that signs a user in once. Only its hash is stored.';

create table simulated_orders (
  company text not null,
  number text collate "C" not null,
  reference text not null,
  service text not null,
  vehicle text not null,
  price_kobo bigint not null,
  pickup_latitude double precision not null,
  pickup_longitude double precision not null,
  dropoff_latitude double precision not null,
  dropoff_longitude double precision not null,
  has_pin boolean not null,
  seed text not null,
  step_ms integer not null,
  fault text not null,
  callback_url text,
  callback_secret text,
  callback_digits text not null,
  callbacks_sent smallint not null default 0,
  callback_attempts smallint not null default 0,
  next_callback_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  accepted_at timestamp(3) with time zone not null,
  cancelled_at timestamp(3) with time zone,
  cancellation_fee_kobo bigint,
  cash_collected_kobo bigint,
  constraint simulated_orders_pkey PRIMARY KEY (company, number),
  constraint simulated_callback_digits_are_three CHECK ((callback_digits ~ '^\d{3}$'::text)),
  constraint simulated_callback_has_an_address CHECK (((next_callback_at IS NULL) OR (callback_url IS NOT NULL))),
  constraint simulated_company_is_known CHECK ((company = ANY (ARRAY['simulator-swift'::text, 'simulator-steady'::text, 'simulator-saver'::text]))),
  constraint simulated_fee_is_of_a_cancelled_order CHECK (((cancellation_fee_kobo IS NULL) OR (cancelled_at IS NOT NULL))),
  constraint simulated_order_is_accepted_after_it_is_requested CHECK ((accepted_at >= created_at)),
  constraint simulated_order_is_cancelled_after_it_is_accepted CHECK ((cancelled_at >= accepted_at)),
  constraint simulated_price_is_not_negative CHECK ((price_kobo >= 0)),
  constraint simulated_step_is_positive CHECK ((step_ms > 0))
);
CREATE UNIQUE INDEX simulated_orders_by_reference ON public.simulated_orders USING btree (reference) WHERE (company = 'simulator-swift'::text);
CREATE INDEX simulated_orders_by_time ON public.simulated_orders USING btree (company, created_at, number);
CREATE INDEX simulated_orders_of_reference ON public.simulated_orders USING btree (reference);
CREATE INDEX simulated_orders_to_delete ON public.simulated_orders USING btree (created_at);
CREATE INDEX simulated_orders_with_a_due_callback ON public.simulated_orders USING btree (next_callback_at) WHERE (next_callback_at IS NOT NULL);
comment on table simulated_orders is 'Orders of the simulated carriers of test mode. Every event of an order follows from its row and the time.';
comment on column simulated_orders.seed is 'Seed of the rider''s name, number plate and way to the pickup.';
comment on column simulated_orders.step_ms is 'Duration of a delivery step. Stored, so that a changed configuration does not affect orders in progress.';
comment on column simulated_orders.fault is 'Simulated fault, by the recipient''s phone number or at random.';
comment on column simulated_orders.callback_digits is 'Simulated faults of the callbacks: their order, number and signature.';
comment on column simulated_orders.callbacks_sent is 'Steps whose callbacks were sent or abandoned so far.';
comment on column simulated_orders.accepted_at is 'When the carrier stores the order, possibly after the request has timed out.';
comment on column simulated_orders.cash_collected_kobo is 'Cash that the simulated carrier reports with the delivery. Null if it reports none.';

create table simulated_payment_callbacks (
  id bigint not null generated always as identity,
  url text not null,
  key text not null,
  body text not null,
  due_at timestamp(3) with time zone not null,
  attempts smallint not null default 0,
  constraint simulated_payment_callbacks_pkey PRIMARY KEY (id)
);
CREATE INDEX simulated_payment_callbacks_due ON public.simulated_payment_callbacks USING btree (due_at, id);
comment on table simulated_payment_callbacks is 'Callbacks that the simulated provider still has to send. A row is deleted when its callback is received or abandoned.';

create table simulated_payments (
  account text not null,
  reference text not null,
  id bigint not null generated always as identity,
  amount_kobo bigint not null,
  behaviour text not null,
  paid_at timestamp(3) with time zone not null,
  constraint simulated_payments_pkey PRIMARY KEY (account, reference),
  constraint simulated_payment_is_positive CHECK ((amount_kobo > 0))
);
comment on table simulated_payments is 'Payments of test mode, stored by the simulated provider when they are first verified.';

create table simulated_refunds (
  id bigint not null generated always as identity,
  account text not null,
  reference text not null,
  amount_kobo bigint not null,
  note text not null,
  behaviour text not null,
  step_ms integer not null,
  created_at timestamp(3) with time zone not null,
  details_at timestamp(3) with time zone,
  constraint simulated_refunds_pkey PRIMARY KEY (id),
  constraint simulated_refund_is_positive CHECK ((amount_kobo > 0)),
  constraint simulated_refund_step_is_positive CHECK ((step_ms > 0))
);
CREATE INDEX simulated_refunds_of_account ON public.simulated_refunds USING btree (account, id);
comment on table simulated_refunds is 'Refunds of test mode. The status of a refund follows from its row and the time.';
comment on column simulated_refunds.details_at is 'When the bank details that the refund needs were set.';

create table stock_movements (
  merchant_id record_id not null,
  id record_id not null,
  variant_id record_id not null,
  reason text not null,
  order_id record_id,
  refund_id record_id,
  on_hand_delta integer not null,
  reserved_delta integer not null,
  on_hand integer not null,
  reserved integer not null,
  note text,
  created_at timestamp(3) with time zone not null,
  constraint stock_movements_pkey PRIMARY KEY (merchant_id, id),
  constraint movement_names_its_order_iff_ordered CHECK (((order_id IS NOT NULL) = ((reason ~~ 'order\_%'::text) OR (reason = 'refund_restocked'::text)))),
  constraint movement_reason_is_known CHECK ((reason = ANY (ARRAY['opening'::text, 'restock'::text, 'correction'::text, 'damage'::text, 'loss'::text, 'return'::text, 'count'::text, 'other'::text, 'order_reserved'::text, 'order_released'::text, 'order_fulfilled'::text, 'order_unfulfilled'::text, 'order_returned'::text, 'refund_restocked'::text])))
);
CREATE INDEX stock_movements_by_variant ON public.stock_movements USING btree (merchant_id, variant_id, id);
CREATE TRIGGER stock_movements_is_never_emptied BEFORE TRUNCATE ON public.stock_movements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table stock_movements enable always trigger stock_movements_is_never_emptied;
CREATE TRIGGER stock_movements_rows_never_change BEFORE DELETE OR UPDATE ON public.stock_movements FOR EACH ROW EXECUTE FUNCTION refuse_change('created_at');
alter table stock_movements enable always trigger stock_movements_rows_never_change;
comment on table stock_movements is 'One inventory movement of a variant, with the resulting levels. The sum of the movements is the inventory.';

create table submitted_forms (
  session_id record_id not null,
  form_id text not null,
  submitted_at timestamp(3) with time zone not null,
  constraint submitted_forms_pkey PRIMARY KEY (session_id, form_id),
  constraint submitted_forms_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE,
  constraint form_id_is_short CHECK (((char_length(form_id) >= 1) AND (char_length(form_id) <= 64)))
);
comment on table submitted_forms is 'A form that was submitted, so that a repeated submission changes nothing.';

create table surge_overrides (
  id record_id not null,
  book text not null,
  zone_id text collate "C",
  city text,
  kind text not null,
  multiplier double precision,
  reason text not null,
  actor_label text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  constraint surge_overrides_pkey PRIMARY KEY (id),
  constraint surge_override_book_is_known CHECK ((book = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint surge_override_ends_after_it_begins CHECK ((expires_at > created_at)),
  constraint surge_override_ends_unless_it_clears CHECK (((kind = 'clear'::text) = (expires_at IS NULL))),
  constraint surge_override_has_a_reason CHECK ((reason <> ''::text)),
  constraint surge_override_is_of_a_zone_or_a_city CHECK (((zone_id IS NULL) <> (city IS NULL))),
  constraint surge_override_kind_is_known CHECK ((kind = ANY (ARRAY['freeze'::text, 'override'::text, 'clear'::text]))),
  constraint surge_override_multiplier_is_in_steps CHECK ((((multiplier >= (1)::double precision) AND (multiplier <= (2)::double precision)) AND ((((multiplier)::numeric * (20)::numeric) % (1)::numeric) = (0)::numeric))),
  constraint surge_override_says_its_multiplier CHECK (((kind = 'override'::text) = (multiplier IS NOT NULL)))
);
CREATE INDEX surge_overrides_by_place ON public.surge_overrides USING btree (book, zone_id, city, id);
CREATE TRIGGER surge_overrides_is_never_emptied BEFORE TRUNCATE ON public.surge_overrides FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table surge_overrides enable always trigger surge_overrides_is_never_emptied;
CREATE TRIGGER surge_overrides_rows_never_change BEFORE DELETE OR UPDATE ON public.surge_overrides FOR EACH ROW EXECUTE FUNCTION refuse_change();
alter table surge_overrides enable always trigger surge_overrides_rows_never_change;
revoke delete, truncate, update on surge_overrides from current_user;
comment on table surge_overrides is 'Freezes, overrides and clearings of a place’s surge by operators, with the actor, the reason and the expiry. The newest row of a place is in force. Append-only.';

create table surge_snapshots (
  book text not null,
  zone_id text collate "C" not null,
  id record_id not null,
  slot_at timestamp(3) with time zone not null,
  computed_at timestamp(3) with time zone not null,
  published_at timestamp(3) with time zone not null,
  valid_until timestamp(3) with time zone not null,
  multiplier double precision not null,
  basis text not null,
  trend text not null,
  cap double precision not null,
  raw double precision not null,
  smoothed double precision not null,
  reference_fare_kobo kobo not null,
  surge_kobo kobo not null,
  factors jsonb not null,
  inputs jsonb not null,
  sample_size integer not null,
  constraint surge_snapshots_pkey PRIMARY KEY (id),
  constraint surge_is_published_once_a_slot UNIQUE (book, zone_id, slot_at),
  constraint surge_snapshot_is_of_a_zone FOREIGN KEY (zone_id) REFERENCES delivery_zones(id),
  constraint surge_basis_is_known CHECK ((basis = ANY (ARRAY['observed'::text, 'insufficient_data'::text, 'frozen'::text, 'override'::text]))),
  constraint surge_is_published_in_its_slot CHECK (((published_at >= slot_at) AND (published_at < (slot_at + '00:05:00'::interval)))),
  constraint surge_is_valid_to_the_next_slot CHECK (((((EXTRACT(epoch FROM valid_until))::bigint % (300)::bigint) = 0) AND (valid_until > slot_at))),
  constraint surge_multiplier_has_two_decimals CHECK ((multiplier = (round((multiplier)::numeric, 2))::double precision)),
  constraint surge_multiplier_is_between_plain_and_cap CHECK (((multiplier >= (1)::double precision) AND (multiplier <= cap))),
  constraint surge_sample_size_is_not_negative CHECK ((sample_size >= 0)),
  constraint surge_slots_are_five_minutes CHECK ((((EXTRACT(epoch FROM slot_at))::bigint % (300)::bigint) = 0)),
  constraint surge_snapshot_book_is_known CHECK ((book = ANY (ARRAY['live'::text, 'test'::text]))),
  constraint surge_trend_is_known CHECK ((trend = ANY (ARRAY['rising'::text, 'steady'::text, 'falling'::text])))
);
CREATE INDEX surge_snapshots_by_end ON public.surge_snapshots USING btree (valid_until);
comment on table surge_snapshots is 'Every published multiplier with its inputs. A quote refers to the snapshot it used.';
comment on column surge_snapshots.valid_until is 'When the next snapshot is due. An unchanged snapshot is confirmed by extending this time instead of inserting a new row.';
comment on column surge_snapshots.raw is 'Product of the signals’ factors, before blending, smoothing, limits and rounding to steps.';

create table surge_states (
  book text not null,
  zone_id text collate "C" not null,
  log_multiplier double precision not null,
  ticked_at timestamp(3) with time zone not null,
  baseline jsonb not null,
  baseline_hour timestamp(3) with time zone not null,
  constraint surge_states_pkey PRIMARY KEY (book, zone_id),
  constraint surge_state_is_of_a_zone FOREIGN KEY (zone_id) REFERENCES delivery_zones(id),
  constraint surge_state_book_is_known CHECK ((book = ANY (ARRAY['live'::text, 'test'::text])))
);
comment on table surge_states is 'State of each zone’s surge between two computations.';
comment on column surge_states.log_multiplier is 'Smoothed logarithm of the multiplier, before limits and rounding to steps.';
comment on column surge_states.baseline is 'Baseline for the hour of the week that starts at baseline_hour, computed once an hour.';

create table test_clocks (
  merchant_id record_id not null,
  advanced_ms bigint not null default 0,
  is_advancing boolean not null default false,
  remaining_ms bigint not null default 0,
  steps integer not null default 0,
  has_failed boolean not null default false,
  constraint test_clocks_pkey PRIMARY KEY (merchant_id),
  constraint test_clock_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint test_clock_advances_while_it_has_a_rest CHECK ((is_advancing OR (remaining_ms = 0))),
  constraint test_clock_moves_forward CHECK (((advanced_ms >= 0) AND (remaining_ms >= 0) AND (steps >= 0)))
);
CREATE INDEX test_clocks_that_advance ON public.test_clocks USING btree (merchant_id) WHERE is_advancing;
CREATE TRIGGER test_clock_is_of_a_test_merchant BEFORE INSERT OR UPDATE ON public.test_clocks FOR EACH ROW EXECUTE FUNCTION test_clock_is_of_a_test_merchant();
comment on table test_clocks is 'Test clocks of merchants in test mode. A merchant without a row has never advanced its clock.';
comment on column test_clocks.advanced_ms is 'By how much the clock has been advanced altogether.';
comment on column test_clocks.is_advancing is 'Whether an advance is under way, the work that is due after its last step included.';
comment on column test_clocks.remaining_ms is 'The rest of an advance that a worker still has to make.';
comment on column test_clocks.steps is 'Number of steps of the current or last advance. A worker that has not seen the latest step makes none.';
comment on column test_clocks.has_failed is 'Whether a step of the last advance failed, so that its rest was not made.';

create table unknown_carrier_statuses (
  carrier text not null,
  status text not null,
  times bigint not null,
  first_at timestamp(3) with time zone not null,
  last_at timestamp(3) with time zone not null,
  constraint unknown_carrier_statuses_pkey PRIMARY KEY (carrier, status),
  constraint unknown_status_times_are_positive CHECK ((times > 0))
);
comment on table unknown_carrier_statuses is 'Statuses that carriers reported and no adapter maps, each with how many shipments had it.';

create table unmatched_disputes (
  merchant_id record_id not null,
  dispute_id text not null,
  payment_reference text not null,
  status text not null,
  resolution text,
  lost_kobo kobo,
  reported_at timestamp(3) with time zone not null,
  provider text not null default 'paystack'::text,
  constraint unmatched_disputes_pkey PRIMARY KEY (merchant_id, dispute_id),
  constraint unmatched_dispute_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint unmatched_dispute_status_is_known CHECK ((status = ANY (ARRAY['open'::text, 'won'::text, 'lost'::text, 'unclear'::text])))
);
CREATE INDEX unmatched_disputes_by_payment ON public.unmatched_disputes USING btree (merchant_id, payment_reference);
comment on table unmatched_disputes is 'Disputes of payments that are not recorded yet, each as the payment provider last reported it. The merchant is notified of each. Recording the payment deletes them.';
comment on column unmatched_disputes.lost_kobo is 'Amount that a lost dispute returned to the payer. Null means the whole payment.';
comment on column unmatched_disputes.provider is 'The payment provider that reported the dispute.';

create table users (
  id record_id not null,
  email text not null,
  display_email text not null,
  name text not null,
  password_hash text,
  totp_sealed bytea,
  totp_pending_sealed bytea,
  totp_last_step bigint,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  backup_code_hashes bytea[] not null default '{}'::bytea[],
  constraint users_pkey PRIMARY KEY (id),
  constraint user_email_is_unique UNIQUE (email),
  constraint user_email_is_lower_case CHECK ((email = lower(email))),
  constraint user_has_a_name CHECK ((name <> ''::text))
);
comment on table users is 'A person who signs in to the dashboard, at any number of merchants.';
comment on column users.email is 'E-mail address in lower case, which identifies the user.';
comment on column users.display_email is 'E-mail address as it was entered.';
comment on column users.password_hash is 'argon2id in PHC string form. Null until the user sets a password.';
comment on column users.totp_sealed is 'Encrypted TOTP secret. Null while two-step sign-in is off.';
comment on column users.totp_pending_sealed is 'Encrypted TOTP secret that the user has not confirmed with a code yet.';
comment on column users.totp_last_step is 'The last 30 second step whose code was used, so that no code is used twice.';
comment on column users.backup_code_hashes is 'SHA-256 hashes of the unused backup codes, each of which replaces one TOTP code. Empty while two-step sign-in is off.';

create table webhook_attempts (
  merchant_id record_id not null,
  delivery_id record_id not null,
  number integer not null,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone not null,
  outcome text not null,
  http_status integer,
  error_code text,
  response_body text,
  dns_ms integer,
  connect_ms integer,
  tls_ms integer,
  first_byte_ms integer,
  duration_ms integer not null,
  is_reused boolean,
  url text not null,
  endpoint_epoch integer not null,
  failures_at_claim integer,
  constraint webhook_attempts_pkey PRIMARY KEY (merchant_id, delivery_id, number),
  constraint attempt_finishes_after_it_starts CHECK ((finished_at >= started_at)),
  constraint attempt_http_status_has_three_digits CHECK (((http_status >= 100) AND (http_status <= 999))),
  constraint attempt_numbers_start_at_1 CHECK ((number >= 1)),
  constraint attempt_outcome_is_known CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text, 'aborted'::text]))),
  constraint attempt_response_body_is_at_most_4096_characters CHECK ((char_length(response_body) <= 4096)),
  constraint attempt_says_why_unless_it_succeeded CHECK (((outcome = 'succeeded'::text) OR (http_status IS NOT NULL) OR (error_code IS NOT NULL))),
  constraint attempt_succeeds_by_a_2xx_only CHECK (((outcome <> 'succeeded'::text) OR ((http_status IS NOT NULL) AND ((http_status >= 200) AND (http_status <= 299))))),
  constraint attempt_times_are_not_negative CHECK ((LEAST(dns_ms, connect_ms, tls_ms, first_byte_ms, duration_ms) >= 0))
);
CREATE TRIGGER webhook_attempts_is_never_emptied BEFORE TRUNCATE ON public.webhook_attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
alter table webhook_attempts enable always trigger webhook_attempts_is_never_emptied;
CREATE TRIGGER webhook_attempts_rows_never_change BEFORE DELETE OR UPDATE ON public.webhook_attempts FOR EACH ROW EXECUTE FUNCTION refuse_change_of_attempt();
alter table webhook_attempts enable always trigger webhook_attempts_rows_never_change;
comment on table webhook_attempts is 'One attempt of one delivery and its result. An aborted attempt is a fault of this service and uses up no retry.';
comment on column webhook_attempts.is_reused is 'Whether the attempt reused an open connection. Null without a connection.';
comment on column webhook_attempts.failures_at_claim is 'Unused. The release before still writes it, so a later release drops it.';

create table webhook_bulk_replays (
  merchant_id record_id not null,
  id record_id not null,
  endpoint_id record_id not null,
  since timestamp(3) with time zone not null,
  until timestamp(3) with time zone not null,
  statuses text[] not null,
  status text not null default 'running'::text,
  last_delivery_id record_id,
  queued integer not null default 0,
  created_at timestamp(3) with time zone not null,
  completed_at timestamp(3) with time zone,
  constraint webhook_bulk_replays_pkey PRIMARY KEY (merchant_id, id),
  constraint bulk_replay_is_of_an_endpoint FOREIGN KEY (merchant_id, endpoint_id) REFERENCES webhook_endpoints(merchant_id, id),
  constraint bulk_replay_ends_after_it_begins CHECK ((until > since)),
  constraint bulk_replay_is_completed_unless_running CHECK (((status = 'running'::text) = (completed_at IS NULL))),
  constraint bulk_replay_queued_is_not_negative CHECK ((queued >= 0)),
  constraint bulk_replay_selects_finished_deliveries CHECK (((cardinality(statuses) > 0) AND (statuses <@ ARRAY['failed'::text, 'skipped'::text, 'succeeded'::text]))),
  constraint bulk_replay_status_is_known CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX webhook_bulk_replays_that_run ON public.webhook_bulk_replays USING btree (merchant_id, endpoint_id) WHERE (status = 'running'::text);
comment on table webhook_bulk_replays is 'A request to send the deliveries of an endpoint in a time range again. Its replays are queued in chunks.';
comment on column webhook_bulk_replays.last_delivery_id is 'Progress: every original up to this id was checked. Ids sort by creation time.';
comment on column webhook_bulk_replays.queued is 'Deliveries queued so far.';

create table webhook_deliveries (
  merchant_id record_id not null,
  id record_id not null,
  event_id record_id not null,
  endpoint_id record_id not null,
  status text not null,
  trigger text not null default 'automatic'::text,
  replay_of record_id,
  attempt_count integer not null default 0,
  next_attempt_at timestamp(3) with time zone,
  is_paced boolean not null default true,
  lost_count integer not null default 0,
  lease_until timestamp(3) with time zone,
  leased_by text,
  lease_number integer not null default 0,
  created_at timestamp(3) with time zone not null,
  completed_at timestamp(3) with time zone,
  bulk_replay_id record_id,
  constraint webhook_deliveries_pkey PRIMARY KEY (merchant_id, id),
  constraint delivery_counts_are_not_negative CHECK (((lease_number >= 0) AND (lost_count >= 0))),
  constraint delivery_has_an_attempt_if_failed CHECK (((status <> 'failed'::text) OR (attempt_count >= 1))),
  constraint delivery_has_at_most_7_attempts CHECK (((attempt_count >= 0) AND (attempt_count <= 7))),
  constraint delivery_has_no_attempt_while_pending CHECK (((status <> 'pending'::text) OR (attempt_count = 0))),
  constraint delivery_is_completed_iff_nothing_is_left CHECK (((completed_at IS NOT NULL) = ((status = ANY (ARRAY['succeeded'::text, 'skipped'::text])) OR ((status = 'failed'::text) AND (next_attempt_at IS NULL) AND (lease_until IS NULL))))),
  constraint delivery_is_due_or_leased_while_pending CHECK (((status <> 'pending'::text) OR (next_attempt_at IS NOT NULL) OR (lease_until IS NOT NULL))),
  constraint delivery_is_scheduled_or_leased_only_while_pending_or_failed CHECK (((status = ANY (ARRAY['pending'::text, 'failed'::text])) OR ((next_attempt_at IS NULL) AND (lease_until IS NULL)))),
  constraint delivery_lease_has_an_owner CHECK (((lease_until IS NULL) = (leased_by IS NULL))),
  constraint delivery_names_its_original_iff_replay CHECK (((trigger = 'replay'::text) = (replay_of IS NOT NULL))),
  constraint delivery_of_a_bulk_replay_is_a_replay CHECK (((bulk_replay_id IS NULL) OR (trigger = 'replay'::text))),
  constraint delivery_status_is_known CHECK ((status = ANY (ARRAY['pending'::text, 'failed'::text, 'succeeded'::text, 'held'::text, 'skipped'::text]))),
  constraint delivery_trigger_is_known CHECK ((trigger = ANY (ARRAY['automatic'::text, 'replay'::text, 'test'::text])))
);
CREATE INDEX webhook_deliveries_by_status ON ONLY public.webhook_deliveries USING btree (merchant_id, endpoint_id, status, id);
CREATE INDEX webhook_deliveries_of_bulk_replays ON ONLY public.webhook_deliveries USING btree (merchant_id, bulk_replay_id, status) WHERE (bulk_replay_id IS NOT NULL);
CREATE INDEX webhook_deliveries_that_are_leased ON ONLY public.webhook_deliveries USING btree (merchant_id, endpoint_id) WHERE (lease_until IS NOT NULL);
CREATE INDEX webhook_deliveries_that_are_manual ON ONLY public.webhook_deliveries USING btree (merchant_id, endpoint_id, is_paced, next_attempt_at, id) WHERE ((next_attempt_at IS NOT NULL) AND (trigger <> 'automatic'::text));
CREATE INDEX webhook_deliveries_that_are_scheduled ON ONLY public.webhook_deliveries USING btree (merchant_id, endpoint_id, is_paced, next_attempt_at, id) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX webhook_deliveries_that_replay ON ONLY public.webhook_deliveries USING btree (merchant_id, replay_of) WHERE (replay_of IS NOT NULL);
CREATE INDEX webhook_deliveries_waiting_for_their_endpoint ON ONLY public.webhook_deliveries USING btree (merchant_id, endpoint_id, id) WHERE (status = ANY (ARRAY['held'::text, 'skipped'::text]));
CREATE TRIGGER webhook_deliveries_are_leased_once BEFORE UPDATE ON public.webhook_deliveries FOR EACH ROW WHEN (((old.lease_until IS NULL) AND (new.lease_until IS NOT NULL))) EXECUTE FUNCTION skip_second_lease();
comment on table webhook_deliveries is 'One event for one endpoint. The row is the source of truth; a job only wakes a worker.';
comment on column webhook_deliveries.status is 'pending: no attempt yet. failed: the last attempt failed; a retry is due at next_attempt_at, or none is left. held: the endpoint was disabled while attempts were left. skipped: created while the endpoint was disabled.';
comment on column webhook_deliveries.is_paced is 'Whether the endpoint''s throttling applies: to first attempts and resumed deliveries, but not to retries, which have their own schedule.';
comment on column webhook_deliveries.lost_count is 'Workers in a row that died while sending the delivery. After three it is postponed, because it may be the cause.';
comment on column webhook_deliveries.lease_until is 'Set by releases before webhook_leases. Null otherwise.';
comment on column webhook_deliveries.leased_by is 'Set by releases before webhook_leases. Null otherwise.';
comment on column webhook_deliveries.lease_number is 'The number of the last recorded attempt. The next lease of the delivery has the next number, which is also the number of its attempt.';

create table webhook_endpoints (
  merchant_id record_id not null,
  id record_id not null,
  url text not null,
  description text not null default ''::text,
  status text not null default 'enabled'::text,
  disabled_reason text,
  disabled_at timestamp(3) with time zone,
  consecutive_failures integer not null default 0,
  epoch integer not null default 1,
  paced_until timestamp(3) with time zone,
  deleted_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  ramp integer,
  sealed_headers bytea,
  header_names text[],
  headers_changed_at timestamp(3) with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (merchant_id, id),
  constraint endpoint_belongs_to_merchant FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint endpoint_disabling_has_a_reason CHECK (((status = 'disabled'::text) = (disabled_reason IS NOT NULL))),
  constraint endpoint_disabling_has_a_time CHECK (((status = 'disabled'::text) = (disabled_at IS NOT NULL))),
  constraint endpoint_epoch_starts_at_1 CHECK ((epoch >= 1)),
  constraint endpoint_failures_are_not_negative CHECK ((consecutive_failures >= 0)),
  constraint endpoint_headers_have_names CHECK ((((sealed_headers IS NULL) = (header_names IS NULL)) AND ((header_names IS NULL) OR ((cardinality(header_names) >= 1) AND (cardinality(header_names) <= 5))) AND ((sealed_headers IS NULL) OR (headers_changed_at IS NOT NULL)))),
  constraint endpoint_is_disabled_once_deleted CHECK (((deleted_at IS NULL) OR (status = 'disabled'::text))),
  constraint endpoint_ramp_starts_at_1 CHECK ((ramp >= 1)),
  constraint endpoint_status_is_known CHECK ((status = ANY (ARRAY['enabled'::text, 'disabled'::text]))),
  constraint endpoint_url_is_at_most_2000_characters CHECK (((char_length(url) >= 1) AND (char_length(url) <= 2000)))
);
comment on table webhook_endpoints is 'A URL to which a merchant''s events are sent, with its delivery state.';
comment on column webhook_endpoints.epoch is 'Incremented when the endpoint is enabled or its URL or secret changes. An attempt of an earlier epoch does not change consecutive_failures.';
comment on column webhook_endpoints.paced_until is 'No throttled delivery starts before this time. Null without throttling.';
comment on column webhook_endpoints.deleted_at is 'The row remains, because its deliveries and attempts are history.';
comment on column webhook_endpoints.ramp is 'Maximum number of concurrent sends during recovery, doubled by each success. Null when only the usual cap applies.';
comment on column webhook_endpoints.sealed_headers is 'The custom headers of deliveries, names and values, as encrypted JSON. Null without custom headers.';
comment on column webhook_endpoints.header_names is 'The names of the custom headers. Null without custom headers.';
comment on column webhook_endpoints.headers_changed_at is 'When the custom headers last changed. Null if the endpoint never had any.';

create table webhook_events (
  merchant_id record_id not null,
  id record_id not null,
  kind text not null,
  resource_id text not null,
  body text not null,
  is_test boolean not null default false,
  created_at timestamp(3) with time zone not null,
  constraint webhook_events_pkey PRIMARY KEY (merchant_id, id)
);
CREATE INDEX webhook_events_by_resource ON ONLY public.webhook_events USING btree (merchant_id, resource_id);
comment on table webhook_events is 'An event of a committed mutation, with the exact bytes that every delivery sends.';
comment on column webhook_events.is_test is 'Whether the event is a sample sent from the dashboard. Samples are not in the event feed.';

create table webhook_leases (
  merchant_id record_id not null,
  endpoint_id record_id not null,
  id uuid not null default gen_random_uuid(),
  worker_id text not null,
  expires_at timestamp(3) with time zone not null,
  delivery_ids text[] collate "C" not null,
  constraint webhook_leases_pkey PRIMARY KEY (merchant_id, endpoint_id, id),
  constraint lease_is_of_a_delivery CHECK ((cardinality(delivery_ids) >= 1))
);
comment on table webhook_leases is 'The deliveries of an endpoint that a worker is sending. A row has the deliveries of one claim; the last result deletes it.';
comment on column webhook_leases.expires_at is 'From then on, the worker counts as lost, and the deliveries are sent again.';
comment on column webhook_leases.delivery_ids is 'The deliveries of the claim whose results are not recorded yet.';

create table webhook_secrets (
  merchant_id record_id not null,
  endpoint_id record_id not null,
  id record_id not null,
  secret text,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone,
  sealed bytea,
  constraint webhook_secrets_pkey PRIMARY KEY (merchant_id, endpoint_id, id),
  constraint secret_belongs_to_endpoint FOREIGN KEY (merchant_id, endpoint_id) REFERENCES webhook_endpoints(merchant_id, id) ON DELETE CASCADE,
  constraint secret_is_stored_in_one_form CHECK ((num_nonnulls(sealed, secret) = 1)),
  constraint secret_says_what_it_is CHECK ((secret ~~ 'whsec\_%'::text))
);
CREATE UNIQUE INDEX endpoint_has_one_current_secret ON public.webhook_secrets USING btree (merchant_id, endpoint_id) WHERE (expires_at IS NULL);
CREATE INDEX webhook_secrets_that_expire ON public.webhook_secrets USING btree (expires_at) WHERE (expires_at IS NOT NULL);
comment on table webhook_secrets is 'A signing secret of an endpoint: the current one, or the previous one until it expires.';
comment on column webhook_secrets.secret is 'Plain text of an earlier version, until a process with an encryption key starts.';
comment on column webhook_secrets.sealed is 'Encrypted with a key of ENCRYPTION_KEY, and bound to the merchant, the endpoint and the id.';

create table webhook_subscriptions (
  merchant_id record_id not null,
  kind text collate "C" not null,
  endpoint_id record_id not null,
  constraint webhook_subscriptions_pkey PRIMARY KEY (merchant_id, kind, endpoint_id),
  constraint subscription_belongs_to_endpoint FOREIGN KEY (merchant_id, endpoint_id) REFERENCES webhook_endpoints(merchant_id, id) ON DELETE CASCADE
);
comment on table webhook_subscriptions is 'One event type that an endpoint subscribes to.';
